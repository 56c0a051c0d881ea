// A plan bound to memory: runs its instructions. Nothing is allocated, described or locked while it runs.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "convoy/engine/parameter_store.h"
#include "convoy/engine/plan.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

// Called when the gradient of a parameter is complete, in readiness order. The slice is in the gradient arena; it will
// not change in this step, and the parameter at the same place will not be read again.
using GradientReady = std::function<void(const ArenaSlice&)>;

// Called before an instruction of forward reads the parameter in that slice.
using ParameterNeeded = std::function<void(const ArenaSlice&)>;

// The weight gradient of a layer is the product of the layer's input and the gradient of its output. For these layers
// backward does not compute the product: instead it passes both factors, with a row for each sample, to `take`. They
// are no longer valid when it returns. The layer's parameters are reported ready as usual.
struct FactorTaking {
  std::set<LayerId> layers;
  std::function<void(LayerId layer, std::span<const std::byte> source, std::span<const std::byte> diff_destination)>
      take;
};

// These layers are computed elsewhere: the executor passes on what it has instead of running their kernels. Rows are
// those of the batch, in the layouts of the layer's kernels.
struct LayerTaking {
  std::set<LayerId> layers;
  std::function<void(LayerId layer, std::span<const std::byte> source, std::span<std::byte> destination)> forward;
  // Not called for a layer whose input needs no gradient.
  std::function<void(LayerId layer, std::span<const std::byte> diff_destination, std::span<std::byte> diff_source)>
      backward_data;
  // The last call for a layer in a step. Afterwards its parameters are reported ready.
  std::function<void(LayerId layer, std::span<const std::byte> diff_destination)> backward_weights;
};

// Seconds spent in each instruction, summed over steps.
using Profile = std::vector<double>;

class Executor {
 public:
  // `working` is memory of plan.working_bytes(). It must outlive the executor, and so must the store and the step info.
  Executor(Plan plan, ParameterStore& store, const kernels::StepInfo& step_info, std::span<std::byte> working);

  [[nodiscard]] const Plan& plan() const { return plan_; }

  // The memory of a persistent buffer of the plan; empty for -1.
  template <typename T>
  [[nodiscard]] std::span<T> memory(BufferId id) const {
    if (id < 0) return {};
    const auto at = static_cast<std::size_t>(id);
    return {reinterpret_cast<T*>(working_.data() + plan_.memory.offsets[at]),
            plan_.program.buffers[at].bytes / sizeof(T)};
  }

  void forward(const ParameterNeeded& before_reading, const LayerTaking& elsewhere, Profile* profile);
  void backward(const GradientReady& on_gradient_ready, const FactorTaking& factors, const LayerTaking& elsewhere,
                Profile* profile);

 private:
  [[nodiscard]] std::span<std::byte> buffer_of(const Instruction& instruction, kernels::Role role) const;
  [[nodiscard]] bool pass_on(const Instruction& instruction, const LayerTaking& elsewhere) const;
  [[nodiscard]] bool pass_on(const Instruction& instruction, const FactorTaking& factors) const;
  [[nodiscard]] void* address(const Operand& operand, ParameterStore& store, const kernels::StepInfo& info) const;
  void tell_parameters(const Instruction& instruction, const ParameterNeeded& before_reading) const;
  void run(std::size_t instruction, Profile* profile);

  Plan plan_;
  std::span<std::byte> working_;
  std::vector<std::unique_ptr<kernels::Kernel>> kernels_;
};

}  // namespace convoy
