#include "convoy/base/zeroed_memory.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"

namespace convoy {
namespace {

// Stretches of at least this size are mapped from the kernel: its zero pages are cheaper than clearing memory, and huge
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
  const std::size_t lines = (bytes + kLineBytes - 1) / kLineBytes;
  void* const memory = std::aligned_alloc(kLineBytes, lines * kLineBytes);
  if (memory == nullptr) {
    refuse(bytes);
  }
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

ZeroedMemory zeroed_memory(std::size_t bytes) {
  if (bytes == 0) return {};
  return {bytes >= kMapThreshold ? map(bytes) : allocate(bytes), FreeZeroedMemory{bytes}};
}

void FreeZeroedMemory::operator()(std::byte* memory) const {
  if (bytes >= kMapThreshold) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace convoy
