#include <cstring>

#include "convoy/sync/codec/codec.h"

namespace convoy {
namespace {

class PlainCodec final : public Codec {
 public:
  [[nodiscard]] std::string description() const override { return "plain"; }
  [[nodiscard]] std::size_t encoded_bytes(std::size_t count) const override {
    return whole_words(count * sizeof(float));
  }
  void encode(std::span<const float> values, std::span<std::byte> bytes) const override {
    clear_last_word(bytes);
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
  }
  void decode(std::span<const std::byte> bytes, std::span<float> values) const override {
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size_bytes());
  }
};

}  // namespace

std::unique_ptr<Codec> make_plain_codec() { return std::make_unique<PlainCodec>(); }

}  // namespace convoy
