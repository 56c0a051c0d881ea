// The event files that TensorBoard shows: records of a length, its checksum, a message of protobuf and its checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace convoy {

// Castagnoli's checksum.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

// As it stands in the file: a checksum of bytes that hold checksums would be weak.
[[nodiscard]] std::uint32_t masked_crc32c(std::string_view bytes);

// A setting and its value, for TensorBoard's table of runs.
using HyperParameter = std::pair<std::string, std::variant<bool, double, std::string>>;

inline constexpr int kHistogramBuckets = 64;

// The bytes of a file, made event by event.
class EventFile {
 public:
  // Begins with the version of the form, at this time in seconds since 1970.
  explicit EventFile(double wall_time);

  // One point of the curve `tag`. Values that are no numbers are left out: TensorBoard draws no line through them.
  void add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time);

  // How the values are distributed, in `kHistogramBuckets` equal stretches from the least to the largest. Values that
  // are no numbers are left out, and a histogram without any.
  void add_histogram(std::string_view tag, std::span<const float> values, std::int64_t step, double wall_time);

  void add_hyper_parameters(std::span<const HyperParameter> parameters, double wall_time);
  // The run of these hyper-parameters is over.
  void add_run_end(bool succeeded, double wall_time);

  // A run goes on with `step`: points of files before this one that are not before it count no more.
  void add_restart(std::int64_t step, double wall_time);

  // What was added since the last call, or since the beginning.
  [[nodiscard]] std::string take_bytes() { return std::exchange(bytes_, {}); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  // One summary value, as a message of protobuf.
  void add_value(std::string_view value, std::int64_t step, double wall_time);
  void add_hyper_parameter_data(std::string_view tag, std::string_view data, double wall_time);
  void add_record(std::string_view message);

  std::string bytes_;
};

}  // namespace convoy
