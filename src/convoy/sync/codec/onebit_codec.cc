#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "convoy/base/vector_clones.h"
#include "convoy/sync/codec/block_codec.h"

namespace convoy {
namespace {

constexpr std::size_t kWordBits = 64;

// Adds in a fixed order: first the values i, i + 16, i + 32, ... for each i, then these sums.
constexpr std::size_t kLanes = 16;

struct Halves {
  float below = 0;  // sum of the values below zero
  float others = 0;
  std::size_t below_count = 0;
};

CONVOY_VECTOR_CLONES Halves sum_halves(const float* values, std::size_t count) {
  float below[kLanes] = {};
  float others[kLanes] = {};
  std::uint32_t below_count[kLanes] = {};
  const auto add = [&](std::size_t lane, float value) {
    const bool is_below = value < 0;
    below[lane] += is_below ? value : 0.0F;
    others[lane] += is_below ? 0.0F : value;
    below_count[lane] += is_below ? 1U : 0U;
  };
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, values[i + lane]);
  }
  for (; i < count; ++i) add(i % kLanes, values[i]);
  Halves sums;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    sums.below += below[lane];
    sums.others += others[lane];
    sums.below_count += below_count[lane];
  }
  return sums;
}

// Packs eight bytes that are 0 or 1 into the bits of one: the product moves byte i to bit 56 + i, where nothing else
// ends up.
std::uint64_t packed(const std::uint8_t* flags) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, flags, sizeof(bytes));
  return bytes * 0x0102040810204080U >> 56U;
}

// Writes a byte for each value first, because compilers can vectorise that.
CONVOY_VECTOR_CLONES void write_signs(const float* values, std::size_t count, std::uint64_t* words) {
  for (std::size_t begin = 0; begin < count; begin += kWordBits) {
    std::uint8_t flags[kWordBits] = {};
    if (begin + kWordBits <= count) {
      for (std::size_t i = 0; i < kWordBits; ++i) flags[i] = values[begin + i] < 0 ? 1 : 0;
    } else {
      for (std::size_t i = 0; begin + i < count; ++i) flags[i] = values[begin + i] < 0 ? 1 : 0;
    }
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < kWordBits; i += 8) word |= packed(flags + i) << i;
    words[begin / kWordBits] = word;
  }
}

// Eight values at a time, for each of which compilers keep a bit of the mask in a lane.
CONVOY_VECTOR_CLONES void read_signs(const std::uint64_t* words, std::size_t count, float others, float below,
                                     float* values) {
  constexpr std::size_t kByteBits = 8;
  std::size_t i = 0;
  for (; i + kByteBits <= count; i += kByteBits) {
    const auto mask = static_cast<std::uint32_t>(words[i / kWordBits] >> i % kWordBits);
    for (std::size_t lane = 0; lane < kByteBits; ++lane) {
      values[i + lane] = (mask & 1U << lane) != 0 ? below : others;
    }
  }
  for (; i < count; ++i) values[i] = (words[i / kWordBits] >> i % kWordBits & 1U) != 0 ? below : others;
}

float mean_of(float sum, std::size_t count) { return count == 0 ? 0.0F : sum / static_cast<float>(count); }

class OnebitCodec final : public BlockCodec {
 public:
  explicit OnebitCodec(std::size_t block) : BlockCodec(block, 2, 1) {}
  [[nodiscard]] std::string description() const override { return fmt::format("onebit in blocks of {}", block()); }
  [[nodiscard]] bool keeps_error() const override { return true; }

 private:
  void encode_block(std::span<const float> values, float* floats, std::byte* coded) const override {
    const Halves sums = sum_halves(values.data(), values.size());
    floats[0] = mean_of(sums.others, values.size() - sums.below_count);
    floats[1] = mean_of(sums.below, sums.below_count);
    write_signs(values.data(), values.size(), reinterpret_cast<std::uint64_t*>(coded));
  }
  void decode_block(const float* floats, const std::byte* coded, std::span<float> values) const override {
    read_signs(reinterpret_cast<const std::uint64_t*>(coded), values.size(), floats[0], floats[1], values.data());
  }
};

}  // namespace

std::unique_ptr<Codec> make_onebit_codec(std::size_t block) { return std::make_unique<OnebitCodec>(block); }

}  // namespace convoy
