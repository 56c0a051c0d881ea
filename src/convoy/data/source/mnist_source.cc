#include "convoy/data/source/mnist_source.h"

#include <algorithm>
#include <optional>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/source/class_names.h"
#include "convoy/data/source/data_file.h"
#include "convoy/data/source/idx_file.h"
#include "convoy/data/source/memory_source.h"

namespace convoy::data {

namespace {

constexpr int kClasses = 10;

struct Part {
  Shape shape;
  Samples samples;
  std::int64_t skipped = 0;
};

IdxArray read_idx(const std::filesystem::path& folder, const std::string& stem, int rank, bool skip_corrupt) {
  const auto file = require_data_file(folder, stem + "-ubyte");
  return parse_idx(read_unzipped_file(file), file.string(), {.rank = rank, .allow_missing = skip_corrupt});
}

std::int64_t first_bad_label(const Bytes& labels) {
  const auto bad = std::find_if(labels.begin(), labels.end(), [](std::uint8_t label) { return label >= kClasses; });
  return bad == labels.end() ? -1 : bad - labels.begin();
}

Samples keep_good_labels(const IdxArray& images, const Bytes& labels, std::int64_t count) {
  const auto image_bytes = static_cast<std::ptrdiff_t>(images.dims[1] * images.dims[2]);
  Samples kept;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t label = labels[static_cast<std::size_t>(i)];
    if (label >= kClasses) continue;
    kept.labels.push_back(label);
    const auto first = images.values.begin() + static_cast<std::ptrdiff_t>(i) * image_bytes;
    kept.pixels.insert(kept.pixels.end(), first, first + image_bytes);
  }
  return kept;
}

Part read_part(const std::filesystem::path& folder, const std::string& prefix, bool skip_corrupt) {
  IdxArray images = read_idx(folder, prefix + "-images-idx3", 3, skip_corrupt);
  const IdxArray labels = read_idx(folder, prefix + "-labels-idx1", 1, skip_corrupt);
  const std::int64_t announced = images.dims[0] + images.missing;
  if (announced != labels.dims[0] + labels.missing) {
    throw DataError("{}: {} images but {} labels in the files {}-*", folder.string(), announced,
                    labels.dims[0] + labels.missing, prefix);
  }
  Part part{.shape = {1, images.dims[1], images.dims[2]}};
  const std::int64_t bad = first_bad_label(labels.values);
  if (bad >= 0 && !skip_corrupt) {
    throw DataError("{}: byte {}: label {} is out of range 0..{}",
                    require_data_file(folder, prefix + "-labels-idx1-ubyte").string(), bad + 8,
                    labels.values[static_cast<std::size_t>(bad)], kClasses - 1);
  }
  if (bad < 0 && images.missing == 0 && labels.missing == 0) {
    part.samples.labels.assign(labels.values.begin(), labels.values.end());
    part.samples.pixels = std::move(images.values);
  } else {
    part.samples = keep_good_labels(images, labels.values, std::min(images.dims[0], labels.dims[0]));
  }
  part.skipped = announced - static_cast<std::int64_t>(part.samples.labels.size());
  return part;
}

ChannelStatistics published(const std::string& name) {
  if (name == "mnist") return {.mean = {0.1307F}, .deviation = {0.3081F}};
  return {.mean = {0.2860F}, .deviation = {0.3530F}};
}

}  // namespace

std::unique_ptr<Source> open_mnist(const std::string& name, const std::filesystem::path& folder,
                                   const SourceOptions& options) {
  Part train = read_part(folder, "train", options.skip_corrupt);
  Part test = read_part(folder, "t10k", options.skip_corrupt);
  if (train.shape != test.shape) {
    throw DataError("{}: training images are {}, test images {}", folder.string(), train.shape.to_string(),
                    test.shape.to_string());
  }
  if (train.skipped + test.skipped > 0) {
    options.on_note(fmt::format("{}: corrupt samples left out: {}", name, grouped_text(train.skipped + test.skipped)));
  }
  Shape shape = train.shape;
  if (options.image_size > 0 && Shape{1, options.image_size, options.image_size} != shape) {
    train.samples = resized(train.samples, shape, options.image_size);
    test.samples = resized(test.samples, shape, options.image_size);
    shape = {1, options.image_size, options.image_size};
  }
  return std::make_unique<MemorySource>(name, shape, name == "mnist" ? mnist_classes() : fashion_mnist_classes(),
                                        std::move(train.samples), std::move(test.samples), published(name));
}

}  // namespace convoy::data
