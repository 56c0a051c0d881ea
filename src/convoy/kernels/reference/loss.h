// Naive twins of the losses, for tests.
#pragma once

#include <cstdint>

#include "convoy/kernels/loss.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

using Labels = std::vector<std::int32_t>;

// One loss per sample.
[[nodiscard]] Values loss(const LossProblem& problem, const Values& logits, const Labels& labels);

// The gradient of each sample's loss by its logits.
[[nodiscard]] Values loss_gradient(const LossProblem& problem, const Values& logits, const Labels& labels);

}  // namespace convoy::kernels::reference
