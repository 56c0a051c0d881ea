#include "convoy/engine/stopwatch.h"

#include <algorithm>
#include <limits>

#include "convoy/base/cpu_times.h"
#include "convoy/kernels/convolution.h"

namespace convoy {
namespace {

constexpr int kMostRounds = 8;
constexpr int kFewestRounds = 3;
// How long a race lasts, unless the minimum number of rounds takes longer.
constexpr double kEnoughSeconds = 0.06;
// Slower than the best by this factor cannot be chance.
constexpr double kHopeless = 1.4;
// Slower than the best by this factor in the first run, which finds other data in the caches than later ones, cannot be
// chance either. Such slow entrants would cost the most time.
constexpr double kFarBehind = 3;
// Runs that take this long are hardly affected by what happens between them, so two of each are enough.
constexpr double kLongSeconds = 0.006;
constexpr int kFewestLongRounds = 1;
// More than a core's share of the caches on most machines.
constexpr std::size_t kSweptBytes = std::size_t{1} << 25;

std::size_t padded(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

std::size_t total_bytes(const kernels::Prepared& prepared) {
  std::size_t total = 0;
  for (int r = 0; r < kernels::kRoles; ++r) total += padded(prepared.bytes(static_cast<kernels::Role>(r)));
  return total;
}

struct Entrant {
  std::unique_ptr<kernels::Kernel> kernel;
  double shortest = std::numeric_limits<double>::infinity();
  bool racing = true;
};

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

std::vector<double> Stopwatch::race(const std::vector<kernels::PreparedPtr>& prepared) {
  std::size_t most = 0;
  for (const auto& one : prepared) most = std::max(most, total_bytes(*one));
  reserve(most);
  std::vector<Entrant> entrants;
  for (const auto& one : prepared) entrants.push_back({.kernel = bind(*one)});
  // The first run counts too: an entrant that is removed after the second one has had two chances, since a disturbance
  // of the machine can spoil one.
  double best = std::numeric_limits<double>::infinity();
  for (Entrant& entrant : entrants) {
    entrant.shortest = time_once(*entrant.kernel);
    best = std::min(best, entrant.shortest);
  }
  for (Entrant& entrant : entrants) entrant.racing = entrant.shortest <= kFarBehind * best;
  const int fewest = best >= kLongSeconds ? kFewestLongRounds : kFewestRounds;
  double spent = 0;
  for (int round = 0; round < kMostRounds && (round < fewest || spent < kEnoughSeconds); ++round) {
    for (Entrant& entrant : entrants) {
      if (!entrant.racing) continue;
      const double seconds = time_once(*entrant.kernel);
      spent += seconds;
      entrant.shortest = std::min(entrant.shortest, seconds);
      best = std::min(best, entrant.shortest);
    }
    for (Entrant& entrant : entrants) entrant.racing = entrant.shortest <= kHopeless * best;
  }
  std::vector<double> result;
  for (const Entrant& entrant : entrants) result.push_back(entrant.shortest);
  return result;
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
  double shortest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kFewestRounds; ++round) {
    sweep_caches();
    shortest = std::min(shortest, time_once(*kernel));
  }
  return shortest;
}

double measure_peak_flops(const kernels::Device& device) {
  const kernels::DenseProblem product{.batch = 1024, .in_channels = 1024, .out = 1024, .bias = false};
  Stopwatch stopwatch;
  const auto seconds = stopwatch.race(kernels::candidates(device, product, kernels::Pass::forward));
  return product.flops() / *std::min_element(seconds.begin(), seconds.end());
}

}  // namespace convoy
