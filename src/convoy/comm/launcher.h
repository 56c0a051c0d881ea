// Finding out that the program was started by the launcher of another MPI than it is linked with. Each process then
// believes to be alone, and all of them do the same work and write the same files.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace convoy {

// The value of an environment variable, or nothing. The library itself does not read the environment.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// What is wrong and how to mend it, when the launcher says that it started several ranks and MPI sees one only
// (`mpi_size`). Nothing when they agree.
[[nodiscard]] std::optional<std::string> launcher_mismatch(const EnvironmentLookup& environment, int mpi_size);

}  // namespace convoy
