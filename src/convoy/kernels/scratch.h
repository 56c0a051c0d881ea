// Hands out parts of a scratchpad, each beginning at a cache line. Without memory it only counts how much is needed.
//
// Threads' own parts are in regions, one for each thread, which are at the same places in every kernel of a network. If
// they were not, threads would write to memory that another core has in its cache since the last kernel, and cores that
// share no cache need hundreds of nanoseconds to hand over a line: ResNet-20 on two threads lost up to a fifth by it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/base/check.h"

namespace convoy::kernels {

class Scratch {
 public:
  explicit Scratch(float* memory = nullptr, int threads = 1) : memory_(memory), threads_(threads) {}

  // A part for each thread: that of the first, the others' are distance() apart. To be taken before all other parts.
  float* take_own(std::int64_t floats) {
    CONVOY_CHECK_EQ(shared_, 0);
    return take_from(own_, 0, floats);
  }

  // A part for all threads together.
  float* take(std::int64_t floats) { return take_from(shared_, threads_ * distance(), floats); }

  // The floats between the own parts of one thread and those of the next. Few kernels need more than one unit.
  [[nodiscard]] std::int64_t distance() const {
    constexpr std::int64_t kUnit = (std::int64_t{4} << 20) / std::int64_t{sizeof(float)};
    return threads_ == 1 ? own_ : (own_ + kUnit - 1) / kUnit * kUnit;
  }

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(threads_ * distance() + shared_) * sizeof(float);
  }

 private:
  float* take_from(std::int64_t& used, std::int64_t begin, std::int64_t floats) const {
    constexpr std::int64_t kLine = 16;
    float* part = memory_ == nullptr ? nullptr : memory_ + begin + used;
    used += (floats + kLine - 1) / kLine * kLine;
    return part;
  }

  float* memory_;
  std::int64_t threads_;
  std::int64_t own_ = 0;     // floats of one thread
  std::int64_t shared_ = 0;  // floats for all
};

}  // namespace convoy::kernels
