#include "convoy/checkpoint/header_parser.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {

namespace {

constexpr std::size_t kHighestRank = 16;

[[noreturn]] void refuse(const std::string& key) { throw DataError("the header makes no sense at '{:.80}'", key); }

// Called by the parser for each token; knows where in the header it is.
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
  std::set<std::string> names_;    // of the root
  std::set<std::string> members_;  // of the object in it
  std::vector<std::int64_t> numbers_;
};

}  // namespace

SafetensorsHeader parse_header_json(std::string_view json) {
  if (!json.starts_with('{')) throw DataError("the header is no JSON object");
  HeaderReader reader;
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace convoy
