#include "convoy/tensor/aligned_buffer.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/number_text.h"

namespace convoy {

namespace {

// Buffers of at least this size are mapped from the kernel: its zero pages are cheaper than clearing memory, and huge
// pages pay off.
constexpr std::size_t kMapThreshold = std::size_t{1} << 21;

[[noreturn]] void refuse(std::size_t bytes) {
  throw SystemError(fmt::format("cannot allocate {} ({} bytes): the machine has not that much memory left",
                                bytes_text(static_cast<double>(bytes)), bytes));
}

std::byte* map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    refuse(bytes);
  }
  // Only a hint: the memory works the same where huge pages are off.
  (void)madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

std::byte* allocate(std::size_t bytes) {
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t rounded = (bytes + AlignedBuffer::kAlignment - 1) / AlignedBuffer::kAlignment;
  void* const memory = std::aligned_alloc(AlignedBuffer::kAlignment, rounded * AlignedBuffer::kAlignment);
  if (memory == nullptr) {
    refuse(bytes);
  }
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

AlignedBuffer::AlignedBuffer(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) {
    return;
  }
  data_ = {bytes >= kMapThreshold ? map(bytes) : allocate(bytes), Free{bytes}};
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : data_(std::move(other.data_)), bytes_(std::exchange(other.bytes_, 0)) {}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept {
  data_ = std::move(other.data_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void AlignedBuffer::Free::operator()(std::byte* memory) const {
  if (bytes >= kMapThreshold) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
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
