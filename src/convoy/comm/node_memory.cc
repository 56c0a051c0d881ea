#include "convoy/comm/node_memory.h"

#include <cstring>
#include <new>

namespace convoy {
namespace {

constexpr std::align_val_t kLineAlignment{64};

}  // namespace

NodeMemory heap_node_memory(int local_size, std::size_t bytes) {
  // Parts are whole cache lines, so that each of them is aligned.
  const std::size_t stride = (bytes + 63) / 64 * 64;
  const std::size_t total = stride * static_cast<std::size_t>(local_size);
  auto* const begin = static_cast<std::byte*>(::operator new(total, kLineAlignment));
  NodeMemory memory{.parts = {}, .owner = {begin, [](void* p) { ::operator delete(p, kLineAlignment); }}};
  std::memset(begin, 0, total);
  for (int local = 0; local < local_size; ++local) {
    memory.parts.emplace_back(begin + static_cast<std::size_t>(local) * stride, bytes);
  }
  return memory;
}

}  // namespace convoy
