#include "convoy/data/source/cifar_file.h"

#include "convoy/base/error.h"

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

}  // namespace convoy::data
