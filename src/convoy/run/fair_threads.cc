#include "convoy/run/fair_threads.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"

namespace convoy {
namespace {

struct Place {
  int node;
  cpu_set_t cpus;
};

bool share(const Place& a, const Place& b) { return a.node == b.node && CPU_EQUAL(&a.cpus, &b.cpus) != 0; }

std::string plural(int count, const char* noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

// More than any machine has cores. libgomp ends the process when it cannot start a thread.
constexpr int kMostThreads = 1024;

}  // namespace

void require_threads(int threads) {
  if (threads < 1 || threads > kMostThreads) {
    throw UserError("--threads must be 1 to {}, got {}", kMostThreads, threads);
  }
}

ThreadChoice choose_threads(const ThreadWish& wish, int share) {
  if (wish.exactly) {
    require_threads(*wish.exactly);
    if (*wish.exactly <= share) return {.threads = *wish.exactly, .note = {}};
    return {.threads = *wish.exactly,
            .note = fmt::format("{} share {}: they slow each other down; --threads {} is faster here, but rounds "
                                "differently",
                                plural(*wish.exactly, "thread"), plural(share, "core"), share)};
  }
  if (!wish.at_most || *wish.at_most <= share) return {.threads = wish.at_most.value_or(share), .note = {}};
  return {.threads = share, .note = fewer_threads_note(*wish.at_most, share)};
}

std::string fewer_threads_note(int before, int now) {
  return fmt::format(
      "workers of this run had {} and now have {}, their share of the cores; --threads {} keeps them as they were",
      plural(before, "thread"), now, before);
}

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

}  // namespace convoy
