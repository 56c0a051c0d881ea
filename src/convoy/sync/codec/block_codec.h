// The common part of codecs that work block by block: first the floats of all blocks, then what is written for each
// value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "convoy/base/check.h"
#include "convoy/sync/codec/codec.h"

namespace convoy {

class BlockCodec : public Codec {
 public:
  [[nodiscard]] std::size_t encoded_bytes(std::size_t count) const final {
    return values_begin(count) + whole_words((count * bits_per_value_ + 7) / 8);
  }
  void encode(std::span<const float> values, std::span<std::byte> bytes) const final {
    const std::size_t border = values_begin(values.size());
    clear_last_word(bytes.first(border));
    clear_last_word(bytes.subspan(border));
    auto* floats = reinterpret_cast<float*>(bytes.data());
    std::byte* coded = bytes.data() + border;
    for (std::size_t begin = 0; begin < values.size(); begin += block_) {
      encode_block(values.subspan(begin, std::min(block_, values.size() - begin)), floats, coded);
      floats += floats_per_block_;
      coded += block_ * bits_per_value_ / 8;
    }
  }
  void decode(std::span<const std::byte> bytes, std::span<float> values) const final {
    const auto* floats = reinterpret_cast<const float*>(bytes.data());
    const std::byte* coded = bytes.data() + values_begin(values.size());
    for (std::size_t begin = 0; begin < values.size(); begin += block_) {
      decode_block(floats, coded, values.subspan(begin, std::min(block_, values.size() - begin)));
      floats += floats_per_block_;
      coded += block_ * bits_per_value_ / 8;
    }
  }

 protected:
  // `block` is a multiple of 64, so that blocks begin at whole words.
  BlockCodec(std::size_t block, std::size_t floats_per_block, std::size_t bits_per_value)
      : block_(block), floats_per_block_(floats_per_block), bits_per_value_(bits_per_value) {
    CONVOY_CHECK(block > 0 && block % 64 == 0);
  }
  [[nodiscard]] std::size_t block() const { return block_; }

 private:
  virtual void encode_block(std::span<const float> values, float* floats, std::byte* coded) const = 0;
  virtual void decode_block(const float* floats, const std::byte* coded, std::span<float> values) const = 0;

  [[nodiscard]] std::size_t blocks_of(std::size_t count) const { return (count + block_ - 1) / block_; }
  [[nodiscard]] std::size_t values_begin(std::size_t count) const {
    return whole_words(blocks_of(count) * floats_per_block_ * sizeof(float));
  }

  std::size_t block_;
  std::size_t floats_per_block_;
  std::size_t bits_per_value_;
};

}  // namespace convoy
