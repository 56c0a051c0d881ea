#include "convoy/exchange/tensorboard/event_file.h"

#include <algorithm>
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

// Little-endian on every machine.
template <typename Number>
void append_fixed(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
}

// Protobuf: each field is a key (number of the field * 8 + type), then the value.
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

void append_number(std::string& message, std::uint32_t field, std::uint64_t value) {
  append_key(message, field, WireType::varint);
  append_varint(message, value);
}

void append_double(std::string& message, std::uint32_t field, double value) {
  append_key(message, field, WireType::fixed64);
  append_fixed(message, std::bit_cast<std::uint64_t>(value));
}

void append_doubles(std::string& message, std::uint32_t field, std::span<const double> values) {
  std::string packed;
  for (const double value : values) append_fixed(packed, std::bit_cast<std::uint64_t>(value));
  append_bytes(message, field, packed);
}

// Fields of tensorflow.HistogramProto: min 1, max 2, num 3, sum 4, sum_squares 5, bucket_limit 6, bucket 7.
std::string histogram_of(std::span<const float> values) {
  const auto [least, most] = std::ranges::minmax(values);
  const double width = (static_cast<double>(most) - least) / kHistogramBuckets;
  std::array<double, kHistogramBuckets> limits{};
  std::array<double, kHistogramBuckets> counts{};
  for (int i = 0; i < kHistogramBuckets; ++i) limits[static_cast<std::size_t>(i)] = least + width * (i + 1);
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    const double place = width > 0 ? (value - least) / width : 0;
    counts[std::min<std::size_t>(static_cast<std::size_t>(place), kHistogramBuckets - 1)] += 1;
    sum += value;
    squares += value * value;
  }
  std::string histogram;
  append_double(histogram, 1, least);
  append_double(histogram, 2, most);
  append_double(histogram, 3, static_cast<double>(values.size()));
  append_double(histogram, 4, sum);
  append_double(histogram, 5, squares);
  append_doubles(histogram, 6, limits);
  append_doubles(histogram, 7, counts);
  return histogram;
}

// Fields of google.protobuf.Value: number_value 2, string_value 3, bool_value 4.
std::string value_of(const HyperParameter& parameter) {
  std::string value;
  if (const auto* const flag = std::get_if<bool>(&parameter.second)) append_number(value, 4, *flag ? 1 : 0);
  if (const auto* const number = std::get_if<double>(&parameter.second)) append_double(value, 2, *number);
  if (const auto* const text = std::get_if<std::string>(&parameter.second)) append_bytes(value, 3, *text);
  return value;
}

// Fields of tensorflow.Event: wall_time 1, step 2, file_version 3, summary 5, session_log 7.
std::string event(double wall_time, std::int64_t step) {
  std::string message;
  append_double(message, 1, wall_time);
  append_number(message, 2, static_cast<std::uint64_t>(step));
  return message;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
  return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

EventFile::EventFile(double wall_time) {
  std::string message = event(wall_time, 0);
  append_bytes(message, 3, "brain.Event:2");
  add_record(message);
}

// Fields of tensorflow.Summary.Value: tag 1, simple_value 2, histo 5, tensor 8, metadata 9.
void EventFile::add_scalar(std::string_view tag, double value, std::int64_t step, double wall_time) {
  if (!std::isfinite(value)) return;
  std::string point;
  append_bytes(point, 1, tag);
  append_key(point, 2, WireType::fixed32);
  append_fixed(point, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  add_value(point, step, wall_time);
}

void EventFile::add_histogram(std::string_view tag, std::span<const float> values, std::int64_t step,
                              double wall_time) {
  std::vector<float> finite;
  std::ranges::copy_if(values, std::back_inserter(finite), [](float value) { return std::isfinite(value); });
  if (finite.empty()) return;
  std::string point;
  append_bytes(point, 1, tag);
  append_bytes(point, 5, histogram_of(finite));
  add_value(point, step, wall_time);
}

// Fields of the plugin's data: session_start_info 3, session_end_info 4; of session_start_info: hparams 1,
// start_time_secs 5. An entry of a map is a message with key 1 and value 2.
void EventFile::add_hyper_parameters(std::span<const HyperParameter> parameters, double wall_time) {
  std::string info;
  for (const HyperParameter& parameter : parameters) {
    std::string entry;
    append_bytes(entry, 1, parameter.first);
    append_bytes(entry, 2, value_of(parameter));
    append_bytes(info, 1, entry);
  }
  append_double(info, 5, wall_time);
  std::string data;
  append_bytes(data, 3, info);
  add_hyper_parameter_data("_hparams_/session_start_info", data, wall_time);
}

// Fields of session_end_info: status 1 (1 success, 2 failure), end_time_secs 2.
void EventFile::add_run_end(bool succeeded, double wall_time) {
  std::string info;
  append_number(info, 1, succeeded ? 1 : 2);
  append_double(info, 2, wall_time);
  std::string data;
  append_bytes(data, 4, info);
  add_hyper_parameter_data("_hparams_/session_end_info", data, wall_time);
}

// Fields of the metadata: plugin_data 1, which has plugin_name 1 and content 2. The value itself is an empty tensor
// (dtype 1, tensor_shape 2, in it dim 2, in it size 1).
void EventFile::add_hyper_parameter_data(std::string_view tag, std::string_view data, double wall_time) {
  constexpr std::string_view kEmptyTensor("\x08\x01\x12\x04\x12\x02\x08\x00", 8);
  std::string plugin;
  append_bytes(plugin, 1, "hparams");
  append_bytes(plugin, 2, data);
  std::string metadata;
  append_bytes(metadata, 1, plugin);
  std::string point;
  append_bytes(point, 1, tag);
  append_bytes(point, 8, kEmptyTensor);
  append_bytes(point, 9, metadata);
  add_value(point, 0, wall_time);
}

// A session_log with status 1 (field 1), which means start.
void EventFile::add_restart(std::int64_t step, double wall_time) {
  std::string session;
  append_number(session, 1, 1);
  std::string message = event(wall_time, step);
  append_bytes(message, 7, session);
  add_record(message);
}

// Field of tensorflow.Summary: value 1.
void EventFile::add_value(std::string_view value, std::int64_t step, double wall_time) {
  std::string summary;
  append_bytes(summary, 1, value);
  std::string message = event(wall_time, step);
  append_bytes(message, 5, summary);
  add_record(message);
}

void EventFile::add_record(std::string_view message) {
  std::string length;
  append_fixed(length, static_cast<std::uint64_t>(message.size()));
  bytes_ += length;
  append_fixed(bytes_, masked_crc32c(length));
  bytes_ += message;
  append_fixed(bytes_, masked_crc32c(message));
}

}  // namespace convoy
