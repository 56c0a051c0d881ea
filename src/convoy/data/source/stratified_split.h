// Chooses which samples of each class are kept for testing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace convoy::data {

struct SplitCandidate {
  std::int32_t label = 0;
  std::uint64_t key = 0;  // names the sample whatever else is in the data: a hash of its file's name
};

// For each sample whether it is for testing: of each class the rounded share `fraction`, but at least one (when the
// fraction is not zero) and never all. A sample's lot depends on seed and key, so that a new file moves few others.
[[nodiscard]] std::vector<bool> stratified_split(std::span<const SplitCandidate> samples, double fraction,
                                                 std::uint64_t seed);

}  // namespace convoy::data
