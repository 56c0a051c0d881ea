// Naive twins of the losses, for tests.
#pragma once

#include <cstdint>

#include "convoy/kernels/loss.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

using Labels = std::vector<std::int32_t>;

// The second classes of mixed samples with their shares, besides `labels`; empty if no sample is mixed.
using OtherLabels = std::vector<OtherLabel>;

// One loss per sample.
[[nodiscard]] Values loss(const LossProblem& problem, const Values& logits, const Labels& labels,
                          const OtherLabels& others = {});

// The gradient of each sample's loss with respect to its logits.
[[nodiscard]] Values loss_gradient(const LossProblem& problem, const Values& logits, const Labels& labels,
                                   const OtherLabels& others = {});

}  // namespace convoy::kernels::reference
