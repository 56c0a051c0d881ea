#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "convoy/base/vector_clones.h"
#include "convoy/sync/codec/block_codec.h"

namespace convoy {
namespace {

constexpr float kMost = 127.0F;
// Adding this to a number of magnitude below 2^22 rounds it to the nearest whole number, ties to even.
constexpr float kRounder = 0x1.8p23F;

// Compares magnitudes by their bits, which have the same order, with NaN above all.
CONVOY_VECTOR_CLONES float largest_magnitude(const float* values, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i]) & 0x7FFFFFFFU);
  }
  return std::bit_cast<float>(largest);
}

CONVOY_VECTOR_CLONES void round_to_int8(const float* __restrict values, std::size_t count, float factor,
                                        std::int8_t* __restrict coded) {
  for (std::size_t i = 0; i < count; ++i) {
    const float rounded = values[i] * factor + kRounder;
    // The rounded number is in the lowest bits of the sum.
    coded[i] = static_cast<std::int8_t>(std::bit_cast<std::int32_t>(rounded));
  }
}

CONVOY_VECTOR_CLONES void widen_int8(const std::int8_t* __restrict coded, std::size_t count, float scale,
                                     float* __restrict values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(coded[i]) * scale;
}

class Int8Codec final : public BlockCodec {
 public:
  explicit Int8Codec(std::size_t block) : BlockCodec(block, 1, 8) {}
  [[nodiscard]] std::string description() const override { return fmt::format("int8 in blocks of {}", block()); }

 private:
  void encode_block(std::span<const float> values, float* floats, std::byte* coded) const override {
    const float largest = largest_magnitude(values.data(), values.size());
    // A block that holds infinity or NaN has no scale, and all its values become NaN.
    *floats = std::isfinite(largest) ? largest / kMost : std::numeric_limits<float>::quiet_NaN();
    // A block whose largest magnitude is too small to divide by becomes zero.
    const float factor = kMost / largest;
    const bool is_usable = std::isfinite(factor) && std::isfinite(largest);
    round_to_int8(values.data(), values.size(), is_usable ? factor : 0.0F, reinterpret_cast<std::int8_t*>(coded));
  }
  void decode_block(const float* floats, const std::byte* coded, std::span<float> values) const override {
    widen_int8(reinterpret_cast<const std::int8_t*>(coded), values.size(), *floats, values.data());
  }
};

}  // namespace

std::unique_ptr<Codec> make_int8_codec(std::size_t block) { return std::make_unique<Int8Codec>(block); }

}  // namespace convoy
