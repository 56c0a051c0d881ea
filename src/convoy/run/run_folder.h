// The folder of a run: made for a new one, opened for one that goes on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/file/writable_folder.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/record/run_info.h"
#include "convoy/record/run_writer.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/train_run.h"
#include "convoy/run/training_plan.h"
#include "convoy/sync/replica.h"
#include "convoy/train/run_choices.h"

namespace convoy {

// How much room a run may need on its disk at once, counted before it starts.

// Copies of the training's state that lie on the disk while the last of `saves` is written: those that are kept (`keep`
// and the best), the new one and, when it is the best so far too, its copy.
[[nodiscard]] std::int64_t most_copies(std::int64_t saves, int keep, bool has_best);

// Checkpoints, with the optimizer's memory, and records. `present_bytes` of checkpoints are there already, of a run
// that goes on.
[[nodiscard]] RoomNeeded room_for_run(const TrainingPlan& plan, std::int64_t present_bytes);

struct RunFolder {
  std::filesystem::path path;
  CheckpointStore checkpoints;
  std::optional<Checkpoint> start;  // where a run that goes on does so; none when it was killed before the first
  RunChoices choices;               // empty where none were given
  RunSummary earlier;               // what the summary of a run that goes on said
};

// For a new run, makes sure before anything is compiled that the folder can be written, holds no other run and has room
// for checkpoints. Throws UserError, or DataError when no checkpoint of a run to resume can be read.
[[nodiscard]] RunFolder open_run_folder(const TrainSettings& settings, const TrainingPlan& plan,
                                        const RunRequest& request);

// What a record says of the ranks.
struct RanksInfo {
  int count = 1;
  std::string all_reduce;  // empty for one
  std::vector<HostInfo> hosts;
};

// Collective: the same on all ranks but for the hosts, which only the first one learns of.
[[nodiscard]] RanksInfo describe_ranks(Replica& replica);

// The text of a network that was given as a file: for people, and for other runs. The run itself goes by its settings.
inline constexpr const char* kNetworkFile = "network.toml";

// Writes how the run was started, and its settings and choices so that it can be repeated.
[[nodiscard]] RunWriter start_record(const RunFolder& folder, const std::vector<Setting>& list,
                                     const TrainingPlan& plan, const RunChoices& choices, const RunRequest& request,
                                     const RanksInfo& ranks);

}  // namespace convoy
