#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "convoy/base/number_text.h"
#include "convoy/cli/command/doctor/checkup.h"
#include "convoy/cli/command/doctor/host_checkup.h"

namespace convoy::cli {

namespace {

void print_row(const char* name, const std::string& value) { fmt::print("{:<11}{}\n", name, value); }

std::string cores_text(const Machine& machine) {
  std::string text = fmt::format("{} usable: {} of {} CPUs allowed, on {} physical cores", machine.usable_cores,
                                 machine.allowed_cpus, machine.online_cpus, machine.allowed_cores);
  if (machine.cpu_quota) {
    text += fmt::format(", container limit {:.2g}", *machine.cpu_quota);
  }
  return text;
}

std::string threads_text(const Checkup& checkup) {
  const std::string variable = checkup.omp_num_threads ? "is " + *checkup.omp_num_threads : "is not set";
  return fmt::format("{} by OpenMP's own count (OMP_NUM_THREADS {})", checkup.backend.max_threads, variable);
}

void print_text(const Checkup& checkup, const std::vector<std::string>& problems) {
  const Machine& machine = checkup.machine;
  print_row("convoy", fmt::format("{} ({})", checkup.build.version, checkup.build.git_id));
  print_row("build", fmt::format("{}, {}", checkup.build.build_type, checkup.build.compiler));
  print_row("kernels", fmt::format("{} {}, {}", checkup.backend.library, checkup.backend.version, checkup.backend.isa));
  print_row("bf16", checkup.backend.bf16);
  print_row("processor", machine.cpu_model);
  print_row("cores", cores_text(machine));
  print_row("threads", threads_text(checkup));
  print_row("memory", fmt::format("{}, {} available", bytes_text(static_cast<double>(machine.memory_bytes)),
                                  bytes_text(static_cast<double>(machine.available_memory_bytes))));
  print_row("load", fmt::format("{:.2f} over the last minute", machine.load_average));
  print_row("cache", fmt::format("{} ({})", checkup.cache_folder.empty() ? "none" : checkup.cache_folder.string(),
                                 checkup.cache_is_writable ? "writable" : "not writable"));
  print_row("mpirun", checkup.mpirun.empty() ? "none" : checkup.mpirun.string());
  fmt::print("\n{}\n", problems.empty() ? "Nothing is wrong." : "What is wrong:");
  for (const std::string& problem : problems) {
    fmt::print("- {}\n", problem);
  }
}

void print_json(const Checkup& checkup, const std::vector<std::string>& problems) {
  const Machine& machine = checkup.machine;
  nlohmann::ordered_json json = {
      {"version", checkup.build.version},
      {"git_id", checkup.build.git_id},
      {"build_type", checkup.build.build_type},
      {"compiler", checkup.build.compiler},
      {"kernel_library", checkup.backend.library},
      {"kernel_library_version", checkup.backend.version},
      {"instruction_set", checkup.backend.isa},
      {"bf16", checkup.backend.bf16},
      {"processor", machine.cpu_model},
      {"online_cpus", machine.online_cpus},
      {"allowed_cpus", machine.allowed_cpus},
      {"allowed_cores", machine.allowed_cores},
      {"usable_cores", machine.usable_cores},
      {"threads", checkup.backend.max_threads},
      {"memory_bytes", machine.memory_bytes},
      {"available_memory_bytes", machine.available_memory_bytes},
      {"load_average", machine.load_average},
      {"cache_folder", checkup.cache_folder.string()},
      {"cache_is_writable", checkup.cache_is_writable},
      {"mpirun", checkup.mpirun.string()},
      {"problems", problems},
  };
  json["cpu_quota"] = machine.cpu_quota ? nlohmann::ordered_json(*machine.cpu_quota) : nlohmann::ordered_json();
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

void add_doctor_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("doctor", "Show this build and this machine, and what is wrong with them");
  const auto as_json = std::make_shared<bool>(false);
  const auto hosts = std::make_shared<std::string>();
  command->add_flag("--json", *as_json, "Print one JSON object");
  command
      ->add_option("--hosts", *hosts,
                   "Look at these hosts, a,b or a hostfile, and the links between them, instead of this machine")
      ->type_name("HOSTS");
  command->footer("Examples:\n  convoy doctor\n  convoy doctor --hosts node1,node2,node3");
  command->callback([as_json, hosts] {
    if (!hosts->empty()) return examine_hosts(*hosts, *as_json);
    const Checkup checkup = examine();
    const std::vector<std::string> problems = problems_of(checkup);
    *as_json ? print_json(checkup, problems) : print_text(checkup, problems);
  });
}

}  // namespace convoy::cli
