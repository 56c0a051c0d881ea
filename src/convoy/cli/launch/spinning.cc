#include "convoy/cli/launch/spinning.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace convoy::cli {

void limit_spinning(char** argv) {
  // One to two milliseconds: longer than a host that is shared usually keeps a core from the thread that is waited for,
  // and short enough not to be taken for a program that does nothing. Both limits were measured (docs/performance.md).
  constexpr const char* kSpins = "60000";
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  if (setenv("GOMP_SPINCOUNT", kSpins, 0) != 0) return;
  // By its real name if possible, because that is what top and killall know the process by.
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) (void)execv(program.c_str(), argv);
  (void)execv("/proc/self/exe", argv);
  // If this fails, training still works, but not always as fast.
}

}  // namespace convoy::cli
