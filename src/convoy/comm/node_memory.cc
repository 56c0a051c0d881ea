#include "convoy/comm/node_memory.h"

#include <memory>

#include "convoy/base/zeroed_memory.h"

namespace convoy {

NodeMemory heap_node_memory(int local_size, std::size_t bytes) {
  // Parts are whole cache lines, so that each of them is aligned.
  const std::size_t stride = (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
  auto memory = std::make_shared<ZeroedMemory>(zeroed_memory(stride * static_cast<std::size_t>(local_size)));
  NodeMemory shared{.parts = {}, .owner = memory};
  for (int local = 0; local < local_size; ++local) {
    shared.parts.emplace_back(memory->get() + static_cast<std::size_t>(local) * stride, bytes);
  }
  return shared;
}

}  // namespace convoy
