// Reads ONNX tensors from protobuf files, as far as test vectors need it: numbers of one type, of any shape.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

// Protobuf's wire format: fields one after another, each a key (number * 8 + type) and its value; integers are written
// in groups of seven bits, the lowest first.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // Goes to the next field; returns false at the end.
  bool next() {
    if (rest_.empty()) return false;
    const std::uint64_t key = varint();
    field_ = static_cast<int>(key >> 3U);
    read_value(key & 7U);
    return true;
  }

  [[nodiscard]] int field() const { return field_; }
  // The bytes of the value; empty for an integer.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void read_value(std::uint64_t type) {
    switch (type) {
      case 0:
        (void)varint();
        bytes_ = {};
        break;
      case 1:
        bytes_ = take(8);
        break;
      case 2:
        bytes_ = take(varint());
        break;
      case 5:
        bytes_ = take(4);
        break;
      default:
        throw std::runtime_error("a wire type that tensors do not have");
    }
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return value;
    }
  }

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::runtime_error("the file ends in the middle of a field");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
  std::string_view bytes_;
  int field_ = 0;
};

// The elements of a TensorProto, which stores them as raw_data or, for floats, also as float_data (packed or one by
// one).
template <typename T>
[[nodiscard]] std::vector<T> tensor_proto(const std::filesystem::path& path) {
  constexpr int kFloatData = 4;
  constexpr int kRawData = 9;
  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  std::string data;
  for (WireReader reader(file); reader.next();) {
    if (reader.field() == kRawData || reader.field() == kFloatData) data += reader.bytes();
  }
  if (data.empty() || data.size() % sizeof(T) != 0)
    throw std::runtime_error(path.string() + ": no tensor of that type");
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

}  // namespace convoy
