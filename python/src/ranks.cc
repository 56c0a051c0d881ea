#include "ranks.h"

#include <csignal>
#include <memory>

#include "convoy/cli/launch/world.h"
#include "convoy/run/all_reduce_cache.h"

namespace convoy::python {
namespace {

// Long, because ranks may be started one after the other, and one of them measures kernels while the others wait.
constexpr std::chrono::minutes kDeadline{10};

struct Joined {
  cli::World world{kDeadline};
  Communicator communicator{world.transport(),
                            {.table = all_reduce_table_for(world.transport(), all_reduce_cache_folder())}};
};

std::unique_ptr<Joined>& joined() {
  static std::unique_ptr<Joined> ranks;
  return ranks;
}

}  // namespace

Communicator& ranks() {
  if (!joined()) joined() = std::make_unique<Joined>();
  return joined()->communicator;
}

int joined_size() { return joined() ? joined()->communicator.size() : 1; }

void leave_ranks() {
  if (!joined()) return;
  joined()->communicator.transport().barrier();
  joined().reset();
}

struct SignalsWait::Mask {
  sigset_t signals;
};

SignalsWait::SignalsWait() : before_(new Mask) {
  sigset_t all;
  sigfillset(&all);
  // Signals that an instruction of this thread causes cannot wait.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&all, signal);
  pthread_sigmask(SIG_BLOCK, &all, &before_->signals);
}

SignalsWait::~SignalsWait() {
  pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr);
  delete before_;
}

void SignalsWait::let_in() const {
  sigset_t waiting;
  pthread_sigmask(SIG_SETMASK, &before_->signals, &waiting);
  pthread_sigmask(SIG_SETMASK, &waiting, nullptr);
}

}  // namespace convoy::python
