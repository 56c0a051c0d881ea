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

// Options that do not change the run's numbers.
struct RunRequest {
  std::vector<std::string> command_line;
  bool resumes = false;          // continue the run in settings.run_dir
  bool accepts_altered = false;  // continue even if the kernels in its folder were altered
  ThreadWish threads;
  Remarks remarks;
  // Called on every rank when the run is planned, before anything is written.
  std::function<void()> on_planned;
  // Called on the first rank when the run has its folder.
  std::function<void(const std::filesystem::path&)> on_folder;
  // Makes an observer of the training on the first rank; may be empty or return null.
  std::function<std::unique_ptr<Observer>(std::int64_t epochs, std::int64_t steps)> make_observer;
  // Called after each step; a result other than 0, the number of a signal, ends the run with a checkpoint. Ranks may
  // disagree.
  std::function<int()> asked_to_stop;
};

// Describes a run that was asked to stop.
struct Interruption {
  int signal = 0;  // the largest that any rank received
  std::int64_t step = 0;
  std::optional<std::int64_t> newest_checkpoint;  // its step; only known to the first rank
};

struct FinishedRun {
  std::filesystem::path folder;
  RunSummary summary;
  std::optional<Interruption> interruption;
};

// Trains, and writes the record and checkpoints to the run's folder. `list` must be the list for `settings`; settings
// that are left open are filled in. Before anything is written, throws UserError or DataError for what cannot be
// trained; throws DivergedError when training diverges.
//
// Collective. Only the first rank has a folder and writes the record; other ranks return an empty run.
[[nodiscard]] FinishedRun train_run(TrainSettings& settings, const std::vector<Setting>& list,
                                    const RunRequest& request, Communicator& communicator);

// The same in this process alone, for programs that train: `settings` need data and model; everything else may be left
// out.
[[nodiscard]] FinishedRun train_run(TrainSettings settings, const RunRequest& request = {});

}  // namespace convoy
