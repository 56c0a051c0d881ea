// The folder of a run: created for a new run, opened for one that goes on.
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

// How much room on the disk a run may need at once, computed before it starts.

// How many copies of the training's state are on the disk while the last of `saves` checkpoints is written: those that
// are kept (`keep` and the best), the new one and, if that is the best so far, its copy.
[[nodiscard]] std::int64_t most_copies(std::int64_t saves, int keep, bool has_best);

// The room for checkpoints, including the optimizer's state, and records. `present_bytes` is the size of checkpoints
// that a run that goes on has already.
[[nodiscard]] RoomNeeded room_for_run(const TrainingPlan& plan, std::int64_t present_bytes);

struct RunFolder {
  std::filesystem::path path;
  CheckpointStore checkpoints;
  std::optional<Checkpoint> start;  // where a run goes on; no value when it was killed before its first checkpoint
  RunChoices choices;               // empty if none were given
  data::SourceDigest data;          // of the plan's source
  RunSummary earlier;               // the summary that a run that goes on had before
};

// For a new run, checks before anything is compiled that the folder can be written, contains no other run and has room
// for checkpoints. Throws UserError, or DataError when no checkpoint of a run that is resumed can be read.
[[nodiscard]] RunFolder open_run_folder(const TrainSettings& settings, const TrainingPlan& plan,
                                        const RunRequest& request);

// What a record says about the ranks.
struct RanksInfo {
  int count = 1;
  std::string all_reduce;  // empty for one rank
  std::vector<HostInfo> hosts;
};

// Collective: the same on all ranks, except that only the first one gets the hosts.
[[nodiscard]] RanksInfo describe_ranks(Replica& replica);

// The text of a network that was given as a file, for people and for other runs. The run itself uses its settings.
inline constexpr const char* kNetworkFile = "network.toml";

// Writes how the run was started, and its settings and choices, so that it can be repeated.
[[nodiscard]] RunWriter start_record(const RunFolder& folder, const std::vector<Setting>& list,
                                     const TrainingPlan& plan, const RunChoices& choices, const RunRequest& request,
                                     const RanksInfo& ranks);

}  // namespace convoy
