// The memory of a network's parameters, their gradients and running statistics, and its plain form for everybody
// outside the engine.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/engine/parameter_table.h"
#include "convoy/graph/initialisation.h"
#include "convoy/kernels/device.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy {

class ParameterStore {
 public:
  // Memory of its own.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table);

  // The arenas are somebody else's, zeroed, aligned to 64 bytes, of table.arena_floats each, and outlive the store: so
  // can a communicator place gradients where it reduces them without a copy.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table, std::span<float> parameters,
                 std::span<float> gradients);

  [[nodiscard]] const ParameterTable& table() const { return table_; }

  [[nodiscard]] std::span<float> parameters() { return parameters_; }
  [[nodiscard]] std::span<float> gradients() { return gradients_; }
  [[nodiscard]] std::span<float> statistics() { return statistics_.floats(); }

  // Gives every parameter its first value, keyed by its name; running means start at 0, variances at 1.
  void initialise(const Graph& graph, Initialiser kind, std::uint64_t seed);

  // Plain copies by index: OIHW, OI or C, as in Parameter::shape.
  [[nodiscard]] std::vector<float> plain_parameter(int index) const;
  [[nodiscard]] std::vector<float> plain_gradient(int index) const;
  void set_parameter(int index, std::span<const float> plain);
  [[nodiscard]] std::vector<float> plain_statistics(int index) const;
  void set_statistics(int index, std::span<const float> plain);

 private:
  [[nodiscard]] std::vector<float> to_plain(const ParameterEntry& entry, std::span<const float> arena) const;

  std::shared_ptr<const kernels::Device> device_;
  ParameterTable table_;
  AlignedBuffer owned_parameters_;
  AlignedBuffer owned_gradients_;
  AlignedBuffer statistics_;
  std::span<float> parameters_;
  std::span<float> gradients_;
};

}  // namespace convoy
