#include "convoy/data/augment/augmenter.h"

#include <algorithm>
#include <numeric>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/rng.h"
#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/crop.h"

namespace convoy::data {
namespace {

// Keeps these draws independent of others with the same seed.
constexpr std::uint64_t kAugmentStream = 0x617567656d656e74;

// Each epoch has its own key, and each appearance in it its own stream.
Rng rng_of(std::uint64_t seed, const Appearance& appearance) {
  CONVOY_CHECK_LT(appearance.sample, std::int64_t{1} << 48U);
  CONVOY_CHECK_LT(appearance.instance, 1 << 16U);
  const auto words = philox(seed, kAugmentStream, static_cast<std::uint64_t>(appearance.epoch));
  const std::uint64_t key = std::uint64_t{words[0]} << 32U | words[1];
  return Rng(key,
             static_cast<std::uint64_t>(appearance.sample) << 16U | static_cast<std::uint64_t>(appearance.instance));
}

float mean_of(std::span<const std::uint8_t> bytes) {
  const std::uint64_t sum = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(bytes.size()));
}

}  // namespace

Augmenter::Augmenter(const AugmentOptions& options, const Shape& image, const ChannelStatistics& statistics,
                     std::uint64_t seed)
    : options_(options), levels_(normalisation(statistics)), seed_(seed) {
  if (image.rank() != 3) throw UserError("only images CxHxW can be augmented, not {}", image.to_string());
  channels_ = static_cast<int>(image[0]);
  height_ = static_cast<int>(image[1]);
  width_ = static_cast<int>(image[2]);
  validate_for(options, image);
  if (levels_.size() != static_cast<std::size_t>(channels_)) {
    throw UserError("images of {} cannot be normalised by the statistics of {} channels", image.to_string(),
                    levels_.size());
  }
}

void Augmenter::require_image(std::size_t bytes, std::size_t values) const {
  const auto count = static_cast<std::size_t>(channels_) * static_cast<std::size_t>(height_) * width_;
  if (bytes == count && values == count) return;
  throw UserError("an image of {}x{}x{} has {} pixels, got {} bytes and room for {} values", channels_, height_, width_,
                  count, bytes, values);
}

Transform Augmenter::transform(const Appearance& appearance) const {
  Rng rng = rng_of(seed_, appearance);
  return draw_transform(options_, height_, width_, rng);
}

void Augmenter::apply(std::span<const std::uint8_t> bytes, const Appearance& appearance, std::span<float> values,
                      Scratch& scratch) const {
  const Pixels image{.bytes = bytes.data(), .channels = channels_, .height = height_, .width = width_};
  require_image(bytes.size(), values.size());
  const Transform drawn = transform(appearance);
  const std::span<const Levels> levels = coloured_levels(drawn, bytes, scratch);
  if (drawn.whole_pixels) {
    const Crop how{.dx = drawn.dx, .dy = drawn.dy, .flip = drawn.flip, .border = options_.border};
    crop(image, how, levels, values.data(), scratch.mirror);
  } else {
    resample(image, drawn.map, options_.border, levels, values.data(), scratch.resample);
  }
  for (const Hole& hole : drawn.holes) cut_out(hole, values);
}

void Augmenter::normalise(std::span<const std::uint8_t> bytes, std::span<float> values) const {
  require_image(bytes.size(), values.size());
  const std::int64_t plane = static_cast<std::int64_t>(height_) * width_;
  for (std::int64_t c = 0; c < channels_; ++c) {
    apply_levels(levels_[static_cast<std::size_t>(c)], bytes.data() + c * plane, values.data() + c * plane, plane);
  }
}

std::span<const Levels> Augmenter::coloured_levels(const Transform& transform, std::span<const std::uint8_t> bytes,
                                                   Scratch& scratch) const {
  if (options_.brightness == 0 && options_.contrast == 0) return levels_;
  const float mean = options_.contrast > 0 ? mean_of(bytes) : 0;
  scratch.levels.clear();
  for (const Levels& levels : levels_) {
    scratch.levels.push_back(coloured(levels, transform.brightness, transform.contrast, mean));
  }
  return scratch.levels;
}

void Augmenter::cut_out(const Hole& hole, std::span<float> values) const {
  const int left = std::max(hole.left, 0);
  const int right = std::min(hole.left + hole.size, width_);
  const int top = std::max(hole.top, 0);
  const int bottom = std::min(hole.top + hole.size, height_);
  for (int c = 0; c < channels_; ++c) {
    for (int y = top; y < bottom; ++y) {
      float* const row = values.data() + (static_cast<std::int64_t>(c) * height_ + y) * width_;
      std::fill(row + left, row + right, 0.0F);
    }
  }
}

}  // namespace convoy::data
