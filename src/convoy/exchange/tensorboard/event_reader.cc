#include "convoy/exchange/tensorboard/event_reader.h"

#include <bit>
#include <optional>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/exchange/tensorboard/event_file.h"

namespace convoy {
namespace {

constexpr std::size_t kHeadBytes = 12;  // length and its checksum
constexpr std::size_t kTailBytes = 4;   // checksum of the message

template <typename Number>
Number fixed_at(std::string_view bytes, std::size_t offset) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    number |= static_cast<Number>(static_cast<std::uint8_t>(bytes[offset + i])) << (8 * i);
  }
  return number;
}

// A field of a protobuf message: its number and its value, as bits or as bytes.
struct WireField {
  std::uint64_t number = 0;
  std::uint64_t bits = 0;  // for numbers; the bits of a float are in the lower half
  std::string_view bytes;  // for strings and messages

  [[nodiscard]] double as_double() const { return std::bit_cast<double>(bits); }
  [[nodiscard]] double as_float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
};

// Splits messages into fields. Throws DataError if a message breaks off or has a type that is not in use.
class WireReader {
 public:
  WireReader(std::string_view bytes, const std::string& place) : rest_(bytes), place_(place) {}

  std::optional<WireField> next() {
    if (rest_.empty()) return std::nullopt;
    const std::uint64_t key = varint();
    WireField field{.number = key >> 3U, .bits = 0, .bytes = {}};
    switch (key & 7U) {
      case 0:
        field.bits = varint();
        break;
      case 1:
        field.bits = fixed_at<std::uint64_t>(take(8), 0);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        field.bits = fixed_at<std::uint32_t>(take(4), 0);
        break;
      default:
        fail();
    }
    return field;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  [[noreturn]] void fail() const { throw DataError("{}: the message of this event is damaged", place_); }

  std::string_view rest_;
  const std::string& place_;
};

// Fields of tensorflow.TensorProto: dtype 1 (float 1, double 2), tensor_content 4, float_val 5, double_val 6.
std::optional<double> number_in_tensor(std::string_view tensor, const std::string& place) {
  constexpr std::uint64_t kFloat = 1;
  constexpr std::uint64_t kDouble = 2;
  std::uint64_t type = 0;
  std::optional<double> value;
  WireReader reader(tensor, place);
  while (const auto field = reader.next()) {
    const bool is_packed = !field->bytes.empty();
    if (field->number == 1) type = field->bits;
    if (field->number < 4 || field->number > 6) continue;
    if (!is_packed) {
      value = field->number == 5 ? field->as_float() : field->as_double();
    } else if (type == kFloat && field->bytes.size() == sizeof(float)) {
      value = std::bit_cast<float>(fixed_at<std::uint32_t>(field->bytes, 0));
    } else if (type == kDouble && field->bytes.size() == sizeof(double)) {
      value = std::bit_cast<double>(fixed_at<std::uint64_t>(field->bytes, 0));
    }
  }
  return value;
}

class EventReader {
 public:
  EventReader(std::string_view bytes, const std::string& name, Events before)
      : bytes_(bytes), name_(name), events_(std::move(before)) {}

  Events read() && {
    while (offset_ < bytes_.size()) {
      place_ = name_ + ", offset " + std::to_string(offset_);
      take_event(next_message());
    }
    return std::move(events_);
  }

 private:
  std::string_view next_message() {
    const std::size_t left = bytes_.size() - offset_;
    if (left < kHeadBytes) throw DataError("{}: the file is cut within an event", place_);
    const std::string_view head = bytes_.substr(offset_, sizeof(std::uint64_t));
    if (fixed_at<std::uint32_t>(bytes_, offset_ + head.size()) != masked_crc32c(head)) {
      throw DataError("{}: the checksum of an event's length is wrong; the file is damaged", place_);
    }
    const auto length = fixed_at<std::uint64_t>(head, 0);
    if (left - kHeadBytes < kTailBytes || length > left - kHeadBytes - kTailBytes) {
      throw DataError("{}: the file is cut within an event", place_);
    }
    const std::string_view message = bytes_.substr(offset_ + kHeadBytes, length);
    offset_ += kHeadBytes + length + kTailBytes;
    if (fixed_at<std::uint32_t>(bytes_, offset_ - kTailBytes) != masked_crc32c(message)) {
      throw DataError("{}: the checksum of an event is wrong; the file is damaged", place_);
    }
    return message;
  }

  void take_event(std::string_view message) {
    EventPoint point;
    std::vector<std::string_view> summaries;
    bool restarts = false;
    WireReader reader(message, place_);
    while (const auto field = reader.next()) {
      if (field->number == 1) point.wall_time = field->as_double();
      if (field->number == 2) point.step = static_cast<std::int64_t>(field->bits);
      if (field->number == 5) summaries.push_back(field->bytes);
      if (field->number == 7) restarts = true;
    }
    if (events_.begin == 0) events_.begin = point.wall_time;
    if (restarts) std::erase_if(events_.points, [&](const EventPoint& earlier) { return earlier.step >= point.step; });
    for (const std::string_view summary : summaries) take_summary(summary, point);
  }

  void take_summary(std::string_view summary, const EventPoint& at) {
    WireReader values(summary, place_);
    while (const auto value = values.next()) {
      if (value->number == 1) take_value(value->bytes, at);
    }
  }

  void take_value(std::string_view value, EventPoint point) {
    std::optional<double> number;
    WireReader reader(value, place_);
    while (const auto field = reader.next()) {
      if (field->number == 1) point.tag = field->bytes;
      if (field->number == 2) number = field->as_float();
      if (field->number == 8) number = number_in_tensor(field->bytes, place_);
    }
    if (!number) return;
    point.value = *number;
    events_.points.push_back(std::move(point));
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t offset_ = 0;
  std::string place_;
  Events events_;
};

}  // namespace

bool is_event_file(std::string_view bytes) {
  constexpr std::string_view kVersion = "brain.Event:";
  return bytes.size() >= kHeadBytes + kVersion.size() &&
         fixed_at<std::uint32_t>(bytes, sizeof(std::uint64_t)) ==
             masked_crc32c(bytes.substr(0, sizeof(std::uint64_t))) &&
         bytes.substr(kHeadBytes, 64).find(kVersion) != std::string_view::npos;
}

Events read_events(std::string_view bytes, const std::string& name, Events before) {
  return EventReader(bytes, name, std::move(before)).read();
}

}  // namespace convoy
