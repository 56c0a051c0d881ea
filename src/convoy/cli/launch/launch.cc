#include "convoy/cli/launch/launch.h"

#include <fmt/core.h>
#include <netdb.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/shell_text.h"
#include "convoy/cli/launch/go_on.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/launch_plan.h"
#include "convoy/cli/launch/launcher_lines.h"
#include "convoy/cli/launch/mpirun_output.h"
#include "convoy/cli/launch/mpirun_process.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/comm/mpi/mpi_session.h"

namespace convoy::cli {
namespace {

// Workers run the same program as this process, by its path, and without --dry-run.
std::vector<std::string> own_command() {
  std::vector<std::string> words = command_line();
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (words.empty() || failed) throw SystemError("this system does not tell a program its own name (/proc/self)");
  words.front() = program.string();
  std::erase(words, "--dry-run");
  return words;
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    names.push_back(text.substr(0, text.find('=')));
  }
  std::ranges::sort(names);
  return names;
}

LaunchSituation situation_here() {
  return {.host_name = host_name(),
          .cores = read_cores(),
          .is_root = geteuid() == 0,
          .on_terminal = stderr_is_terminal(),
          .variable_names = variable_names()};
}

// Checked before mpirun waits for a host that does not exist. Skipped if users have their own way to reach hosts, which
// may use other names.
void require_known(const std::vector<Host>& hosts) {
  if (environment_variable("OMPI_MCA_plm_rsh_agent")) return;
  for (const Host& host : hosts) {
    addrinfo* found = nullptr;
    const int error = getaddrinfo(host.name.c_str(), nullptr, nullptr, &found);
    if (error != 0 && hosts.size() == 1 && !host.slots) {
      throw UserError("--hosts: {} is neither a file nor a host that is known here ({}); {}", host.name,
                      gai_strerror(error), kHowToWriteHosts);
    }
    if (error != 0) throw UserError("--hosts: {} is not known here: {}", host.name, gai_strerror(error));
    freeaddrinfo(found);
  }
}

void require_agreement(const LaunchFlags& flags, int size) {
  if (!flags.workers || size == 0 || *flags.workers == size) return;
  throw UserError("--workers {}, but the launcher started {}: leave --workers out, or start convoy without a launcher",
                  *flags.workers, size == 1 ? "one rank" : fmt::format("{} ranks", size));
}

void print_plan(const LaunchPlan& plan) {
  for (const std::string& note : plan.notes) say("note: {}\n", note);
  say("{}", plan.map);
}

[[noreturn]] void fail(const std::string& message) {
  say("{} {}\n", error_label(), message);
  throw RanksFailed{kPeerLost};
}

// What the report on the end of a run needs.
struct Launched {
  std::vector<std::string> to_go_on;  // see LaunchFlags
  std::vector<Host> hosts;            // for naming those that cannot be reached
};

// The hosts on which nothing can be started. If there are many, trying them all would take too long.
std::string unreachable_among(const std::vector<Host>& hosts) {
  constexpr std::size_t kMostToTry = 8;
  std::string names;
  for (const Host& host : hosts) {
    if (hosts.size() > kMostToTry || can_start_on(host.name)) continue;
    names += (names.empty() ? "" : ", ") + host.name;
  }
  return names.empty() ? "one of the hosts" : names;
}

// Reports how a run ended whose ranks did not all end well, unless they have said it themselves.
class Report {
 public:
  Report(const EndOfMpirun& end, const MpirunOutput& output, const Launched& launched)
      : end_(end), output_(output), launched_(launched) {}

  [[noreturn]] void make() const {
    if (stopped_by_signal()) interrupted();
    // If mpirun was killed for being late, its own end says nothing.
    if (end_.killed_by != 0 && !end_.lingered)
      lost(fmt::format("mpirun was killed by {}", signal_text(end_.killed_by)));
    if (const auto& killed = output_.killed()) {
      lost(fmt::format("rank {} on {} was killed by {}", killed->rank, killed->host, signal_text(killed->signal)));
    }
    if (output_.end_code()) ended(*output_.end_code());
    if (output_.unreachable()) unreachable();
    if (!output_.complaint().empty()) fail("mpirun could not run the workers:\n" + output_.complaint());
    ended(end_.lingered ? kPeerLost : end_.exit_code);
  }

 private:
  static std::string signal_text(int signal) { return fmt::format("signal {} ({})", signal, strsignal(signal)); }

  [[nodiscard]] bool stopped_by_signal() const {
    return end_.forwarded_signal != 0 && (end_.exit_code >= kSignal || output_.killed() || end_.told_to_end);
  }

  [[noreturn]] void interrupted() const {
    if (end_.unanswered) {
      fmt::print(stderr, "note: the workers did not answer the request to stop, so they were ended without it\n");
    }
    // Ranks that stopped in an orderly way have said it themselves.
    if (end_.told_to_end) print_how_to_go_on();
    throw Interrupted{end_.forwarded_signal};
  }

  [[noreturn]] void lost(const std::string& who) const {
    fmt::print(stderr, "{} {}; the run ended with it{}\n", error_label(), who,
               output_.run_folder() ? last_step_text(*output_.run_folder()) : "");
    ended(kPeerLost);
  }

  [[noreturn]] void ended(int code) const {
    if (code == kPeerLost) print_how_to_go_on();
    throw RanksFailed{code};
  }

  // Says in one sentence what Open MPI explains with twenty lines of guesses.
  [[noreturn]] void unreachable() const {
    const std::string reason = output_.ssh_words();
    fail(fmt::format(
        "--hosts: no worker could be started on {}; `ssh HOST` must work without a password, and Open MPI "
        "and convoy must be there under the same paths. `convoy doctor --hosts HOSTS` tries each",
        reason.empty() ? unreachable_among(launched_.hosts) : fmt::format("one of the hosts ({})", reason)));
  }

  void print_how_to_go_on() const {
    if (launched_.to_go_on.empty() || !output_.run_folder()) return;
    fmt::print(stderr, "{}\n", how_to_go_on(*output_.run_folder(), launched_.to_go_on));
  }

  const EndOfMpirun& end_;
  const MpirunOutput& output_;
  const Launched& launched_;
};

// Not part of the plan: a user who runs the command that a dry run prints reads stderr directly.
std::vector<std::string> with_notices(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin() + 1, {"-x", fmt::format("{}=1", kReadsNotices)});
  return arguments;
}

void run_ranks(const LaunchPlan& plan, const Launched& launched) {
  outlive_readers();
  MpirunOutput output([](std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); });
  const EndOfMpirun end = run_mpirun(with_notices(plan.arguments), [&](std::string_view text) {
    output.take(text);
    return output.state();
  });
  output.finish();
  if (end.exit_code != 0 || end.lingered) Report(end, output, launched).make();
}

// Every way of starting workers comes through here.
LaunchPlan plan_here(const LaunchRequest& request) {
  MpiSession::require_built();
  return plan_launch(request, situation_here());
}

LaunchRequest request_of(const LaunchFlags& flags, const ThreadWish& threads) {
  LaunchRequest request{
      .workers = flags.workers.value_or(1), .hosts = {}, .threads = threads.exactly, .command = own_command()};
  request.most_threads = threads.at_most;
  if (!flags.hosts.empty()) {
    request.hosts = read_hosts(flags.hosts);
    require_known(request.hosts);
    if (!flags.workers) request.workers = slots_of(request.hosts);
  }
  return request;
}

}  // namespace

void add_launch_flags(CLI::App& command, LaunchFlags& flags) {
  const std::string group = "Workers";
  command.add_option("--workers", flags.workers, "Processes to train together, started by mpirun; one if left out")
      ->type_name("N")
      ->group(group);
  command.add_option("--hosts", flags.hosts, "Where: a:2,b:2 with workers on each, or a hostfile; here if left out")
      ->type_name("HOSTS")
      ->group(group);
  command.add_flag("--dry-run", flags.dry_run, "Print the command that would start the workers")->group(group);
}

void launch_quietly(const LaunchFlags& flags) {
  LaunchRequest request = request_of(flags, {.exactly = 1});
  request.own_cores = false;
  run_ranks(plan_here(request), {});
}

bool can_start_on(const std::string& host) {
  const LaunchRequest request{.workers = 1,
                              .hosts = {{host, 1}},
                              .threads = 1,
                              .command = {"sh", "-c", "exec \"$0\" --version >/dev/null", own_command().front()},
                              .own_cores = false};
  const LaunchPlan plan = plan_here(request);
  return run_mpirun(plan.arguments, [](std::string_view) { return RanksState{}; }).exit_code == 0;
}

bool launch(const LaunchFlags& flags, const ThreadWish& threads) {
  if (flags.workers && *flags.workers < 1) throw UserError("--workers must be at least 1, got {}", *flags.workers);
  if (const auto launched = launched_rank(environment_variable)) {
    require_agreement(flags, launched->size);
    return false;
  }
  const LaunchRequest request = request_of(flags, threads);
  if (request.workers == 1 && request.hosts.empty()) {
    if (flags.dry_run) fmt::print("{}\n", shell_text(request.command));
    return flags.dry_run;
  }
  const LaunchPlan plan = plan_here(request);
  print_plan(plan);
  if (flags.dry_run) {
    fmt::print("{}\n", shell_text(plan.arguments));
  } else {
    run_ranks(plan, {.to_go_on = flags.to_go_on, .hosts = request.hosts});
  }
  return true;
}

}  // namespace convoy::cli
