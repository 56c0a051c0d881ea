#include "convoy/kernels/amx/patches.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "convoy/base/check.h"

namespace convoy::kernels {
namespace {

BlockedImages blocked_images(std::int64_t channels, std::int64_t height, std::int64_t width) {
  return {(channels + kTileRows - 1) / kTileRows, static_cast<int>(height), static_cast<int>(width)};
}

std::int64_t elements(std::int64_t batch, const BlockedImages& images) {
  return batch * images.blocks * images.plane_elements();
}

}  // namespace

bool Patches::exist(const ConvolutionProblem& p, Pass pass) {
  if (pass == Pass::backward_data && (p.stride_h != 1 || p.stride_w != 1)) return false;
  const std::int64_t most = std::max(elements(p.batch, blocked_images(p.in_channels, p.in_h, p.in_w)),
                                     elements(p.batch, blocked_images(p.out_channels, p.out_h, p.out_w)));
  return most <= std::numeric_limits<std::int32_t>::max();
}

Patches::Patches(const ConvolutionProblem& p, Pass pass)
    : batch_(p.batch),
      taps_(static_cast<int>(p.kernel_h * p.kernel_w)),
      source_(blocked_images(p.in_channels, p.in_h, p.in_w)),
      result_(blocked_images(p.out_channels, p.out_h, p.out_w)) {
  CONVOY_CHECK(exist(p, pass));
  const bool backwards = pass == Pass::backward_data;
  if (backwards) std::swap(source_, result_);
  const auto count = static_cast<std::size_t>(padded_pixels());
  places_.assign(static_cast<std::size_t>(taps_) * count, -1);
  for (int tap = 0; tap < taps_; ++tap) {
    const auto columns = static_cast<int>(p.kernel_w);
    find_places(p, backwards, tap / columns, tap % columns,
                std::span(places_).subspan(static_cast<std::size_t>(tap) * count, count));
  }
  own_places_.assign(count, -1);
  const std::int64_t image = std::int64_t{result_.height} * result_.width;
  for (std::int64_t pixel = 0; pixel < pixels(); ++pixel) {
    own_places_[static_cast<std::size_t>(pixel)] =
        static_cast<std::int32_t>(result_.offset(pixel / image, 0) + pixel % image * kTileRows);
  }
}

void Patches::find_places(const ConvolutionProblem& p, bool backwards, int tap_row, int tap_column,
                          std::span<std::int32_t> places) const {
  const std::int64_t down = tap_row * p.dilation_h - p.pad_top;
  const std::int64_t right = tap_column * p.dilation_w - p.pad_left;
  std::size_t pixel = 0;
  for (std::int64_t sample = 0; sample < batch_; ++sample) {
    for (std::int64_t row = 0; row < result_.height; ++row) {
      for (std::int64_t column = 0; column < result_.width; ++column, ++pixel) {
        const std::int64_t y = backwards ? row - down : row * p.stride_h + down;
        const std::int64_t x = backwards ? column - right : column * p.stride_w + right;
        if (y < 0 || y >= source_.height || x < 0 || x >= source_.width) continue;
        places[pixel] = static_cast<std::int32_t>(source_.offset(sample, 0) + (y * source_.width + x) * kTileRows);
      }
    }
  }
}

}  // namespace convoy::kernels
