#include "convoy/data/source/memory_source.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/data/image/image_resize.h"

namespace convoy::data {
namespace {

// Checks that every label is a class and that every image is complete.
void require_whole(const std::string& source, const char* split, const Samples& samples, const Shape& shape,
                   std::size_t classes) {
  const std::size_t needed = samples.labels.size() * static_cast<std::size_t>(shape.count());
  if (samples.pixels.size() != needed) {
    throw UserError("{}: {} {} images of {} are {} bytes, got {}", source, samples.labels.size(), split,
                    shape.to_string(), needed, samples.pixels.size());
  }
  const auto wrong = std::ranges::find_if(
      samples.labels, [&](std::int32_t label) { return label < 0 || static_cast<std::size_t>(label) >= classes; });
  if (wrong == samples.labels.end()) return;
  throw UserError("{}: {} sample {} has label {}, but there are {} classes", source, split,
                  wrong - samples.labels.begin(), *wrong, classes);
}

}  // namespace

MemorySource::MemorySource(std::string name, Shape shape, std::vector<std::string> classes, Samples train, Samples test,
                           ChannelStatistics statistics)
    : name_(std::move(name)),
      shape_(std::move(shape)),
      classes_(std::move(classes)),
      train_(std::move(train)),
      test_(std::move(test)),
      statistics_(std::move(statistics)) {
  require_whole(name_, "training", train_, shape_, classes_.size());
  require_whole(name_, "test", test_, shape_, classes_.size());
}

std::int64_t MemorySource::size(Split split) const { return static_cast<std::int64_t>(samples(split).labels.size()); }

std::int32_t MemorySource::label(Split split, std::int64_t i) const {
  require_sample(split, i);
  return samples(split).labels[static_cast<std::size_t>(i)];
}

void MemorySource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  const auto image = view(split, i);
  require_room(pixels.size());
  std::copy(image.begin(), image.end(), pixels.begin());
}

std::span<const std::uint8_t> MemorySource::view(Split split, std::int64_t i) const {
  require_sample(split, i);
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
