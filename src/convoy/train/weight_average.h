// The moving average of a network's weights, which often tests better than the weights themselves. After each step
//
//   average = d * average + (1 - d) * weights,  d = min(decay, (1 + steps) / (10 + steps))
//
// so that the first weights are soon forgotten. Statistics of batch norms are averaged alike. All ranks have the same
// weights after a step and compute the same average.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/engine/parameter_store.h"

namespace convoy {

class Communicator;

class WeightAverage {
 public:
  // Starts as the store's weights. 0 < decay < 1. `store` outlives it.
  WeightAverage(ParameterStore& store, double decay);

  // The weights of now become the average.
  void restart();

  // To be called after each step; `steps` are those taken, that one included.
  void update(std::int64_t steps);

  // Exchanges the average and the store's weights. Called twice it changes nothing.
  void swap();

  // As "average/conv1.weight" for a checkpoint, or under the names of weights for a file of them.
  [[nodiscard]] std::vector<NamedTensor> checkpoint_tensors();
  [[nodiscard]] std::vector<NamedTensor> weights();

  // Goes on with what checkpoint_tensors() gave, or restarts where there is none among them. Throws DataError for
  // tensors that do not fit.
  void restore(std::span<const NamedTensor> tensors);

  // Collective: all ranks go on with the first one's.
  void share(Communicator& communicator);

 private:
  ParameterStore& store_;
  double decay_;
  std::vector<float> parameters_;
  std::vector<float> statistics_;
};

}  // namespace convoy
