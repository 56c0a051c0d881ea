#include "convoy/tensor/aligned_buffer.h"

#include <utility>

#include "convoy/base/check.h"

namespace convoy {

AlignedBuffer::AlignedBuffer(std::size_t bytes) : data_(zeroed_memory(bytes)), bytes_(bytes) {}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : data_(std::move(other.data_)), bytes_(std::exchange(other.bytes_, 0)) {}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept {
  data_ = std::move(other.data_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

std::span<float> AlignedBuffer::floats() {
  CONVOY_CHECK_EQ(bytes_ % sizeof(float), 0U);
  return {reinterpret_cast<float*>(data()), bytes_ / sizeof(float)};
}

std::span<const float> AlignedBuffer::floats() const {
  CONVOY_CHECK_EQ(bytes_ % sizeof(float), 0U);
  return {reinterpret_cast<const float*>(data()), bytes_ / sizeof(float)};
}

}  // namespace convoy
