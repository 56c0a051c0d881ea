// The event files that TensorBoard shows: each record is a length, its checksum, a protobuf message and its checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace convoy {

// The Castagnoli variant of the checksum.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

// The checksum as it is written to the file. It is masked because a checksum of data that contains checksums would be
// weak.
[[nodiscard]] std::uint32_t masked_crc32c(std::string_view bytes);

// A setting and its value, for TensorBoard's table of runs.
using HyperParameter = std::pair<std::string, std::variant<bool, double, std::string>>;

inline constexpr int kHistogramBuckets = 64;

// Builds the bytes of a file, event by event.
class EventFile {
 public:
  // Begins with the version of the format. Times are in seconds since 1970.
  explicit EventFile(double wall_time);

  // Adds one point to the curve `tag`. Values that are not finite are left out: TensorBoard cannot draw a line through
  // them.
  void add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time);

  // Adds the distribution of the values in `kHistogramBuckets` equal intervals from the smallest to the largest. Values
  // that are not finite are left out, and so is a histogram without values.
  void add_histogram(std::string_view tag, std::span<const float> values, std::int64_t step, double wall_time);

  void add_hyper_parameters(std::span<const HyperParameter> parameters, double wall_time);
  // Says that the run with these hyper-parameters has ended.
  void add_run_end(bool succeeded, double wall_time);

  // Says that a run goes on with `step`: points in earlier files at that step or later no longer count.
  void add_restart(std::int64_t step, double wall_time);

  // The bytes that were added since the last call.
  [[nodiscard]] std::string take_bytes() { return std::exchange(bytes_, {}); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  // Adds one summary value, given as a protobuf message.
  void add_value(std::string_view value, std::int64_t step, double wall_time);
  void add_hyper_parameter_data(std::string_view tag, std::string_view data, double wall_time);
  void add_record(std::string_view message);

  std::string bytes_;
};

}  // namespace convoy
