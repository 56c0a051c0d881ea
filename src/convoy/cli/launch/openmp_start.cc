#include "convoy/cli/launch/openmp_start.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace convoy::cli {
namespace {

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

// Returns whether the variable is one of the process now and was not before.
bool limit_spinning() {
  // Four to six milliseconds: longer than the scheduler lets a thread wait whose core another program uses, which is
  // three. A thread that sleeps in less time than that does so at every such wait, and waking up takes longer still.
  // Both limits were measured (docs/performance.md).
  constexpr const char* kSpins = "200000";
  if (is_set("GOMP_SPINCOUNT") || is_set("OMP_WAIT_POLICY")) return false;
  return setenv("GOMP_SPINCOUNT", kSpins, 0) == 0;
}

// The CPUs of all places that OpenMP would bind threads to.
std::vector<int> cpus_of_places() {
  std::vector<int> all;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> cpus(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, cpus.data());
    all.insert(all.end(), cpus.begin(), cpus.end());
  }
  return all;
}

void allow(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  const auto count = static_cast<std::size_t>(*std::ranges::max_element(cpus)) + 1;
  cpu_set_t* const set = CPU_ALLOC(count);
  if (set == nullptr) return;
  const std::size_t bytes = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  (void)sched_setaffinity(0, bytes, set);
  CPU_FREE(set);
}

// Returns whether there were variables that bound threads.
bool release_threads() {
  constexpr std::array kBinding = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"};
  if (omp_get_proc_bind() == omp_proc_bind_false || std::ranges::none_of(kBinding, is_set)) return false;
  allow(cpus_of_places());
  for (const char* const variable : kBinding) unsetenv(variable);
  return true;
}

}  // namespace

void start_openmp(char** argv) {
  const bool limited = limit_spinning();
  const bool released = release_threads();
  if (!limited && !released) return;
  // By its real name if possible, because that is what top and killall know the process by.
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) (void)execv(program.c_str(), argv);
  (void)execv("/proc/self/exe", argv);
  // If this fails, training still works, but not always as fast.
}

}  // namespace convoy::cli
