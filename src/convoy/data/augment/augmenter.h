// Turns the bytes of a sample into the floats that a network reads: moves, colours, normalises and cuts out in one go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/levels.h"
#include "convoy/data/augment/resample.h"
#include "convoy/data/augment/transform.h"
#include "convoy/data/source/source.h"
#include "convoy/tensor/shape.h"

namespace convoy::data {

// One appearance of a sample in training. Everything that is drawn for it follows from these numbers and the seed, so
// it looks the same whichever rank or thread makes it.
struct Appearance {
  std::int64_t epoch = 0;
  std::int64_t sample = 0;  // below 2^48
  int instance = 0;         // below 2^16
};

// Thread rule: immutable; each thread brings its own Scratch.
class Augmenter {
 public:
  struct Scratch {
    ResampleScratch resample;
    std::vector<std::uint8_t> mirror;
    std::vector<Levels> levels;
  };

  // Throws UserError for options out of range, and unless `image` is CxHxW and `statistics` has C entries.
  Augmenter(const AugmentOptions& options, const Shape& image, const ChannelStatistics& statistics, std::uint64_t seed);

  // Here and below, `bytes` and `values` have image.count() elements; otherwise throws UserError.
  void apply(std::span<const std::uint8_t> bytes, const Appearance& appearance, std::span<float> values,
             Scratch& scratch) const;

  // Only normalises, as for test data.
  void normalise(std::span<const std::uint8_t> bytes, std::span<float> values) const;

  // The transform that apply() uses for this appearance.
  [[nodiscard]] Transform transform(const Appearance& appearance) const;

 private:
  void require_image(std::size_t bytes, std::size_t values) const;
  [[nodiscard]] std::span<const Levels> coloured_levels(const Transform& transform, std::span<const std::uint8_t> bytes,
                                                        Scratch& scratch) const;
  void cut_out(const Hole& hole, std::span<float> values) const;

  AugmentOptions options_;
  int channels_, height_, width_;
  std::vector<Levels> levels_;
  std::uint64_t seed_;
};

}  // namespace convoy::data
