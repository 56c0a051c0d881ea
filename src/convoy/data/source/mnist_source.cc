#include "convoy/data/source/mnist_source.h"

#include <algorithm>
#include <optional>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/source/data_file.h"
#include "convoy/data/source/memory_source.h"

namespace convoy::data {
namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;

void check_magic(const Bytes& bytes, std::string_view name, int rank) {
  if (bytes.size() < 4) {
    throw DataError("{}: is no IDX file: it has {} bytes, not even a magic number", name, bytes.size());
  }
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != kUnsignedByte || bytes[3] != rank) {
    throw DataError("{}: byte 0: wrong magic number {:02x}{:02x}{:02x}{:02x}, expected 000008{:02x} ({})", name,
                    bytes[0], bytes[1], bytes[2], bytes[3], rank, rank == 1 ? "labels" : "images");
  }
}

std::vector<std::int64_t> read_dims(const Bytes& bytes, std::string_view name, int rank) {
  const std::size_t header_bytes = 4 + 4 * static_cast<std::size_t>(rank);
  if (bytes.size() < header_bytes) {
    throw DataError("{}: byte {}: the header is cut short, expected {} bytes", name, bytes.size(), header_bytes);
  }
  std::vector<std::int64_t> dims;
  for (std::size_t at = 4; at < header_bytes; at += 4) {
    const std::int64_t extent =
        std::int64_t{bytes[at]} << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
    if (extent == 0) throw DataError("{}: byte {}: extent {} is zero", name, at, dims.size());
    dims.push_back(extent);
  }
  return dims;
}

// The bytes of one entry along the first dimension. Stops at `limit`, more than any file has, to avoid an overflow.
std::int64_t entry_bytes(const std::vector<std::int64_t>& dims, std::int64_t limit) {
  std::int64_t count = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) {
    if (dims[i] > limit / count) return limit;
    count *= dims[i];
  }
  return count;
}

}  // namespace

IdxArray parse_idx(Bytes bytes, std::string_view name, const IdxOptions& options) {
  check_magic(bytes, name, options.rank);
  IdxArray array{.dims = read_dims(bytes, name, options.rank)};
  const std::size_t header_bytes = 4 + 4 * array.dims.size();
  const std::int64_t present_bytes = static_cast<std::int64_t>(bytes.size() - header_bytes);
  const std::int64_t entry = entry_bytes(array.dims, std::int64_t{1} << 31);
  const std::int64_t whole = present_bytes / entry;
  if (whole < array.dims[0]) {
    if (!options.allow_missing || whole == 0) {
      throw DataError("{}: byte {}: is cut short: holds {} of {} entries of {} bytes", name, bytes.size(), whole,
                      array.dims[0], entry);
    }
    array.missing = array.dims[0] - whole;
    array.dims[0] = whole;
  } else if (present_bytes > array.dims[0] * entry) {
    throw DataError("{}: byte {}: {} bytes more than its header announces", name, header_bytes + array.dims[0] * entry,
                    present_bytes - array.dims[0] * entry);
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header_bytes));
  bytes.resize(static_cast<std::size_t>(array.dims[0] * entry));
  array.values = std::move(bytes);
  return array;
}

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
