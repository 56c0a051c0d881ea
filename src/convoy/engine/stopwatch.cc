#include "convoy/engine/stopwatch.h"

#include <algorithm>
#include <limits>

#include "convoy/base/cpu_times.h"
#include "convoy/kernels/convolution.h"

namespace convoy {
namespace {

// More than a core's share of the caches on most machines.
constexpr std::size_t kSweptBytes = std::size_t{1} << 25;

std::size_t padded(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

std::size_t total_bytes(const kernels::Prepared& prepared) {
  std::size_t total = 0;
  for (int r = 0; r < kernels::kRoles; ++r) total += padded(prepared.bytes(static_cast<kernels::Role>(r)));
  return total;
}

double time_once(kernels::Kernel& kernel) {
  const auto begin = Clock::now();
  kernel.run();
  return seconds_since(begin);
}

}  // namespace

std::optional<double> others_cpu_seconds() {
  static const std::vector<int> cpus = allowed_cpu_ids();
  const std::optional<CpuTimes> times = read_cpu_times(cpus);
  if (!times) return std::nullopt;
  return times->busy + times->steal - process_cpu_seconds();
}

QuietWatch::QuietWatch(const OthersClock& others) : others_(others), begin_others_(others()), begin_(Clock::now()) {}

double QuietWatch::others_share() const {
  constexpr double kTooShort = 0.1;
  static const auto cores = static_cast<double>(allowed_cpu_ids().size());
  const std::optional<double> now = others_();
  const double seconds = seconds_since(begin_);
  if (!begin_others_ || !now || seconds < kTooShort) return 0;
  return std::max(0.0, *now - *begin_others_) / (cores * seconds);
}

void Stopwatch::reserve(std::size_t bytes) {
  if (memory_.size_bytes() >= bytes) return;
  memory_ = AlignedBuffer();  // gives the old memory back before taking more
  memory_ = AlignedBuffer(bytes);
  // Touches all pages before anything is timed, because otherwise the first entrant would pay for them.
  constexpr std::size_t kPageFloats = 1024;
  const std::span<float> values = memory_.floats();
  for (std::size_t i = 0; i < values.size(); i += kPageFloats) values[i] = 0;
}

std::unique_ptr<kernels::Kernel> Stopwatch::bind(const kernels::Prepared& prepared) const {
  kernels::Bindings bindings;
  std::size_t offset = 0;
  for (int r = 0; r < kernels::kRoles; ++r) {
    const auto role = static_cast<kernels::Role>(r);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): what is timed may write what it likes here
    bindings.set(role, const_cast<std::byte*>(memory_.data()) + offset);
    offset += padded(prepared.bytes(role));
  }
  return prepared.bind(bindings);
}

RaceTimes Stopwatch::race(const std::vector<kernels::PreparedPtr>& entrants) {
  std::size_t most = 0;
  for (const auto& entrant : entrants) most = std::max(most, total_bytes(*entrant));
  reserve(most);
  std::vector<std::unique_ptr<kernels::Kernel>> kernels;
  for (const auto& entrant : entrants) kernels.push_back(bind(*entrant));
  return convoy::race(kernels.size(), [&](std::size_t i) { return time_once(*kernels[i]); });
}

void Stopwatch::sweep_caches() {
  if (swept_.size_bytes() == 0) {
    swept_ = AlignedBuffer(kSweptBytes);
    // Writes to the pages, because all pages that were never written are the same one.
    std::ranges::fill(swept_.floats(), 1.0F);
  }
  constexpr std::size_t kLine = 16;
  const std::span<const float> values = swept_.floats();
  volatile float last = 0;
  for (std::size_t i = 0; i < values.size(); i += kLine) last = values[i];
  (void)last;
}

double Stopwatch::cold_seconds(const kernels::PreparedPtr& prepared) {
  reserve(total_bytes(*prepared));
  const auto kernel = bind(*prepared);
  kernel->run();  // touches the memory
  constexpr int kRuns = 3;
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRuns; ++i) {
    sweep_caches();
    shortest = std::min(shortest, time_once(*kernel));
  }
  return shortest;
}

double measure_peak_flops(const kernels::Device& device) {
  const kernels::DenseProblem product{.batch = 1024, .in_channels = 1024, .out = 1024, .bias = false};
  Stopwatch stopwatch;
  return product.flops() / stopwatch.race(kernels::candidates(device, product, kernels::Pass::forward)).best();
}

}  // namespace convoy
