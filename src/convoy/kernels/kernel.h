// What every operator looks like to the engine. A Prepared operator is planned: its implementation, layouts and memory
// needs are fixed. Binding it to memory gives a Kernel, which runs any number of times without allocating.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "convoy/kernels/layout.h"

namespace convoy::kernels {

// What an operand means to an operator. "diff" is the gradient of the loss with respect to that tensor.
enum class Role : std::uint8_t {
  source,
  source2,  // the second summand, or the shortcut added after batch norm
  weights,  // also the scale of batch norm
  bias,     // also the shift of batch norm
  destination,
  diff_source,
  diff_source2,
  diff_weights,
  diff_bias,
  diff_destination,
  diff_destination2,  // a second gradient of the same tensor, added to the first
  workspace,          // written by forward, read by backward
  running_mean,
  running_variance,
  labels,        // one std::int32_t class per sample
  other_labels,  // one OtherLabel per sample, see loss.h
  step_info,     // a StepInfo, read anew in every run
  scratchpad,    // contents matter only while the kernel runs
};
inline constexpr int kRoles = 18;

// What changes from step to step, besides the data.
struct StepInfo {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  // The place of this batch's first sample in the global batch: random masks belong to samples and not to ranks.
  std::uint64_t first_sample = 0;
  // The gradient of a sample's loss is multiplied by this: one divided by the global batch.
  float gradient_scale = 1.0F;
  // For batch norm over the samples of all ranks: replaces values by their sums over the ranks. All ranks call it
  // equally often and with equally many values. Null: each rank's batch norm uses its own samples.
  const std::function<void(std::span<double>)>* sum_over_ranks = nullptr;
  // False: these samples only keep this rank in step with the others and do not count in sums over ranks.
  bool counts = true;
};

// The memory for each role; null if the operator does not use it.
class Bindings {
 public:
  [[nodiscard]] void* operator[](Role role) const { return memory_[static_cast<std::size_t>(role)]; }
  void set(Role role, void* memory) { memory_[static_cast<std::size_t>(role)] = memory; }

  template <typename T>
  [[nodiscard]] T* as(Role role) const {
    return static_cast<T*>((*this)[role]);
  }

 private:
  std::array<void*, kRoles> memory_{};
};

// An operator bound to its memory. Not thread-safe: one kernel runs at a time, and uses the device's threads inside.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;
  virtual void run() = 0;
};

class Prepared {
 public:
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  virtual ~Prepared() = default;

  // The name of the implementation, for people and for the tuning cache.
  [[nodiscard]] virtual std::string implementation() const = 0;

  // The layout that the operator wants for a tensor operand. Null if the role is not a tensor or not used.
  [[nodiscard]] virtual Layout layout(Role role) const = 0;

  // The bytes that the operand needs: those of its layout, or of the workspace or scratchpad. Zero when not used.
  [[nodiscard]] virtual std::size_t bytes(Role role) const { return layout(role).bytes(); }

  // The memory must outlive the kernel. Every role with bytes() > 0 must be bound.
  [[nodiscard]] virtual std::unique_ptr<Kernel> bind(const Bindings& memory) const = 0;
};

using PreparedPtr = std::shared_ptr<const Prepared>;

}  // namespace convoy::kernels
