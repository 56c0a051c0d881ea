#include "convoy/checkpoint/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy {
namespace {

inline constexpr const char* kMetadataKey = "__metadata__";

constexpr std::size_t kHighestRank = 16;

[[noreturn]] void refuse(const std::string& key) { throw DataError("the header makes no sense at '{:.80}'", key); }

// The parser calls it for each token; it keeps track of where in the header it is.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] SafetensorsHeader take() { return std::move(header_); }

  bool null() override { refuse(key_); }
  bool boolean(bool) override { refuse(key_); }
  bool number_integer(number_integer_t) override { refuse(key_); }
  bool number_float(number_float_t, const string_t&) override { refuse(key_); }
  bool binary(binary_t&) override { refuse(key_); }

  bool number_unsigned(number_unsigned_t value) override {
    const bool in_list = place_ == Place::shape || place_ == Place::offsets;
    if (!in_list || value > INT64_MAX || numbers_.size() == kHighestRank) refuse(key_);
    numbers_.push_back(static_cast<std::int64_t>(value));
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::metadata) {
      header_.metadata[key_] = value;
    } else if (place_ == Place::tensor && key_ == "dtype") {
      tensor().type = value;
    } else {
      refuse(key_);
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::outside) {
      place_ = Place::root;
    } else if (place_ == Place::root && key_ == kMetadataKey) {
      enter(Place::metadata);
    } else if (place_ == Place::root) {
      header_.tensors.push_back({.name = key_, .type = {}, .shape = {}});
      enter(Place::tensor);
    } else {
      refuse(key_);
    }
    return true;
  }

  bool key(string_t& name) override {
    std::set<std::string>& seen = place_ == Place::root ? names_ : members_;
    if (!seen.insert(name).second) throw DataError("the header has '{:.80}' twice", name);
    key_ = name;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor && members_ != std::set<std::string>{"data_offsets", "dtype", "shape"}) {
      refuse(tensor().name);
    }
    place_ = place_ == Place::root ? Place::outside : Place::root;
    return true;
  }

  bool start_array(std::size_t) override {
    const bool expected = place_ == Place::tensor && (key_ == "shape" || key_ == "data_offsets");
    if (!expected) refuse(key_);
    place_ = key_ == "shape" ? Place::shape : Place::offsets;
    numbers_.clear();
    return true;
  }

  bool end_array() override {
    if (place_ == Place::shape) {
      tensor().shape = Shape(numbers_);
    } else {
      if (numbers_.size() != 2) refuse(tensor().name);
      tensor().begin = static_cast<std::uint64_t>(numbers_[0]);
      tensor().end = static_cast<std::uint64_t>(numbers_[1]);
    }
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    throw DataError("the header is no JSON at byte {}", position);
  }

 private:
  enum class Place { outside, root, metadata, tensor, shape, offsets };

  void enter(Place place) {
    place_ = place;
    members_.clear();
  }
  TensorEntry& tensor() { return header_.tensors.back(); }

  SafetensorsHeader header_;
  Place place_ = Place::outside;
  std::string key_;
  std::set<std::string> names_;    // those of the root object
  std::set<std::string> members_;  // those of the object inside it
  std::vector<std::int64_t> numbers_;
};

// The tensors in the order of the JSON. Throws DataError for anything that does not exactly follow the format,
// including duplicate names. Offsets and types are not checked yet.
SafetensorsHeader parse_header_json(std::string_view json) {
  if (!json.starts_with('{')) throw DataError("the header is no JSON object");
  HeaderReader reader;
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "lengths and values are written as they lie in memory");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 64;

const std::map<std::string, std::uint64_t>& value_bytes() {
  static const std::map<std::string, std::uint64_t> table = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
      {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"F64", 8},     {"I64", 8}, {"U64", 8}};
  return table;
}

std::uint64_t bytes_of(const NamedTensor& tensor) {
  return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, tensor.values);
}

Json entry_json(const NamedTensor& tensor, std::uint64_t begin) {
  const bool whole = std::holds_alternative<std::vector<std::int64_t>>(tensor.values);
  return {{"dtype", whole ? "I64" : "F32"},
          {"shape", tensor.shape.dims()},
          {"data_offsets", {begin, begin + bytes_of(tensor)}}};
}

// How many bytes a tensor of this shape and type takes in the file.
std::uint64_t expected_bytes(const TensorEntry& tensor) {
  const auto at = value_bytes().find(tensor.type);
  if (at == value_bytes().end()) {
    throw DataError("the tensor '{:.80}' is of the unknown type '{:.80}'", tensor.name, tensor.type);
  }
  std::uint64_t bytes = at->second;
  for (const std::int64_t extent : tensor.shape.dims()) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
      throw DataError("the tensor '{:.80}' has more elements than can be counted", tensor.name);
    }
  }
  return bytes;
}

void check_size(const TensorEntry& tensor) {
  if (tensor.begin > tensor.end) throw DataError("the tensor '{:.80}' ends before it begins", tensor.name);
  const std::uint64_t expected = expected_bytes(tensor);
  if (tensor.end - tensor.begin != expected) {
    throw DataError("the tensor '{:.80}' has {} bytes and should have {}: {} of {}", tensor.name,
                    tensor.end - tensor.begin, expected, tensor.type, tensor.shape.to_string());
  }
}

// Checks that the tensors follow each other without gaps from the first byte to the last.
void check_places(std::span<const TensorEntry> tensors, std::uint64_t data_bytes) {
  std::uint64_t end = 0;
  for (const TensorEntry& tensor : tensors) {
    if (tensor.begin < end) throw DataError("the tensor '{:.80}' overlaps the one before", tensor.name);
    if (tensor.begin > end) throw DataError("there is a hole before the tensor '{:.80}'", tensor.name);
    check_size(tensor);
    end = tensor.end;
  }
  if (end > data_bytes) throw DataError("the file is cut short: {} of {} bytes of tensors", data_bytes, end);
  if (end < data_bytes) throw DataError("{} bytes follow the last tensor", data_bytes - end);
}

}  // namespace

std::string safetensors_header_bytes(std::span<const NamedTensor> tensors,
                                     const std::map<std::string, std::string>& metadata) {
  Json json = Json::object();
  if (!metadata.empty()) json[kMetadataKey] = metadata;
  std::uint64_t begin = 0;
  for (const NamedTensor& tensor : tensors) {
    CONVOY_CHECK(!json.contains(tensor.name) && tensor.name != kMetadataKey);
    json[tensor.name] = entry_json(tensor, begin);
    CONVOY_CHECK_EQ(bytes_of(tensor), expected_bytes({tensor.name, json[tensor.name]["dtype"], tensor.shape}));
    begin += bytes_of(tensor);
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((kLengthBytes + text.size() + kAlignment - 1) / kAlignment * kAlignment - kLengthBytes, ' ');
  std::string length(kLengthBytes, '\0');
  const std::uint64_t count = text.size();
  std::memcpy(length.data(), &count, kLengthBytes);
  return length + text;
}

SafetensorsHeader parse_safetensors_header(std::string_view json, std::uint64_t data_bytes) {
  SafetensorsHeader header = parse_header_json(json);
  std::ranges::sort(header.tensors, {}, [](const TensorEntry& tensor) { return std::tie(tensor.begin, tensor.end); });
  check_places(header.tensors, data_bytes);
  return header;
}

}  // namespace convoy
