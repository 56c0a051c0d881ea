// The memory of a network's parameters, their gradients and running statistics, and access to them in plain form for
// everybody outside the engine. If kernels read weights in bf16, there is a copy of the parameters in that type;
// whoever writes parameters must write it too.
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
  // Allocates its own memory.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table);

  // The arenas belong to the caller. They must be zeroed, aligned to 64 bytes, have table.arena_floats and
  // table.trainable_floats floats, and outlive the store. So a communicator can place gradients where it reduces them
  // without a copy. `copies` has as many elements as the parameters if the table has copies, otherwise none.
  ParameterStore(std::shared_ptr<const kernels::Device> device, ParameterTable table, std::span<float> parameters,
                 std::span<float> gradients, std::span<BFloat16> copies = {});

  [[nodiscard]] const ParameterTable& table() const { return table_; }

  // There are as many gradients as trained parameters; the parameters after these are frozen.
  [[nodiscard]] std::span<float> parameters() { return parameters_; }
  [[nodiscard]] std::span<float> gradients() { return gradients_; }
  [[nodiscard]] std::span<float> statistics() { return statistics_.floats(); }
  // Empty if kernels read no parameter in bf16.
  [[nodiscard]] std::span<BFloat16> copies() { return copies_; }
  // The part of the copies that belongs to a slice of the parameters; empty if there are none.
  [[nodiscard]] std::span<BFloat16> copies(const ArenaSlice& slice) {
    return copies_.empty() ? copies_ : copies_.subspan(slice.offset, slice.count);
  }
  // Must be called after parameters() was written directly.
  void renew_copies();

  // Gives every parameter its initial value, which depends on its name; running means start at 0, variances at 1.
  // Throws UserError when the table is not that of `graph`.
  void initialise(const Graph& graph, Initialiser kind, std::uint64_t seed);

  // Plain copies by index: OIHW, OI or C, as in Parameter::shape. Throw UserError with name and shape for an index that
  // does not exist, a gradient that is not computed, or a wrong number of values.
  [[nodiscard]] std::vector<float> plain_parameter(int index) const { return plain(index, parameters_); }
  [[nodiscard]] std::vector<float> plain_gradient(int index) const;
  void set_parameter(int index, std::span<const float> plain);
  [[nodiscard]] std::vector<float> plain_statistics(int index) const;
  void set_statistics(int index, std::span<const float> plain);

  // The same for any memory that is laid out like the parameters, such as the state of an optimizer: the tensor at the
  // place of parameter `index`. Writing it keeps the zeros that pad it.
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
