#include "convoy/data/augment/levels.h"

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy::data {
namespace {

[[gnu::always_inline]] inline void apply(const Levels& levels, const std::uint8_t* __restrict bytes,
                                         float* __restrict values, std::int64_t count) {
  // A copy stays in registers: the compiler must assume that `values` overlaps the original.
  const Levels copy = levels;
  for (std::int64_t i = 0; i < count; ++i) values[i] = copy(bytes[i]);
}

// The same arithmetic in wider vectors. It does not use the fused multiply-add of such processors, which rounds
// differently: a sample must look the same on every machine.
[[gnu::target("avx2")]] void apply_with_avx2(const Levels& levels, const std::uint8_t* bytes, float* values,
                                             std::int64_t count) {
  apply(levels, bytes, values, count);
}

}  // namespace

std::vector<Levels> normalisation(const ChannelStatistics& statistics) {
  if (statistics.mean.size() != statistics.deviation.size()) {
    throw UserError("channel statistics have {} means and {} deviations", statistics.mean.size(),
                    statistics.deviation.size());
  }
  std::vector<Levels> levels;
  levels.reserve(statistics.mean.size());
  for (std::size_t c = 0; c < statistics.mean.size(); ++c) {
    const float deviation = statistics.deviation[c] > 0 ? statistics.deviation[c] : 1;
    levels.push_back({.scale = 1 / (255 * deviation), .offset = -statistics.mean[c] / deviation});
  }
  return levels;
}

Levels coloured(const Levels& levels, float brightness, float contrast, float mean) {
  CONVOY_CHECK_LT(0.0F, brightness);
  CONVOY_CHECK_LT(0.0F, contrast);
  // contrast (brightness b - brightness mean) + brightness mean
  const float gain = contrast * brightness;
  const float bias = (1 - contrast) * brightness * mean;
  return {.low = (0 - bias) / gain,
          .high = (255 - bias) / gain,
          .scale = levels.scale * gain,
          .offset = levels.scale * bias + levels.offset};
}

void apply_levels(const Levels& levels, const std::uint8_t* bytes, float* values, std::int64_t count) {
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
  kHasAvx2 ? apply_with_avx2(levels, bytes, values, count) : apply(levels, bytes, values, count);
}

}  // namespace convoy::data
