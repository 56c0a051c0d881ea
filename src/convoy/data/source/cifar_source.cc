#include "convoy/data/source/cifar_source.h"

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/source/data_file.h"

namespace convoy::data {

std::int64_t parse_cifar(std::span<const std::uint8_t> bytes, std::string_view name, const CifarFormat& format,
                         bool skip_corrupt, Samples& samples) {
  const auto label_bytes = static_cast<std::size_t>(format.label_bytes);
  const std::size_t record_bytes = label_bytes + kCifarImageBytes;
  const std::size_t records = bytes.size() / record_bytes;
  const std::size_t rest = bytes.size() % record_bytes;
  if (records == 0 || (rest != 0 && !skip_corrupt)) {
    throw DataError("{}: byte {}: is cut short: {} bytes are not a whole number of records of {}", name,
                    records * record_bytes, bytes.size(), record_bytes);
  }
  std::int64_t skipped = rest != 0 ? 1 : 0;
  samples.labels.reserve(samples.labels.size() + records);
  samples.pixels.reserve(samples.pixels.size() + records * kCifarImageBytes);
  for (std::size_t at = 0; at + record_bytes <= bytes.size(); at += record_bytes) {
    const int label = bytes[at + label_bytes - 1];
    if (label >= format.classes) {
      if (!skip_corrupt) {
        throw DataError("{}: byte {}: label {} of record {} is out of range 0..{}", name, at + label_bytes - 1, label,
                        at / record_bytes, format.classes - 1);
      }
      ++skipped;
      continue;
    }
    const auto image = bytes.subspan(at + label_bytes, kCifarImageBytes);
    samples.labels.push_back(label);
    samples.pixels.insert(samples.pixels.end(), image.begin(), image.end());
  }
  return skipped;
}

namespace fs = std::filesystem;

namespace {

struct Kind {
  CifarFormat format;
  std::vector<std::string> train_files;
  std::string test_file;
  ChannelStatistics published;
};

Kind kind_of(const std::string& name) {
  if (name == "cifar100") {
    return {.format = kCifar100,
            .train_files = {"train.bin"},
            .test_file = "test.bin",
            .published = {.mean = {0.5071F, 0.4865F, 0.4409F}, .deviation = {0.2673F, 0.2564F, 0.2762F}}};
  }
  return {.format = kCifar10,
          .train_files = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                          "data_batch_5.bin"},
          .test_file = "test_batch.bin",
          .published = {.mean = {0.4914F, 0.4822F, 0.4465F}, .deviation = {0.2470F, 0.2435F, 0.2616F}}};
}

std::vector<fs::path> present_files(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<fs::path> found;
  for (const std::string& name : names) {
    if (auto path = find_data_file(folder, name)) found.push_back(*path);
  }
  // If no batch exists, the error for the first one says what is missing.
  if (found.empty()) found.push_back(require_data_file(folder, names.front()));
  return found;
}

}  // namespace

std::unique_ptr<Source> open_cifar(const std::string& name, const fs::path& folder, const SourceOptions& options) {
  const Kind kind = kind_of(name);
  Shape shape{3, 32, 32};
  Samples train;
  Samples test;
  std::int64_t skipped = 0;
  const auto read = [&](const fs::path& file, Samples& samples) {
    skipped += parse_cifar(read_unzipped_file(file), file.string(), kind.format, options.skip_corrupt, samples);
  };
  const std::vector<fs::path> files = present_files(folder, kind.train_files);
  for (const fs::path& file : files) {
    read(file, train);
  }
  read(require_data_file(folder, kind.test_file), test);
  if (files.size() < kind.train_files.size()) {
    options.on_note(fmt::format("{}: {} of {} training batches are there, {} images", name, files.size(),
                                kind.train_files.size(), grouped_text(static_cast<std::int64_t>(train.labels.size()))));
  }
  if (skipped > 0) options.on_note(fmt::format("{}: corrupt samples left out: {}", name, grouped_text(skipped)));
  if (options.image_size > 0 && options.image_size != shape[1]) {
    train = resized(train, shape, options.image_size);
    test = resized(test, shape, options.image_size);
    shape = {3, options.image_size, options.image_size};
  }
  return std::make_unique<MemorySource>(name, shape, name == "cifar100" ? cifar100_classes() : cifar10_classes(),
                                        std::move(train), std::move(test), kind.published);
}

}  // namespace convoy::data
