// All a run needs to go on as if it had never stopped.
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
  std::int64_t optimizer_steps = 0;  // updates done; differs from step when updates were left out
  std::optional<double> best_metric;
  nlohmann::ordered_json training;   // seed, place in the epoch, schedule, ...: not understood here
  nlohmann::ordered_json run;        // settings and kernels, likewise; null in checkpoints of earlier versions
  std::vector<NamedTensor> weights;  // "conv1.weight", "bn1.running_mean": as PyTorch names them, plain
  std::map<std::string, std::string> weights_metadata;  // what else the weights' file says of them
  // "momentum/conv1.weight": state, a slash, parameter. With it what the compression of gradients remembers.
  std::vector<NamedTensor> optimizer;
};

}  // namespace convoy
