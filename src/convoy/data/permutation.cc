#include "convoy/data/permutation.h"

#include <algorithm>
#include <bit>

#include "convoy/base/check.h"
#include "convoy/base/rng.h"

namespace convoy::data {
namespace {

// Keeps these draws independent of others with the same seed.
constexpr std::uint64_t kOrderStream = 0x6f726465726f6673;

// With fewer bits per half there would be too few possible orders. For tiny sizes this means more cycle walking.
constexpr int kFewestHalfBits = 4;

// The finaliser of MurmurHash3: every input bit affects every output bit.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33U;
  x *= 0xff51afd7ed558ccdU;
  x ^= x >> 33U;
  x *= 0xc4ceb9fe1a85ec53U;
  return x ^ (x >> 33U);
}

}  // namespace

Permutation::Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch) : size_(size) {
  CONVOY_CHECK_LE(1, size);
  CONVOY_CHECK_LT(size, std::int64_t{1} << 62U);
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
  half_bits_ = std::max((bits + 1) / 2, kFewestHalfBits);
  for (std::size_t i = 0; i < keys_.size(); i += 2) {
    const auto words = philox(seed, kOrderStream + i / 2, epoch);
    keys_[i] = std::uint64_t{words[0]} << 32U | words[1];
    keys_[i + 1] = std::uint64_t{words[2]} << 32U | words[3];
  }
}

std::uint64_t Permutation::shuffle(std::uint64_t number) const {
  const std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(half_bits_)) - 1;
  std::uint64_t left = number >> static_cast<unsigned>(half_bits_);
  std::uint64_t right = number & mask;
  for (const std::uint64_t key : keys_) {
    const std::uint64_t next = left ^ (mix(right ^ key) & mask);
    left = right;
    right = next;
  }
  return left << static_cast<unsigned>(half_bits_) | right;
}

std::int64_t Permutation::operator()(std::int64_t position) const {
  CONVOY_CHECK_LE(0, position);
  CONVOY_CHECK_LT(position, size_);
  auto number = static_cast<std::uint64_t>(position);
  do {
    number = shuffle(number);
  } while (number >= static_cast<std::uint64_t>(size_));
  return static_cast<std::int64_t>(number);
}

}  // namespace convoy::data
