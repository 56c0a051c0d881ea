#include "convoy/cli/command/slurm_command.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/shell_text.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/launch/hosts.h"
#include "convoy/cli/launch/launch_plan.h"
#include "convoy/record/run_record.h"
#include "convoy/run/settings/amounts.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy::cli {
namespace {

using Words = std::vector<std::string>;

// Time for a step, an evaluation and a checkpoint before Slurm ends the job.
constexpr int kSecondsToPutDown = 120;
// How long srun lets the others run after a worker has ended: longer than they wait for it (60 s), so that they can
// report which one is missing. --kill-on-bad-exit is not used: it ends them at once, sometimes before the first one's
// message has arrived, and the exit code is then that of the killing.
constexpr int kSecondsAfterTheFirst = 90;

// Removes "--flag value" or "--flag=value" from the arguments; the last one counts.
std::optional<std::string> take_flag(Words& arguments, const std::string& flag) {
  std::optional<std::string> value;
  for (auto word = arguments.begin(); word != arguments.end();) {
    if (word->starts_with(flag + "=")) {
      value = word->substr(flag.size() + 1);
      word = arguments.erase(word);
    } else if (*word == flag && word + 1 != arguments.end()) {
      value = *(word + 1);
      word = arguments.erase(word, word + 2);
    } else {
      ++word;
    }
  }
  return value;
}

// The same without removing it.
std::optional<std::string> value_of(Words arguments, const std::string& flag) { return take_flag(arguments, flag); }

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

int number_of(const std::string& flag, const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) {
    throw UserError("{} must be a whole number from 1 on, got '{}'", flag, text);
  }
  return number;
}

void check_command(const Words& arguments) {
  const std::vector<std::string> commands = {"bench", "study", "train", "tune"};
  if (arguments.empty()) throw UserError("convoy slurm wants the command to run: convoy slurm train ... --workers 8");
  if (std::ranges::find(commands, arguments.front()) != commands.end()) return;
  const auto nearest = nearest_name(arguments.front(), commands);
  throw UserError("'{}' does not run on workers{}", arguments.front(),
                  nearest ? fmt::format("; did you mean {}?", *nearest) : "; train, bench, study and tune do");
}

// Each of these becomes part of one line of the script: a line break would add lines that Slurm executes.
void check_one_line(const std::string& what, const std::string& text) {
  const bool breaks = std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (breaks) throw UserError("{}: '{}' has a line break or another control character", what, quoted_text(text));
}

// Each of these is one word of a request: a blank would turn what follows it into other requests.
void check_name(const std::string& what, const std::string& text) {
  check_one_line(what, text);
  const bool plain = std::ranges::all_of(
      text, [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80 || std::strchr("._-,[]", c) != nullptr; });
  if (!plain) {
    throw UserError("{}: '{}' is not a name; names have letters, digits and . _ - [ ]", what, quoted_text(text));
  }
}

void check_texts(const SlurmJob& job) {
  check_name("--partition", job.partition);
  check_one_line("the path of convoy", job.program);
  for (const std::string& argument : job.arguments) check_one_line(job.arguments.front(), argument);
}

struct Shape {
  int tasks = 1;
  int threads = 1;
  std::optional<int> nodes;
  std::string node_names;  // "a,b"; empty: any nodes
};

Shape shape_of(const SlurmJob& job, Words& arguments) {
  Shape shape{.nodes = job.nodes};
  if (const auto hosts = take_flag(arguments, "--hosts")) {
    if (is_number(*hosts)) {
      shape.nodes = number_of("--hosts", *hosts);
    } else {
      const std::vector<Host> list = read_hosts(*hosts);
      shape.nodes = static_cast<int>(list.size());
      shape.tasks = slots_of(list);
      for (const Host& host : list) {
        check_name("--hosts", host.name);
        shape.node_names += (shape.node_names.empty() ? "" : ",") + host.name;
      }
    }
  }
  if (const auto workers = take_flag(arguments, "--workers")) shape.tasks = number_of("--workers", *workers);
  const auto threads = take_flag(arguments, "--threads");
  const int cores = job.cores_of_node * shape.nodes.value_or(1);
  shape.threads = threads ? number_of("--threads", *threads) : std::max(1, cores / shape.tasks);
  return shape;
}

std::string slurm_time(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Words requests(const SlurmJob& job, const Shape& shape) {
  const std::string& command = job.arguments.front();
  Words words = {fmt::format("--job-name=convoy-{}", command)};
  if (!job.partition.empty()) words.push_back(fmt::format("--partition={}", job.partition));
  if (shape.nodes) words.push_back(fmt::format("--nodes={}", *shape.nodes));
  if (!shape.node_names.empty()) words.push_back(fmt::format("--nodelist={}", shape.node_names));
  words.push_back(fmt::format("--ntasks={}", shape.tasks));
  if (shape.nodes && shape.tasks % *shape.nodes == 0) {
    words.push_back(fmt::format("--ntasks-per-node={}", shape.tasks / *shape.nodes));
  }
  words.push_back(fmt::format("--cpus-per-task={}", shape.threads));
  words.push_back(fmt::format("--time={}", slurm_time(job.seconds)));
  words.push_back(fmt::format("--output=convoy-{}-%j.log", command));
  return words;
}

}  // namespace

namespace {

// The largest number of a list such as "1,2,4".
int largest_of(const std::string& flag, const std::string& list) {
  int largest = 1;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) largest = std::max(largest, number_of(flag, part));
  return largest;
}

// The cores that the largest run of a study needs of a node. Without --threads workers share those of this machine.
int cores_of_study(const SlurmJob& job, int nodes) {
  const auto threads = value_of(job.arguments, "--threads");
  if (!threads) return job.cores_of_node;
  const int workers = largest_of("--workers", value_of(job.arguments, "--workers").value_or("1"));
  return (workers + nodes - 1) / nodes * largest_of("--threads", *threads);
}

// A study runs on the first node and starts its runs, with different numbers of workers, on all nodes of the job.
std::string study_script(const SlurmJob& job) {
  Words arguments = job.arguments;
  if (take_flag(arguments, "--hosts"))
    throw UserError("a study in a job has the job's nodes: give --nodes, not --hosts");
  Words words = {"--job-name=convoy-study"};
  if (!job.partition.empty()) words.push_back(fmt::format("--partition={}", job.partition));
  const int nodes = job.nodes.value_or(1);
  words.insert(words.end(), {fmt::format("--nodes={}", nodes), fmt::format("--ntasks={}", nodes), "--ntasks-per-node=1",
                             fmt::format("--cpus-per-task={}", cores_of_study(job, nodes)), "--exclusive",
                             fmt::format("--time={}", slurm_time(job.seconds)), "--output=convoy-study-%j.log"});
  std::string text = "#!/bin/bash\n";
  for (const std::string& word : words) text += fmt::format("#SBATCH {}\n", word);
  if (job.seconds > 2 * kSecondsToPutDown) {
    text += fmt::format(
        "# Before the time is up the study puts its work down; `convoy study continue STUDY` goes on with it.\n"
        "#SBATCH --signal=B:TERM@{}\n",
        kSecondsToPutDown);
  }
  Words command = {job.program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (nodes == 1) return text + fmt::format("\nexec {}\n", shell_text(command));
  return text + fmt::format(
                    "\nhosts=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed 's/$/:{}/' | paste -sd,)\n"
                    "exec {} --hosts \"$hosts\"\n",
                    cores_of_study(job, nodes), shell_text(command));
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  check_command(job.arguments);
  check_texts(job);
  if (job.arguments.front() == "study") return study_script(job);
  Words arguments = job.arguments;
  std::erase(arguments, "--dry-run");
  const Shape shape = shape_of(job, arguments);
  std::string text = "#!/bin/bash\n";
  for (const std::string& request : requests(job, shape)) text += fmt::format("#SBATCH {}\n", request);
  if (job.arguments.front() == "train" && job.seconds > 2 * kSecondsToPutDown) {
    text += fmt::format(
        "# Before the time is up workers put their work down; `convoy train --resume` goes on with it.\n"
        "#SBATCH --signal=USR2@{}\n",
        kSecondsToPutDown);
  }
  Words command = {job.program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  text += fmt::format(
      "\nexport OMP_NUM_THREADS={0}\n"
      "exec srun --mpi=pmix --wait={3} --cpus-per-task={0} {1} --workers {2} --threads {0}\n",
      shape.threads, shell_text(command), shape.tasks, kSecondsAfterTheFirst);
  return text;
}

namespace {

struct SlurmFlags {
  std::optional<int> nodes;
  std::string time = "1h";
  std::string partition;
};

// A run that goes on has its own numbers of workers and threads, which the script must not replace by a guess.
std::vector<std::string> with_shape_of_run(std::vector<std::string> arguments) {
  const auto run = value_of(arguments, "--resume");
  if (!run || !is_run_folder(*run)) return arguments;
  TrainSettings settings;
  read_run_settings(
      *run, train_setting_list(settings), [](const std::string&) { return false; }, Altered::not_looked_for,
      [](const std::string&) {});
  const bool other_workers = value_of(arguments, "--workers") || value_of(arguments, "--hosts");
  const auto add = [&](const std::string& flag, const std::optional<int>& value) {
    if (value && !value_of(arguments, flag)) arguments.insert(arguments.end(), {flag, fmt::format("{}", *value)});
  };
  if (!other_workers) {
    add("--workers", settings.workers);
    add("--threads", settings.threads);
  }
  return arguments;
}

void print_script(const SlurmFlags& flags, const std::vector<std::string>& arguments) {
  if (flags.nodes && *flags.nodes < 1) throw UserError("--nodes must be at least 1, got {}", *flags.nodes);
  if (!arguments.empty() && arguments.front().starts_with("-")) {
    throw UserError("unknown flag {}; flags of the command to run come after its name: convoy slurm train {}",
                    arguments.front(), arguments.front());
  }
  fmt::print("{}", slurm_script({.nodes = flags.nodes,
                                 .seconds = parse_duration("--time", flags.time),
                                 .partition = flags.partition,
                                 .cores_of_node = read_machine().usable_cores,
                                 .program = std::filesystem::read_symlink("/proc/self/exe").string(),
                                 .arguments = with_shape_of_run(arguments)}));
}

}  // namespace

void add_slurm_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("slurm", "Print a batch script that runs a command on the workers of a Slurm cluster");
  const auto flags = std::make_shared<SlurmFlags>();
  command->add_option("--nodes", flags->nodes, "Machines to ask for; Slurm's choice if left out")->type_name("N");
  command->add_option("--time", flags->time, "Limit to ask for: 90s, 30m, 2h")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--partition", flags->partition, "To submit to; the cluster's default if left out")
      ->type_name("NAME");
  // The remaining words are the command line of another command.
  command->prefix_command();
  command->footer(
      "A worker gets --threads cores, in a study those of its largest run. Without --threads the nodes are taken to\n"
      "have the cores of this machine, and workers share them; a run that is resumed has the workers and threads it\n"
      "had.\n\n"
      "Examples:\n"
      "  convoy slurm --nodes 4 --time 2h train --data cifar10 --model resnet20 --workers 8 | sbatch\n"
      "  convoy slurm --nodes 2 --time 4h study scale --model resnet20 --workers 1,2,4,8 | sbatch");
  command->callback([flags, command] { print_script(*flags, command->remaining()); });
}

}  // namespace convoy::cli
