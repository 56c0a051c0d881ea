// The cores that kernels run on. Everything that is prepared on a device runs with its number of threads.
#pragma once

#include <cstdint>
#include <memory>

namespace convoy::kernels {

class Device {
 public:
  // threads must be at least one.
  explicit Device(int threads);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] int threads() const { return threads_; }

  // Makes the calling thread compute with this device's threads. OpenMP keeps that number per calling thread, so every
  // thread that prepares or runs kernels must call this first; it costs nothing.
  void use() const;

  struct Impl;
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  int threads_;
  std::unique_ptr<Impl> impl_;
};

// The widest vectors that this machine has and oneDNN may use.
enum class InstructionSet : std::uint8_t { baseline, avx2, avx512 };
[[nodiscard]] InstructionSet instruction_set();

// Whether oneDNN has bf16 kernels for this machine, and whether the processor has instructions that multiply bf16.
// Without the latter such kernels are no faster than those for floats.
[[nodiscard]] bool has_bf16_kernels();
[[nodiscard]] bool has_bf16_instructions();
// Whether it also has matrix registers for bf16 (AMX) and the system lets this process use them.
[[nodiscard]] bool has_matrix_registers();

// The number of channels per block of Layout::blocked on this machine: the floats in one vector register.
[[nodiscard]] int channel_block();

}  // namespace convoy::kernels
