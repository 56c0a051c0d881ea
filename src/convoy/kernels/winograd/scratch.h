// Hands out parts of a scratchpad, each beginning at a cache line. Without memory it only counts how much is needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::kernels {

class Scratch {
 public:
  explicit Scratch(float* memory = nullptr) : memory_(memory) {}

  float* take(std::int64_t floats) {
    constexpr std::int64_t kLine = 16;
    float* part = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (floats + kLine - 1) / kLine * kLine;
    return part;
  }

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(used_) * sizeof(float); }

 private:
  float* memory_;
  std::int64_t used_ = 0;
};

}  // namespace convoy::kernels
