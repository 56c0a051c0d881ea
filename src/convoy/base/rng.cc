#include "convoy/base/rng.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

#include "convoy/base/check.h"

namespace convoy {

namespace {

constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  // The seed fills the 64 bits of the key, so the stream goes into the counter: no two (stream, index) pairs share a
  // block.
  const r123::Philox4x32::ctr_type counter = {{low_word(index), high_word(index), low_word(stream), high_word(stream)}};
  const r123::Philox4x32::key_type key = {{low_word(seed), high_word(seed)}};
  const auto words = r123::Philox4x32()(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

std::uint32_t Rng::bits() {
  if (left_ == 0) {
    block_ = philox(seed_, stream_, index_++);
    left_ = static_cast<int>(block_.size());
  }
  return block_[block_.size() - static_cast<std::size_t>(left_--)];
}

float Rng::uniform() {
  // 24 bits fill a float's mantissa, so every value is exact and 1 is never reached.
  return static_cast<float>(bits() >> 8U) * 0x1p-24F;
}

float Rng::normal() {
  // 1 - u is in (0, 1], where the logarithm is finite.
  const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform()));
  return radius * std::cos(2.0F * std::numbers::pi_v<float> * uniform());
}

std::uint32_t Rng::below(std::uint32_t bound) {
  CONVOY_CHECK(bound > 0);
  // Lemire's multiplication method: draws that would make small results more likely are thrown away.
  const std::uint32_t unfair = -bound % bound;
  while (true) {
    const std::uint64_t product = std::uint64_t{bits()} * bound;
    if (low_word(product) >= unfair) {
      return high_word(product);
    }
  }
}

}  // namespace convoy
