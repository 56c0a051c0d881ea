// One training run from its settings to its summary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/record/run_summary.h"
#include "convoy/run/fair_threads.h"
#include "convoy/run/remarks.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/train/observer.h"

namespace convoy {

// What changes nothing about the run's numbers.
struct RunRequest {
  std::vector<std::string> command_line;
  bool resumes = false;          // goes on with the run in settings.run_dir
  bool accepts_altered = false;  // and with kernels that were altered in its folder
  ThreadWish threads;
  Remarks remarks;
  // Called on every rank when the run is planned and nothing of it is written yet.
  std::function<void()> on_planned;
  // Called on the first rank when the run has its folder.
  std::function<void(const std::filesystem::path&)> on_folder;
  // Makes what watches the training on the first rank, if anything does.
  std::function<std::unique_ptr<Observer>(std::int64_t epochs, std::int64_t steps)> make_observer;
  // Asked after each step; a number other than 0, a signal's, ends the run with a checkpoint. Ranks need not agree.
  std::function<int()> asked_to_stop;
};

// A run that was asked to stop.
struct Interruption {
  int signal = 0;  // the largest that a rank was given
  std::int64_t step = 0;
  std::optional<std::int64_t> newest_checkpoint;  // its step; known to the first rank
};

struct FinishedRun {
  std::filesystem::path folder;
  RunSummary summary;
  std::optional<Interruption> interruption;
};

// Trains, keeping record and checkpoints in the run's folder. `list` are `settings` as a list; what they leave open is
// filled in. Throws what cannot be trained as UserError or DataError before anything is written, and DivergedError when
// training diverged.
//
// Collective. Only the first rank has a folder and keeps the record; other ranks return an empty run.
[[nodiscard]] FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list,
                                    const RunRequest& request, Communicator& communicator);

// The same in this process alone, for programs that train: `settings` need data and model, and all else may be left
// out.
[[nodiscard]] FinishedRun train_run(TrainSettings settings, const RunRequest& request = {});

}  // namespace convoy
