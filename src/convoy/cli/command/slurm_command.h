// `convoy slurm`: prints the batch script that runs another command on a cluster.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_slurm_command(CLI::App& app);

}  // namespace convoy::cli
