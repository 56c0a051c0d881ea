// Measures what a dense layer costs on this machine, to decide what ranks exchange for it (dense_costs.h).
#pragma once

#include "convoy/engine/network.h"
#include "convoy/optim/optimizer_options.h"

namespace convoy {

// Seconds for the layer's output and its input's gradient, of a batch of the network.
[[nodiscard]] double passes_seconds(Network& network, LayerId layer);

// Seconds for updating so many parameters, by a rule with these options.
[[nodiscard]] double update_seconds(const OptimizerOptions& options, std::size_t parameters);

}  // namespace convoy
