#include "convoy/engine/stopwatch.h"

#include <algorithm>
#include <limits>

#include "convoy/base/clock.h"

namespace convoy {
namespace {

constexpr int kMostRuns = 6;
constexpr int kFewestRuns = 2;
constexpr double kEnoughSeconds = 0.02;
// A first run this much slower than the best cannot be noise.
constexpr double kHopeless = 1.6;

std::size_t padded(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

}  // namespace

double Stopwatch::seconds(const kernels::Prepared& prepared, double best) {
  std::size_t total = 0;
  for (int r = 0; r < kernels::kRoles; ++r) total += padded(prepared.bytes(static_cast<kernels::Role>(r)));
  if (memory_.size_bytes() < total) {
    memory_ = AlignedBuffer();  // gives the old memory back before taking more
    memory_ = AlignedBuffer(total);
  }
  kernels::Bindings bindings;
  std::size_t offset = 0;
  for (int r = 0; r < kernels::kRoles; ++r) {
    const auto role = static_cast<kernels::Role>(r);
    bindings.set(role, memory_.data() + offset);
    offset += padded(prepared.bytes(role));
  }
  const auto kernel = prepared.bind(bindings);
  kernel->run();  // touches the memory and fills the caches
  double shortest = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int run = 0; run < kMostRuns && (run < kFewestRuns || spent < kEnoughSeconds); ++run) {
    const auto begin = Clock::now();
    kernel->run();
    const double seconds = seconds_since(begin);
    shortest = std::min(shortest, seconds);
    spent += seconds;
    if (shortest > kHopeless * best) break;
  }
  return shortest;
}

}  // namespace convoy
