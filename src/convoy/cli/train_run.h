// One training run from its settings to its summary.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/cli/fair_threads.h"
#include "convoy/cli/progress_display.h"
#include "convoy/cli/train_settings.h"
#include "convoy/comm/communicator.h"
#include "convoy/record/run_summary.h"

namespace convoy::cli {

// What changes nothing about the run's numbers.
struct RunRequest {
  std::vector<std::string> command_line;
  bool resumes = false;          // goes on with the run in settings.run_dir
  bool accepts_altered = false;  // and with kernels that were altered in its folder
  ThreadWish threads;
  DisplayKind display = DisplayKind::full;
};

struct FinishedRun {
  std::filesystem::path folder;
  RunSummary summary;
};

// Trains, keeping record and checkpoints in the run's folder. `list` are `settings` as a list; what they leave open is
// filled in. Throws what cannot be trained as UserError or DataError before anything is written, DivergedError when
// training diverged, and Interrupted after a signal, with a checkpoint written.
//
// Collective. Only the first rank has a folder, keeps the record and prints.
[[nodiscard]] FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list,
                                    const RunRequest& request, Communicator& communicator);

}  // namespace convoy::cli
