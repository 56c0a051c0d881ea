#include "convoy/cli/command/doctor/checkup.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "convoy/base/file/writable_folder.h"
#include "convoy/base/number_text.h"
#include "convoy/run/user_folders.h"

namespace convoy::cli {

namespace {

constexpr std::int64_t kLittleMemoryBytes = std::int64_t{1} << 30U;
// If more than this share of the CPUs is busy, measurements are disturbed.
constexpr double kBusyShare = 0.5;

using Problem = std::optional<std::string>;

Problem slow_build(const Checkup& checkup) {
  if (checkup.build.build_type == "Release") {
    return std::nullopt;
  }
  return fmt::format("this is a {} build, which is slow: use the release preset (`make build`)",
                     checkup.build.build_type);
}

Problem narrow_instructions(const Checkup& checkup) {
  if (checkup.machine.cpu_flags.empty() || checkup.machine.cpu_flags.contains("avx2")) {
    return std::nullopt;
  }
  return "the processor has no AVX2 (or the virtual machine hides it): training takes several times as long";
}

Problem bad_thread_variable(const Checkup& checkup) {
  if (!checkup.omp_num_threads) {
    return std::nullopt;
  }
  const std::string& text = *checkup.omp_num_threads;
  int threads = 0;
  // For a list such as "4,2" only the first level matters here.
  const std::string first = text.substr(0, text.find(','));
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), threads);
  if (error != std::errc() || end != first.data() + first.size() || threads < 1) {
    return fmt::format("OMP_NUM_THREADS is '{}', which is not a number of threads: unset it or set it to {}", text,
                       checkup.machine.usable_cores);
  }
  if (threads <= checkup.machine.usable_cores) {
    return std::nullopt;
  }
  return fmt::format(
      "OMP_NUM_THREADS is {}, more than the {} usable cores: threads would wait for each other; set it "
      "to {}",
      threads, checkup.machine.usable_cores, checkup.machine.usable_cores);
}

Problem tight_cpu_quota(const Checkup& checkup) {
  const Machine& machine = checkup.machine;
  if (!machine.cpu_quota || *machine.cpu_quota >= machine.allowed_cores) {
    return std::nullopt;
  }
  return fmt::format("the container may use {:.2g} CPUs of {} cores: give it more, or expect {} thread(s) per process",
                     *machine.cpu_quota, machine.allowed_cores, machine.usable_cores);
}

Problem little_memory(const Checkup& checkup) {
  const Machine& machine = checkup.machine;
  if (machine.memory_bytes == 0 || machine.available_memory_bytes >= kLittleMemoryBytes) {
    return std::nullopt;
  }
  return fmt::format("only {} of {} memory are available: end other programs or raise the container's limit",
                     bytes_text(static_cast<double>(machine.available_memory_bytes)),
                     bytes_text(static_cast<double>(machine.memory_bytes)));
}

Problem busy_machine(const Checkup& checkup) {
  const Machine& machine = checkup.machine;
  if (machine.load_average <= kBusyShare * machine.online_cpus) {
    return std::nullopt;
  }
  return fmt::format("the machine is busy (load average {:.1f} on {} CPUs): measurements taken now would be too slow",
                     machine.load_average, machine.online_cpus);
}

Problem locked_cache(const Checkup& checkup) {
  if (checkup.cache_is_writable) {
    return std::nullopt;
  }
  if (checkup.cache_folder.empty()) {
    return "there is no cache folder, so every run tunes its kernels anew: set XDG_CACHE_HOME or HOME";
  }
  return fmt::format(
      "the cache folder {} is not writable, so every run tunes its kernels anew: mend its permissions or "
      "set XDG_CACHE_HOME to a folder that is",
      checkup.cache_folder.string());
}

Problem no_mpirun(const Checkup& checkup) {
  if (!checkup.mpirun.empty()) {
    return std::nullopt;
  }
  return "there is no mpirun in PATH, so --workers and --hosts cannot be used: install Open MPI (Debian: openmpi-bin)";
}

// The first program of this name in PATH; empty if there is none.
std::filesystem::path program_in_path(const char* name) {
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::filesystem::path program = std::filesystem::path(folder) / name;
    if (access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

}  // namespace

Checkup examine() {
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  const std::filesystem::path cache = cache_folder();
  return {.build = build_info(),
          .backend = kernels::backend_info(),
          .machine = read_machine(),
          .omp_num_threads = threads == nullptr ? std::nullopt : std::optional<std::string>(threads),
          .cache_folder = cache,
          .cache_is_writable = !cache.empty() && is_writable_folder(cache),
          .mpirun = program_in_path("mpirun")};
}

std::vector<std::string> problems_of(const Checkup& checkup) {
  std::vector<std::string> problems;
  for (const auto& look : {slow_build, narrow_instructions, bad_thread_variable, tight_cpu_quota, little_memory,
                           busy_machine, locked_cache, no_mpirun}) {
    if (Problem problem = look(checkup)) {
      problems.push_back(std::move(*problem));
    }
  }
  return problems;
}

}  // namespace convoy::cli
