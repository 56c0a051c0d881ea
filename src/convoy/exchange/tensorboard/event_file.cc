#include "convoy/exchange/tensorboard/event_file.h"

#include <array>
#include <bit>
#include <cmath>

namespace convoy {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78U;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
    table[i] = value;
  }
  return table;
}

// So that the checksum of what holds checksums is not trivial.
std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U; }

// Little-endian, whatever the machine.
template <typename Number>
void append_fixed(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
}

// Protobuf: a key (number of the field * 8 + type), then the value.
enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void append_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) message += static_cast<char>((value & 0x7FU) | 0x80U);
  message += static_cast<char>(value);
}

void append_key(std::string& message, std::uint32_t field, WireType type) {
  append_varint(message, field << 3U | static_cast<std::uint32_t>(type));
}

void append_bytes(std::string& message, std::uint32_t field, std::string_view value) {
  append_key(message, field, WireType::bytes);
  append_varint(message, value.size());
  message += value;
}

// Fields of tensorflow.Event: wall_time 1, step 2, file_version 3, summary 5.
std::string event(double wall_time, std::int64_t step) {
  std::string message;
  append_key(message, 1, WireType::fixed64);
  append_fixed(message, std::bit_cast<std::uint64_t>(wall_time));
  append_key(message, 2, WireType::varint);
  append_varint(message, static_cast<std::uint64_t>(step));
  return message;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
  return ~crc;
}

EventFile::EventFile(double wall_time) {
  std::string message = event(wall_time, 0);
  append_bytes(message, 3, "brain.Event:2");
  add_record(message);
}

// Fields of tensorflow.Summary: value 1; of its Value: tag 1, simple_value 2.
void EventFile::add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time) {
  if (!std::isfinite(value)) return;
  std::string point;
  append_bytes(point, 1, tag);
  append_key(point, 2, WireType::fixed32);
  append_fixed(point, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  std::string summary;
  append_bytes(summary, 1, point);
  std::string message = event(wall_time, step);
  append_bytes(message, 5, summary);
  add_record(message);
}

void EventFile::add_record(std::string_view message) {
  std::string length;
  append_fixed(length, static_cast<std::uint64_t>(message.size()));
  bytes_ += length;
  append_fixed(bytes_, masked(crc32c(length)));
  bytes_ += message;
  append_fixed(bytes_, masked(crc32c(message)));
}

}  // namespace convoy
