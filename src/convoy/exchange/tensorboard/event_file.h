// The event files that TensorBoard shows: records of a length, its checksum, a message of protobuf and its checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace convoy {

// Castagnoli's checksum.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

// The bytes of a file, made event by event.
class EventFile {
 public:
  // Begins with the version of the form, at this time in seconds since 1970.
  explicit EventFile(double wall_time);

  // One point of the curve `tag`. Values that are no numbers are left out: TensorBoard draws no line through them.
  void add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void add_record(std::string_view message);

  std::string bytes_;
};

}  // namespace convoy
