#include "convoy/comm/launcher.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace convoy {
namespace {

struct Launcher {
  const char* variable;
  const char* name;
  const char* advice;
};

// SLURM_NTASKS is not used: a batch script has it too, and a single process that is started there is meant to be alone.
constexpr std::array kLaunchers = {
    Launcher{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", "use the mpirun of the Open MPI that Convoy is linked with"},
    Launcher{"PMI_SIZE", "mpirun of MPICH or Intel MPI", "use the mpirun of Open MPI"},
    Launcher{"MV2_COMM_WORLD_SIZE", "mpirun of MVAPICH", "use the mpirun of Open MPI"},
    Launcher{"SLURM_STEP_NUM_TASKS", "srun", "use `srun --mpi=pmix`, or mpirun inside the allocation"},
};

int number_in(const std::optional<std::string>& text) {
  int number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace

std::optional<std::string> launcher_mismatch(const EnvironmentLookup& environment, int mpi_size) {
  if (mpi_size != 1) return std::nullopt;
  for (const Launcher& launcher : kLaunchers) {
    const int started = number_in(environment(launcher.variable));
    if (started > 1) {
      return fmt::format(
          "{} started {} ranks ({}={}), but each of them is alone: the launcher does not match the MPI "
          "that Convoy is linked with; {}",
          launcher.name, started, launcher.variable, started, launcher.advice);
    }
  }
  return std::nullopt;
}

}  // namespace convoy
