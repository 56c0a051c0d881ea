#include "convoy/data/source/stratified_split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "convoy/base/rng.h"

namespace convoy::data {

namespace {

// An arbitrary stream of its own, so that the split shares no numbers with other uses of the seed.
constexpr std::uint64_t kSplitStream = 0x73706c6974;

std::size_t test_count(std::size_t size, double fraction) {
  if (fraction <= 0 || size < 2) return 0;
  const auto wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(size)));
  return std::clamp<std::size_t>(wanted, 1, size - 1);
}

std::uint64_t lot(const SplitCandidate& sample, std::uint64_t seed) {
  const auto words = philox(seed, kSplitStream, sample.key);
  return std::uint64_t{words[0]} << 32 | words[1];
}

}  // namespace

std::vector<bool> stratified_split(std::span<const SplitCandidate> samples, double fraction, std::uint64_t seed) {
  std::map<std::int32_t, std::vector<std::pair<std::uint64_t, std::size_t>>> lots;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    lots[samples[i].label].emplace_back(lot(samples[i], seed), i);
  }
  std::vector<bool> is_test(samples.size());
  for (auto& [label, drawn] : lots) {
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t k = 0; k < test_count(drawn.size(), fraction); ++k) {
      is_test[drawn[k].second] = true;
    }
  }
  return is_test;
}

}  // namespace convoy::data
