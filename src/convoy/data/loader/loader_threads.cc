#include "convoy/data/loader/loader_threads.h"

#include "convoy/base/check.h"

namespace convoy::data {
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
