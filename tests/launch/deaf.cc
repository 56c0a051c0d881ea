// A library to preload into mpirun, which then does not notice SIGUSR1 and SIGUSR2. That happens on real machines when
// something that mpirun has loaded takes these signals over (hwloc's OpenCL plugin loads PoCL, whose LLVM does). The
// programs that mpirun starts are not affected.
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>

namespace {

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);

void do_nothing(int /*signal*/) {}

[[gnu::constructor]] void keep_to_this_process() { (void)unsetenv("LD_PRELOAD"); }

}  // namespace

extern "C" int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  static const auto real = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
  if (action == nullptr || (signal != SIGUSR1 && signal != SIGUSR2)) return real(signal, action, before);
  struct sigaction deaf = *action;
  deaf.sa_handler = do_nothing;
  deaf.sa_flags &= ~SA_SIGINFO;
  return real(signal, &deaf, before);
}
