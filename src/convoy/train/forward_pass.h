// Sends rows of a batch through the network and counts what came out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/loader/loader.h"
#include "convoy/record/step_metrics.h"
#include "convoy/train/trainer_parts.h"

namespace convoy {

class ForwardPass {
 public:
  // `parts` must outlive it.
  explicit ForwardPass(const TrainerParts& parts) : parts_(parts) {}

  // Adds the losses and right answers of `rows` rows, from row `first` of this rank on, to `done`. `need` is called for
  // parameters before they are read; it may be empty.
  void run(const data::Batch& batch, std::size_t first, std::size_t rows, const StepInfo& info,
           const ParameterNeeded& need, StepMetrics& done);

 private:
  [[nodiscard]] std::span<const std::int32_t> leading_labels(std::span<const std::int32_t> labels,
                                                             std::span<const data::SecondLabel> seconds);

  const TrainerParts& parts_;
  std::vector<std::int32_t> leading_labels_;  // a member to reuse its memory
};

}  // namespace convoy
