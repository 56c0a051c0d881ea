#include "convoy/cli/fair_threads.h"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "convoy/base/machine.h"

namespace convoy::cli {
namespace {

struct Place {
  int node;
  cpu_set_t cpus;
};

bool share(const Place& a, const Place& b) { return a.node == b.node && CPU_EQUAL(&a.cpus, &b.cpus) != 0; }

}  // namespace

int fair_threads(Communicator& communicator) {
  Place own{};
  own.node = communicator.nodes().node_of(communicator.rank());
  (void)sched_getaffinity(0, sizeof(own.cpus), &own.cpus);
  std::vector<Place> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  const auto sharing =
      static_cast<int>(std::ranges::count_if(all, [&](const Place& other) { return share(own, other); }));
  return std::max(1, read_machine().usable_cores / sharing);
}

}  // namespace convoy::cli
