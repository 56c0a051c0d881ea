// The memory of a network's parameters, their gradients and running statistics, and its plain form for everybody
// outside the engine. Where kernels read weights in bf16 there is a copy of the parameters in that type: whoever writes
// parameters writes it too.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/engine/parameter_table.h"
#include "convoy/graph/initialisation.h"
#include "convoy/kernels/device.h"
#include "convoy/tensor/aligned_buffer.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

class ParameterStore {
 public:
  // Memory of its own.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table);

  // The arenas are somebody else's, zeroed, aligned to 64 bytes, of table.arena_floats and table.trainable_floats, and
  // outlive the store: so can a communicator place gradients where it reduces them without a copy. `copies` has as many
  // elements as the parameters where the table has copies, and none elsewhere.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table, std::span<float> parameters,
                 std::span<float> gradients, std::span<BFloat16> copies = {});

  [[nodiscard]] const ParameterTable& table() const { return table_; }

  // An update of the parameters goes over as many floats as there are gradients; what lies behind is frozen.
  [[nodiscard]] std::span<float> parameters() { return parameters_; }
  [[nodiscard]] std::span<float> gradients() { return gradients_; }
  [[nodiscard]] std::span<float> statistics() { return statistics_.floats(); }
  // Empty where kernels read no parameter in bf16.
  [[nodiscard]] std::span<BFloat16> copies() { return copies_; }
  // The part of the copies that belongs to a slice of the parameters; empty where there are none.
  [[nodiscard]] std::span<BFloat16> copies(const ArenaSlice& slice) {
    return copies_.empty() ? copies_ : copies_.subspan(slice.offset, slice.count);
  }
  // To be called by whoever has written parameters() directly.
  void renew_copies();

  // Gives every parameter its first value, keyed by its name; running means start at 0, variances at 1. Throws
  // UserError when `graph` is not the one the table is of.
  void initialise(const Graph& graph, Initialiser kind, std::uint64_t seed);

  // Plain copies by index: OIHW, OI or C, as in Parameter::shape. An index that is not there, a gradient that is not
  // computed and values that are not as many as the shape has are UserErrors with name and shape.
  [[nodiscard]] std::vector<float> plain_parameter(int index) const { return plain(index, parameters_); }
  [[nodiscard]] std::vector<float> plain_gradient(int index) const;
  void set_parameter(int index, std::span<const float> plain);
  [[nodiscard]] std::vector<float> plain_statistics(int index) const;
  void set_statistics(int index, std::span<const float> plain);

  // The same for any memory laid out as the parameters are, such as the state of an optimizer: the tensor that lies
  // where parameter `index` does. Writing it leaves the zeros that pad it zero.
  [[nodiscard]] std::vector<float> plain(int index, std::span<const float> arena) const;
  void set_plain(int index, std::span<const float> plain, std::span<float> arena) const;

 private:
  [[nodiscard]] const ParameterEntry& entry(int index) const;
  [[nodiscard]] const StatisticsEntry& statistics_entry(int index) const;

  std::shared_ptr<const kernels::Device> device_;
  ParameterTable table_;
  AlignedBuffer owned_parameters_;
  AlignedBuffer owned_gradients_;
  AlignedBuffer owned_copies_;
  AlignedBuffer statistics_;
  std::span<float> parameters_;
  std::span<float> gradients_;
  std::span<BFloat16> copies_;
};

}  // namespace convoy
