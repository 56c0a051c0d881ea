// Makes a batch script for Slurm that runs a command of Convoy on many workers. A pure function.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace convoy::cli {

// What the script asks Slurm for.
struct SlurmJob {
  std::optional<int> nodes;            // default: Slurm decides
  double seconds = 3600;               // the time limit
  std::string partition;               // empty: Slurm's default
  int cores_of_node = 1;               // how many cores a node is assumed to have, if workers share them
  std::string program;                 // an absolute path that is the same on all nodes
  std::vector<std::string> arguments;  // "train", "--workers", ...
};

// --workers becomes the number of tasks, --threads the cores per task, and --hosts the nodes, by number or name. These
// flags are not passed on to the workers. Throws UserError for a command that does not run on workers, for invalid
// numbers, and for names and arguments that would add lines or requests to the script.
[[nodiscard]] std::string slurm_script(const SlurmJob& job);

}  // namespace convoy::cli
