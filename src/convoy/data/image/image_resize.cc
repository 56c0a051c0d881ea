#include "convoy/data/image/image_resize.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"

namespace convoy::data {

namespace {

[[gnu::always_inline]] inline void split_rgb(const std::uint8_t* __restrict from, std::size_t columns,
                                             std::size_t plane_bytes, std::uint8_t* __restrict to) {
  for (std::size_t x = 0; x < columns; ++x) {
    to[x] = from[3 * x];
    to[plane_bytes + x] = from[3 * x + 1];
    to[2 * plane_bytes + x] = from[3 * x + 2];
  }
}

// A version for AVX2, because the baseline instruction set cannot shuffle bytes.
[[gnu::target("avx2")]] void split_rgb_with_avx2(const std::uint8_t* from, std::size_t columns, std::size_t plane_bytes,
                                                 std::uint8_t* to) {
  split_rgb(from, columns, plane_bytes, to);
}

void split_row(const std::uint8_t* from, std::size_t channels, std::size_t columns, std::size_t plane_bytes,
               std::uint8_t* to) {
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
  if (channels == 3) {
    kHasAvx2 ? split_rgb_with_avx2(from, columns, plane_bytes, to) : split_rgb(from, columns, plane_bytes, to);
    return;
  }
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t x = 0; x < columns; ++x) {
      to[c * plane_bytes + x] = from[x * channels + c];
    }
  }
}

void split_planes(const PixelView& image, int top, int left, int height, int width, std::uint8_t* planes) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const auto columns = static_cast<std::size_t>(width);
  const std::size_t plane_bytes = static_cast<std::size_t>(height) * columns;
  for (int y = 0; y < height; ++y) {
    const std::size_t first =
        static_cast<std::size_t>(top + y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(left);
    split_row(image.pixels.data() + first * channels, channels, columns, plane_bytes,
              planes + static_cast<std::size_t>(y) * columns);
  }
}

int scaled_side(int side, double scale, int at_least) {
  return std::max(at_least, static_cast<int>(std::lround(side * scale)));
}

}  // namespace

void ImageResizer::plan(int from, int scaled, int to, Axis& axis) {
  const double step = static_cast<double>(from) / scaled;  // source pixels per scaled pixel
  const double reach = std::max(1.0, step);
  const int offset = (scaled - to) / 2;
  axis.taps.clear();
  axis.weights.clear();
  for (int i = 0; i < to; ++i) {
    const double centre = (i + offset + 0.5) * step;
    const int first = std::max(0, static_cast<int>(std::lround(centre - reach)));
    const int end = std::min(from, static_cast<int>(std::lround(centre + reach)));
    const Taps taps{.first = first, .count = end - first, .weights = axis.weights.size()};
    double sum = 0;
    for (int k = first; k < end; ++k) {
      const double weight = std::max(0.0, 1.0 - std::abs(k + 0.5 - centre) / reach);
      axis.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (std::size_t k = taps.weights; k < axis.weights.size(); ++k) {
      axis.weights[k] = static_cast<float>(axis.weights[k] / sum);
    }
    axis.taps.push_back(taps);
  }
}

// Blends rows before columns: rows are contiguous whatever the number of channels, so the loop can be vectorised.
void ImageResizer::blend_rows(const PixelView& image, const Taps& taps) {
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t begin = static_cast<std::size_t>(columns_.taps.front().first) * channels;
  const std::size_t end = static_cast<std::size_t>(columns_.taps.back().first + columns_.taps.back().count) * channels;
  const std::size_t pitch = static_cast<std::size_t>(image.width) * channels;
  std::fill(row_.begin() + static_cast<std::ptrdiff_t>(begin), row_.begin() + static_cast<std::ptrdiff_t>(end), 0.0F);
  for (int k = 0; k < taps.count; ++k) {
    const float weight = rows_.weights[taps.weights + static_cast<std::size_t>(k)];
    const std::uint8_t* const from = image.pixels.data() + static_cast<std::size_t>(taps.first + k) * pitch;
    float* const to = row_.data();
    for (std::size_t x = begin; x < end; ++x) {
      to[x] += weight * static_cast<float>(from[x]);
    }
  }
}

void ImageResizer::blend_columns(int channels, int width, std::uint8_t* out, std::size_t plane_bytes) const {
  const auto stride = static_cast<std::size_t>(channels);
  for (int x = 0; x < width; ++x) {
    const Taps& taps = columns_.taps[static_cast<std::size_t>(x)];
    const float* const weights = columns_.weights.data() + taps.weights;
    for (std::size_t c = 0; c < stride; ++c) {
      const float* const from = row_.data() + static_cast<std::size_t>(taps.first) * stride + c;
      float sum = 0.5F;
      for (std::size_t k = 0; k < static_cast<std::size_t>(taps.count); ++k) {
        sum += weights[k] * from[k * stride];
      }
      out[c * plane_bytes + static_cast<std::size_t>(x)] = static_cast<std::uint8_t>(std::clamp(sum, 0.0F, 255.0F));
    }
  }
}

void ImageResizer::resize_and_crop(const PixelView& image, int height, int width, std::span<std::uint8_t> planes) {
  const std::size_t plane_bytes = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  CONVOY_CHECK_EQ(planes.size(), plane_bytes * static_cast<std::size_t>(image.channels));
  const double scale = std::max(static_cast<double>(height) / image.height, static_cast<double>(width) / image.width);
  const int scaled_height = scaled_side(image.height, scale, height);
  const int scaled_width = scaled_side(image.width, scale, width);
  if (scaled_height == image.height && scaled_width == image.width) {
    split_planes(image, (image.height - height) / 2, (image.width - width) / 2, height, width, planes.data());
    return;
  }
  plan(image.height, scaled_height, height, rows_);
  plan(image.width, scaled_width, width, columns_);
  row_.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels));
  for (int y = 0; y < height; ++y) {
    blend_rows(image, rows_.taps[static_cast<std::size_t>(y)]);
    blend_columns(image.channels, width, planes.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width),
                  plane_bytes);
  }
}

}  // namespace convoy::data
