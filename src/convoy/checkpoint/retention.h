// Which checkpoints go when a new one was saved.
#pragma once

#include <cstdint>
#include <vector>

namespace convoy {

// Of the checkpoints of these steps, after the one of step `saved` was saved: all but the newest `keep` up to it, and
// all beyond it, which belong to a past that was given up. `keep` is at least one.
[[nodiscard]] std::vector<std::int64_t> superseded_steps(std::vector<std::int64_t> steps, std::int64_t saved, int keep);

}  // namespace convoy
