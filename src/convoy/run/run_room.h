// How much room a run may need on its disk at once, counted before it starts.
#pragma once

#include <cstdint>

#include "convoy/base/file/writable_folder.h"
#include "convoy/run/training_plan.h"

namespace convoy {

// Copies of the training's state that lie on the disk while the last of `saves` is written: those that are kept (`keep`
// and the best), the new one and, when it is the best so far too, its copy.
[[nodiscard]] std::int64_t most_copies(std::int64_t saves, int keep, bool has_best);

// Checkpoints, with the optimizer's memory, and records. `present_bytes` of checkpoints are there already, of a run
// that goes on.
[[nodiscard]] RoomNeeded room_for_run(const TrainingPlan& plan, std::int64_t present_bytes);

}  // namespace convoy
