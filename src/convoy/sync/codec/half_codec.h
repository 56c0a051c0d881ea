// The common part of the codecs with two bytes per value.
#pragma once

#include <cstdint>

#include "convoy/sync/codec/codec.h"

namespace convoy {

class HalfCodec : public Codec {
 public:
  [[nodiscard]] std::size_t encoded_bytes(std::size_t count) const final {
    return whole_words(count * sizeof(std::uint16_t));
  }
  void encode(std::span<const float> values, std::span<std::byte> bytes) const final {
    clear_last_word(bytes);
    to_halves(values.data(), values.size(), reinterpret_cast<std::uint16_t*>(bytes.data()));
  }
  void decode(std::span<const std::byte> bytes, std::span<float> values) const final {
    to_floats(reinterpret_cast<const std::uint16_t*>(bytes.data()), values.size(), values.data());
  }

 private:
  virtual void to_halves(const float* values, std::size_t count, std::uint16_t* halves) const = 0;
  virtual void to_floats(const std::uint16_t* halves, std::size_t count, float* values) const = 0;
};

}  // namespace convoy
