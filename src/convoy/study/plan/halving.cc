#include "convoy/study/plan/halving.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "convoy/base/check.h"

namespace convoy::study {

std::vector<std::int64_t> halving_rungs(const HalvingOptions& options) {
  CONVOY_CHECK_LE(2, options.eta);
  CONVOY_CHECK_LE(1, options.first_epochs);
  CONVOY_CHECK_LE(options.first_epochs, options.last_epochs);
  std::vector<std::int64_t> rungs = {options.first_epochs};
  while (rungs.back() < options.last_epochs) {
    // Divided and not multiplied, which could overflow.
    const bool is_last = rungs.back() > options.last_epochs / options.eta;
    rungs.push_back(is_last ? options.last_epochs : rungs.back() * options.eta);
  }
  return rungs;
}

std::vector<std::size_t> halving_survivors(std::span<const HalvingPoint> points, std::int64_t eta) {
  CONVOY_CHECK_LE(2, eta);
  std::map<std::int64_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) groups[points[i].group].push_back(i);

  std::vector<std::size_t> survivors;
  for (auto& [group, members] : groups) {
    const std::int64_t share = std::max<std::int64_t>(std::ssize(members) / eta, 1);
    std::erase_if(members, [&](std::size_t i) { return !std::isfinite(points[i].loss); });
    std::ranges::stable_sort(members, {}, [&](std::size_t i) { return points[i].loss; });
    members.resize(static_cast<std::size_t>(std::min<std::int64_t>(share, std::ssize(members))));
    survivors.insert(survivors.end(), members.begin(), members.end());
  }
  std::ranges::sort(survivors);
  return survivors;
}

}  // namespace convoy::study
