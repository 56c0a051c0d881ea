// Zeroed memory, aligned to a cache line. Large stretches take no pages until they are written, and then large pages,
// where the system has them: passes over parameters spend much of their time on finding pages otherwise.
#pragma once

#include <cstddef>
#include <memory>

namespace convoy {

inline constexpr std::size_t kLineBytes = 64;

struct FreeZeroedMemory {
  std::size_t bytes = 0;  // tells mapped memory from heap memory
  void operator()(std::byte* memory) const;
};
using ZeroedMemory = std::unique_ptr<std::byte[], FreeZeroedMemory>;

// Nothing for no bytes. Throws SystemError with the size when the machine has not enough.
[[nodiscard]] ZeroedMemory zeroed_memory(std::size_t bytes);

}  // namespace convoy
