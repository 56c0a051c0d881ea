// A batch script for Slurm that runs a command of Convoy on many workers. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convoy::cli {

// What the script asks Slurm for.
struct SlurmJob {
  std::optional<int> nodes;            // Slurm's choice
  double seconds = 3600;               // the limit
  std::string partition;               // Slurm's default
  int cores_of_node = 1;               // what a node is taken to have, where workers share its cores
  std::string program;                 // absolute path, the same on all nodes
  std::vector<std::string> arguments;  // "train", "--workers", ...
};

// --workers become tasks, --threads the cores of each; --hosts become the nodes: their number, or their names. What the
// script takes over is not repeated to the workers. Throws UserError for a command that does not run on workers, for
// numbers that are none, and for names and arguments that would add lines or requests to the script.
[[nodiscard]] std::string slurm_script(const SlurmJob& job);

}  // namespace convoy::cli
