#include "convoy/cli/launch/rank_environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace convoy::cli {
namespace {

struct Names {
  const char* rank;
  const char* size;
};

constexpr std::array kMpiLaunchers = {
    Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    Names{"PMI_RANK", "PMI_SIZE"},
    Names{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
};
// Slurm sets these for everything it starts, so they prove little by themselves.
constexpr Names kSlurm = {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};

std::optional<int> number_in(const EnvironmentLookup& environment, const char* name) {
  const std::optional<std::string> text = environment(name);
  if (!text) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<LaunchedRank> launched_rank(const EnvironmentLookup& environment) {
  for (const Names& names : kMpiLaunchers) {
    const auto size = number_in(environment, names.size);
    if (size && *size > 0) return LaunchedRank{number_in(environment, names.rank).value_or(0), *size};
  }
  const int tasks = number_in(environment, kSlurm.size).value_or(0);
  // `srun --mpi=pmix`, and other launchers that only support PMIx.
  if (const auto rank = number_in(environment, "PMIX_RANK")) return LaunchedRank{*rank, tasks};
  // A task of srun that was not told about the others. A single task is meant to be alone.
  if (tasks > 1) return LaunchedRank{number_in(environment, kSlurm.rank).value_or(0), tasks};
  return std::nullopt;
}

bool started_as_rank() { return launched_rank(environment_variable).has_value(); }

void let_earlier_ranks_speak() {
  // When a rank ends, mpirun takes a second to end the others.
  constexpr auto kAtLeast = std::chrono::milliseconds(2000);
  constexpr auto kPerRank = std::chrono::milliseconds(300);
  constexpr int kMostRanks = 10;
  const auto launched = launched_rank(environment_variable);
  if (!launched || launched->rank == 0) return;
  std::this_thread::sleep_for(kAtLeast + kPerRank * std::min(launched->rank, kMostRanks));
}

bool first_speaks_for_all() {
  const auto launched = launched_rank(environment_variable);
  return launched && launched->rank > 0 && !environment_variable("PMIX_RANK");
}

}  // namespace convoy::cli
