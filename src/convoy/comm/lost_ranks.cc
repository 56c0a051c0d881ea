#include "convoy/comm/lost_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace convoy {

std::vector<int> missing_ranks(int waiting, const std::vector<std::optional<std::vector<int>>>& awaited_by) {
  std::vector<bool> seen(awaited_by.size());
  std::vector<int> missing;
  std::vector<int> to_visit = {waiting};
  while (!to_visit.empty()) {
    const int rank = to_visit.back();
    to_visit.pop_back();
    if (seen[rank]) continue;
    seen[rank] = true;
    if (!awaited_by[rank]) {
      missing.push_back(rank);
    } else {
      to_visit.insert(to_visit.end(), awaited_by[rank]->begin(), awaited_by[rank]->end());
    }
  }
  std::ranges::sort(missing);
  return missing;
}

PeerError lost_ranks_error(int waiting, const std::vector<int>& missing, const NodeMap& nodes,
                           std::chrono::milliseconds deadline) {
  const double seconds = std::chrono::duration<double>(deadline).count();
  if (missing.empty()) {
    return PeerError(
        fmt::format("rank {} on {} gave up after {:g} s: all ranks are there, but one came too late or they "
                    "wait for each other",
                    waiting, nodes.host_of(waiting), seconds),
        waiting);
  }
  std::string names;
  for (const int rank : missing) {
    names += fmt::format("{}rank {} on {}", names.empty() ? "" : ", ", rank, nodes.host_of(rank));
  }
  return PeerError(fmt::format("{} did not answer within {:g} s (rank {} on {} waited); it died, hangs or cannot be "
                               "reached",
                               names, seconds, waiting, nodes.host_of(waiting)),
                   missing.front());
}

}  // namespace convoy
