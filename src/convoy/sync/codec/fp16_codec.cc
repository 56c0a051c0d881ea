#include <algorithm>
#include <bit>

#include "convoy/base/vector_clones.h"
#include "convoy/sync/codec/half_codec.h"

namespace convoy {
namespace {

constexpr std::uint32_t kInfinity = 0x7F800000U;        // the bits of the float
constexpr std::uint32_t kLargest = 0x477FE000U;         // the bits of 65504, the largest half
constexpr std::uint32_t kSmallestNormal = 0x38800000U;  // the bits of 2^-14
constexpr float kHalf = 0.5F;
constexpr float kSubnormalUnit = 0x1p24F;  // subnormal halves are multiples of 2^-24

// Converts one value without branches, so that the compiler can vectorise a loop of it. For magnitudes below 2^-14,
// adding 0.5 leaves the multiple of 2^-24 in the lowest bits of the sum, rounded to nearest, ties to even, as sums are.
std::uint16_t half_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const std::uint32_t finite = std::min(magnitude, kLargest);
  const std::uint32_t normal = (finite + 0xFFFU + (finite >> 13U & 1U) - 0x38000000U) >> 13U;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(finite) + kHalf) & 0x7FFU;
  const std::uint32_t number = finite < kSmallestNormal ? subnormal : normal;
  const std::uint32_t special = magnitude > kInfinity ? 0x7E00U : 0x7C00U;
  return static_cast<std::uint16_t>(sign | (magnitude >= kInfinity ? special : number));
}

float float_of(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t magnitude = half & 0x7FFFU;
  const std::uint32_t normal = (magnitude << 13U) + 0x38000000U;
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(magnitude)) / kSubnormalUnit);
  const std::uint32_t number = magnitude < 0x400U ? subnormal : normal;
  const std::uint32_t special = kInfinity | (magnitude & 0x3FFU) << 13U;
  return std::bit_cast<float>(sign | (magnitude >= 0x7C00U ? special : number));
}

CONVOY_VECTOR_CLONES void round_to_fp16(const float* __restrict values, std::size_t count,
                                        std::uint16_t* __restrict halves) {
  for (std::size_t i = 0; i < count; ++i) halves[i] = half_of(values[i]);
}

CONVOY_VECTOR_CLONES void widen_fp16(const std::uint16_t* __restrict halves, std::size_t count,
                                     float* __restrict values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = float_of(halves[i]);
}

class Fp16Codec final : public HalfCodec {
 public:
  [[nodiscard]] std::string description() const override { return "fp16"; }

 private:
  void to_halves(const float* values, std::size_t count, std::uint16_t* halves) const override {
    round_to_fp16(values, count, halves);
  }
  void to_floats(const std::uint16_t* halves, std::size_t count, float* values) const override {
    widen_fp16(halves, count, values);
  }
};

}  // namespace

std::unique_ptr<Codec> make_fp16_codec() { return std::make_unique<Fp16Codec>(); }

}  // namespace convoy
