// Notices that the program was started by the launcher of another MPI than the one it is linked with. Each process
// would then believe it is alone, and all of them would do the same work and write the same files.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace convoy {

// Returns the value of an environment variable, or no value. The library itself does not read the environment.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// When the launcher says that it started several ranks but MPI sees only one (`mpi_size`): what is wrong and how to fix
// it. No value when they agree.
[[nodiscard]] std::optional<std::string> launcher_mismatch(const EnvironmentLookup& environment, int mpi_size);

}  // namespace convoy
