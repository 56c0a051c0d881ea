// Counter-based random numbers (Philox 4x32-10 of Random123). A draw depends only on its key and counter, never on
// how many draws came before, so any rank or thread can make any number of a sequence.
#pragma once

#include <array>
#include <cstdint>

namespace convoy {

// Four independent 32-bit words for the counter (a, b) under the key (seed, stream).
[[nodiscard]] std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// A sequence of draws from philox(): the same seed and stream give the same numbers.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  [[nodiscard]] std::uint32_t bits();
  // Uniform in [0, 1).
  [[nodiscard]] float uniform();
  [[nodiscard]] float uniform(float low, float high) { return low + (high - low) * uniform(); }
  // Standard normal, by Box-Muller.
  [[nodiscard]] float normal();
  // Uniform in [0, bound) without modulo bias; bound > 0.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t index_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int left_ = 0;
};

}  // namespace convoy
