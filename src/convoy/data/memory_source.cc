#include "convoy/data/memory_source.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/data/image_resize.h"

namespace convoy::data {

MemorySource::MemorySource(std::string name, Shape shape, std::vector<std::string> classes, Samples train, Samples test,
                           ChannelStatistics statistics)
    : name_(std::move(name)),
      shape_(std::move(shape)),
      classes_(std::move(classes)),
      train_(std::move(train)),
      test_(std::move(test)),
      statistics_(std::move(statistics)) {
  const auto image_bytes = static_cast<std::size_t>(shape_.count());
  CONVOY_CHECK_EQ(train_.pixels.size(), train_.labels.size() * image_bytes);
  CONVOY_CHECK_EQ(test_.pixels.size(), test_.labels.size() * image_bytes);
}

std::int64_t MemorySource::size(Split split) const { return static_cast<std::int64_t>(samples(split).labels.size()); }

std::int32_t MemorySource::label(Split split, std::int64_t i) const {
  return samples(split).labels.at(static_cast<std::size_t>(i));
}

void MemorySource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  const auto image = view(split, i);
  CONVOY_CHECK_EQ(pixels.size(), image.size());
  std::copy(image.begin(), image.end(), pixels.begin());
}

std::span<const std::uint8_t> MemorySource::view(Split split, std::int64_t i) const {
  CONVOY_CHECK(i >= 0 && i < size(split));
  const auto image_bytes = static_cast<std::size_t>(shape_.count());
  return std::span(samples(split).pixels).subspan(static_cast<std::size_t>(i) * image_bytes, image_bytes);
}

Samples resized(const Samples& samples, const Shape& shape, std::int64_t size) {
  const auto planes = samples.labels.size() * static_cast<std::size_t>(shape[0]);
  const auto old_bytes = static_cast<std::size_t>(shape[1] * shape[2]);
  const auto new_bytes = static_cast<std::size_t>(size * size);
  Samples result{.pixels = Bytes(planes * new_bytes), .labels = samples.labels};
  ImageResizer resizer;
  for (std::size_t plane = 0; plane < planes; ++plane) {
    const PixelView view{.pixels = std::span(samples.pixels).subspan(plane * old_bytes, old_bytes),
                         .width = static_cast<int>(shape[2]),
                         .height = static_cast<int>(shape[1]),
                         .channels = 1};
    resizer.resize_and_crop(view, static_cast<int>(size), static_cast<int>(size),
                            std::span(result.pixels).subspan(plane * new_bytes, new_bytes));
  }
  return result;
}

}  // namespace convoy::data
