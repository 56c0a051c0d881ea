// The order of an epoch: a permutation of 0..size-1, each element of which can be computed by itself, in constant time
// and without a table. So any rank can start at any step.
#pragma once

#include <array>
#include <cstdint>

namespace convoy::data {

// A Feistel network over the smallest power of four that is at least `size` (and at least 256): the number is cut into
// two halves, and each round xors one half with a keyed hash of the other. That is a permutation whatever the hash. A
// result outside `size` is put in again until one is inside (cycle walking); except for tiny sizes this takes fewer
// than four rounds on average.
//
// Thread rule: immutable.
class Permutation {
 public:
  // Different seeds or epochs give different orders. 1 <= size < 2^62.
  Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch);

  // 0 <= position < size.
  [[nodiscard]] std::int64_t operator()(std::int64_t position) const;

  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  static constexpr int kRounds = 8;

  [[nodiscard]] std::uint64_t shuffle(std::uint64_t number) const;

  std::int64_t size_;
  int half_bits_;
  std::array<std::uint64_t, kRounds> keys_{};
};

}  // namespace convoy::data
