// A contiguous part of an arena.
#pragma once

#include <cstddef>

namespace convoy {

// Offset and size are in floats.
struct ArenaSlice {
  std::size_t offset = 0;
  std::size_t count = 0;

  [[nodiscard]] std::size_t end() const { return offset + count; }
  bool operator==(const ArenaSlice&) const = default;
};

}  // namespace convoy
