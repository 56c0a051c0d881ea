#include "convoy/train/trainer_parts.h"

#include "convoy/base/error.h"
#include "convoy/train/fitting.h"

namespace convoy {
namespace {

void check_network(const TrainerParts& parts, const TrainerOptions& options) {
  const Network& network = parts.network;
  if (!network.plan().training) throw UserError("the network was compiled for prediction: training = false");
  if (network.plan().targets >= 0) {
    throw UserError("the loss needs float targets, which data sets do not have: train it step by step (Network)");
  }
  const int ranks = parts.replica == nullptr ? 1 : parts.replica->size();
  const std::int64_t rows = rows_of_piece(options, ranks);
  if (network.full_batch() >= rows) return;
  throw UserError(
      "the network was compiled for a batch of {}, and a batch of {} on {} rank(s) is computed {} rows at a time: "
      "compile it for rows_of_piece()",
      network.full_batch(), options.batch, ranks, rows);
}

void check_memory(const TrainerParts& parts) {
  ParameterStore& store = parts.network.parameters();
  if (parts.optimizer.arena_floats() < store.gradients().size()) {
    throw UserError("the optimizer was made for {} parameters, the network trains {}", parts.optimizer.arena_floats(),
                    store.gradients().size());
  }
  if (parts.replica == nullptr) return;
  const ReplicaMemory& memory = parts.replica->memory();
  if (memory.parameters().data() == store.parameters().data() && memory.gradients().data() == store.gradients().data())
    return;
  throw UserError("the network does not lie in the replica's memory: make both as a ReplicaNetwork");
}

// What needs ranks that step together; settings refuse the same by their flags.
void check_async(const TrainerParts& parts, const TrainerOptions& options) {
  if (parts.replica == nullptr || parts.replica->async() == nullptr) return;
  const bool is_layerwise = !parts.optimizer.squares().empty();
  if (options.clip_norm > 0 || options.sync_batch_norm || options.grains > 0 || options.average_decay != 0 ||
      is_layerwise || parts.replica->local() != nullptr) {
    throw UserError(
        "asynchronous training goes with neither clipping, synchronised batch norm, grains, averaged weights, "
        "layer-wise rules nor local steps");
  }
}

}  // namespace

void check_parts(const TrainerParts& parts, const TrainerOptions& options) {
  if (!parts.learning_rate) throw UserError("a trainer needs a learning rate for each step: learning_rate is empty");
  require_fitting(parts.network.graph(), parts.source);
  check_network(parts, options);
  check_memory(parts);
  check_async(parts, options);
}

}  // namespace convoy
