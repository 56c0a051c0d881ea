// The moving average of a network's weights, which often tests better than the weights themselves. After each step
//
//   average = d * average + (1 - d) * weights,  d = min(decay, (1 + steps) / (10 + steps))
//
// so that the initial weights are soon forgotten. Statistics of batch norms are averaged in the same way. All ranks
// have the same weights after a step and compute the same average.
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
  // Starts with the store's weights. 0 < decay < 1. `store` must outlive it.
  WeightAverage(ParameterStore& store, double decay);

  // Sets the average to the current weights.
  void restart();

  // Must be called after each step; `steps` is the number of steps so far, including this one.
  void update(std::int64_t steps);

  // Exchanges the average and the store's weights. Calling it twice changes nothing.
  void swap();

  // Under names such as "average/conv1.weight" for a checkpoint, or under the names of the weights for a weights file.
  [[nodiscard]] std::vector<NamedTensor> checkpoint_tensors();
  [[nodiscard]] std::vector<NamedTensor> weights();

  // Continues with what checkpoint_tensors() returned, or restarts if that is not among the tensors. Throws DataError
  // for tensors that do not fit.
  void restore(std::span<const NamedTensor> tensors);

  // Collective: all ranks continue with the first one's average.
  void share(Communicator& communicator);

 private:
  ParameterStore& store_;
  double decay_;
  std::vector<float> parameters_;
  std::vector<float> statistics_;
};

}  // namespace convoy
