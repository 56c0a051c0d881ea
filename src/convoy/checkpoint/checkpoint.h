// Everything a run needs to go on as if it had never stopped.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"

namespace convoy {

struct Checkpoint {
  std::string model;                 // "resnet20"
  std::string data;                  // "cifar10"
  std::int64_t epoch = 0;            // epochs done
  std::int64_t step = 0;             // steps done
  std::int64_t optimizer_steps = 0;  // updates done; less than `step` when updates were left out
  std::optional<double> best_metric;
  nlohmann::ordered_json training;  // seed, place in the epoch, schedule, ...: not interpreted here
  // Settings and kernels; not interpreted here either; null in checkpoints of older versions.
  nlohmann::ordered_json run;
  std::vector<NamedTensor> weights;  // plain, under PyTorch's names: "conv1.weight", "bn1.running_mean"
  std::map<std::string, std::string> weights_metadata;  // further metadata of the weights' file
  // "momentum/conv1.weight": state, slash, parameter. Also what the compression of gradients remembers.
  std::vector<NamedTensor> optimizer;
};

}  // namespace convoy
