// Naive twins of the losses, for tests.
#pragma once

#include <cstdint>

#include "convoy/kernels/loss.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

using Labels = std::vector<std::int32_t>;

// Beside `labels`: second classes of samples that are mixed, with their shares; empty where none is.
using OtherLabels = std::vector<OtherLabel>;

// One loss per sample.
[[nodiscard]] Values loss(const LossProblem& problem, const Values& logits, const Labels& labels,
                          const OtherLabels& others = {});

// The gradient of each sample's loss by its logits.
[[nodiscard]] Values loss_gradient(const LossProblem& problem, const Values& logits, const Labels& labels,
                                   const OtherLabels& others = {});

}  // namespace convoy::kernels::reference
