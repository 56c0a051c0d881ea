// A program that only is a rank, and fails if told to. The tests start it under mpirun.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>

#include "convoy/base/error.h"
#include "convoy/cli/app.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/world.h"

namespace {

using convoy::cli::World;

// Each failure of a run has an exit code of its own.
void fail(const std::string& how) {
  if (how == "usage") throw convoy::UserError("this is wrong");
  if (how == "data") throw convoy::DataError("this is corrupt");
  if (how == "diverged") throw convoy::DivergedError("this is not a number");
  if (how == "run") throw convoy::SystemError("this broke");
  if (how == "killed") (void)std::raise(SIGKILL);
}

struct Flags {
  int rank = -1;  // the rank that fails; -1: all of them
  std::string how;
  bool before_joining = false;
};

void until_a_signal(World& world, bool stubborn) {
  const convoy::cli::Interrupt interrupt(convoy::cli::stop_channel());
  fmt::print("rank {} is ready\n", world.rank());
  (void)std::fflush(stdout);
  while (convoy::cli::Interrupt::signal() == 0) {
  }
  if (stubborn) {
    fmt::print("rank {} was asked\n", world.rank());
    (void)std::fflush(stdout);
    while (true) {
    }
  }
  // Longer than mpirun waits before it kills processes that it has told to end.
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  fmt::print("rank {} has put its work down\n", world.rank());
  throw convoy::cli::Interrupted{convoy::cli::Interrupt::signal()};
}

void be_a_rank(World& world, const Flags& flags) {
  if (flags.how == "signal" || flags.how == "stubborn") until_a_signal(world, flags.how == "stubborn");
  if (flags.how == "lost" && world.rank() == flags.rank) {
    // The process is alive but does not join the others.
    while (true) {
    }
  }
  if (flags.rank < 0 || flags.rank == world.rank()) fail(flags.how);
  world.transport().barrier();
  fmt::print("rank {} of {}\n", world.rank(), world.size());
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  CLI::App app("Is a rank", "probe");
  app.add_option("--rank", flags.rank, "The rank that fails; all if left out");
  app.add_option("--how", flags.how, "usage, data, diverged, run, killed, lost, signal, stubborn");
  app.add_flag("--before-joining", flags.before_joining, "Fail before MPI starts");
  app.callback([&] {
    if (flags.before_joining) fail(flags.how);
    // Short only where the deadline is meant to pass: on a busy machine a rank may not run for seconds.
    const std::chrono::seconds deadline(flags.how == "lost" ? 2 : 60);
    convoy::cli::in_world(deadline, [&](World& world) { be_a_rank(world, flags); });
  });
  return convoy::cli::run(app, argc, argv);
}
