#include "convoy/data/loader/loader_rate.h"

#include "convoy/base/check.h"
#include "convoy/base/clock.h"

namespace convoy::data {
namespace {

constexpr int kStretches = 10;

std::int64_t take(Loader& loader) {
  const Batch* const batch = loader.next();
  CONVOY_CHECK(batch != nullptr);
  return static_cast<std::int64_t>(batch->labels.size());
}

}  // namespace

LoaderRate measure_loader(const Source& source, const LoaderOptions& options, double seconds) {
  Loader loader(source, options);
  for (int i = 0; i < options.ahead + 2; ++i) (void)take(loader);
  LoaderRate result;
  while (result.seconds < seconds || result.rates.empty()) {
    const Clock::time_point begin = Clock::now();
    std::int64_t rows = 0;
    do rows += take(loader);
    while (seconds_since(begin) < seconds / kStretches);
    const double spent = seconds_since(begin);
    result.rates.push_back(static_cast<double>(rows) / spent);
    result.rows += rows;
    result.seconds += spent;
  }
  return result;
}

namespace {

constexpr double kWorthACore = 0.01;

}  // namespace

int loader_threads(int cores, double make_seconds, double compute_seconds) {
  CONVOY_CHECK_LE(1, cores);
  if (make_seconds <= kWorthACore * compute_seconds) return 0;
  int threads = cores == 1 ? 0 : 1;
  const auto keeps_up = [&] { return make_seconds / threads <= compute_seconds * cores / (cores - threads); };
  while (threads + 1 < cores && !keeps_up()) ++threads;
  return threads;
}

}  // namespace convoy::data
