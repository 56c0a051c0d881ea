#include "convoy/engine/memory_plan.h"

#include <algorithm>
#include <numeric>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"

namespace convoy {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

bool alive_together(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

struct Placed {
  std::size_t offset;
  std::size_t end;
  Lifetime lifetime;
};

// The lowest offset at which `bytes` fit between placed buffers that live at the same time. `placed` is sorted by
// offset.
std::size_t lowest_gap(const std::vector<Placed>& placed, const Lifetime& lifetime, std::size_t bytes) {
  std::size_t offset = 0;
  for (const Placed& other : placed) {
    if (!alive_together(other.lifetime, lifetime)) continue;
    if (offset + bytes <= other.offset) break;
    offset = std::max(offset, other.end);
  }
  return offset;
}

}  // namespace

std::vector<Lifetime> lifetimes_of(const Program& program) {
  std::vector<Lifetime> lifetimes(program.buffers.size());
  const int count = static_cast<int>(program.instructions.size());
  for (int i = 0; i < count; ++i) {
    for (const Operand& operand : program.instructions[static_cast<std::size_t>(i)].operands) {
      if (operand.space != Space::buffer) continue;
      Lifetime& lifetime = lifetimes[static_cast<std::size_t>(operand.index)];
      if (lifetime.first < 0) lifetime.first = i;
      lifetime.last = i;
    }
  }
  for (std::size_t b = 0; b < lifetimes.size(); ++b) {
    if (program.buffers[b].persistent) lifetimes[b] = {0, count};
  }
  return lifetimes;
}

MemoryPlan plan_memory(const std::vector<Buffer>& buffers, const std::vector<Lifetime>& lifetimes) {
  CONVOY_CHECK_EQ(buffers.size(), lifetimes.size());
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  MemoryPlan plan{.offsets = std::vector<std::size_t>(buffers.size(), 0)};
  std::vector<Placed> placed;
  for (const std::size_t b : order) {
    if (lifetimes[b].first < 0 || buffers[b].bytes == 0) continue;
    const std::size_t bytes = aligned(buffers[b].bytes);
    const std::size_t offset = lowest_gap(placed, lifetimes[b], bytes);
    plan.offsets[b] = offset;
    plan.bytes = std::max(plan.bytes, offset + bytes);
    const Placed entry{offset, offset + bytes, lifetimes[b]};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), entry,
                                   [](const Placed& x, const Placed& y) { return x.offset < y.offset; }),
                  entry);
  }
  return plan;
}

void check_fits_in_memory(std::int64_t batch, std::size_t needed_bytes) {
  const auto available = static_cast<double>(read_machine().available_memory_bytes);
  const auto needed = static_cast<double>(needed_bytes);
  if (available > 0 && needed > available) {
    throw UserError("a batch of {} needs {} of memory to work in, but {} are free; use a smaller batch", batch,
                    bytes_text(needed), bytes_text(available));
  }
}

}  // namespace convoy
