// Owned memory for tensors, aligned to a cache line and zeroed. Large buffers take no pages until they are written.
#pragma once

#include <cstddef>
#include <span>

#include "convoy/base/zeroed_memory.h"

namespace convoy {

class AlignedBuffer {
 public:
  static constexpr std::size_t kAlignment = kLineBytes;

  AlignedBuffer() = default;

  // Zeroed memory. Throws SystemError with the size when the machine has not enough.
  explicit AlignedBuffer(std::size_t bytes);

  // A moved-from buffer is empty.
  AlignedBuffer(AlignedBuffer&& other) noexcept;
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept;

  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] const std::byte* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size_bytes() const { return bytes_; }

  // The memory as floats; the size must be a multiple of four.
  [[nodiscard]] std::span<float> floats();
  [[nodiscard]] std::span<const float> floats() const;

 private:
  ZeroedMemory data_;
  std::size_t bytes_ = 0;
};

}  // namespace convoy
