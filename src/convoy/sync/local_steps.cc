#include "convoy/sync/local_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/comm/node_transport.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/sync/bucket_plan.h"

namespace convoy {
namespace {

std::vector<std::vector<int>> groups_of(const NodeMap& nodes) {
  std::vector<std::vector<int>> groups;
  if (nodes.node_count() == 1) {
    for (int rank = 0; rank < nodes.rank_count(); ++rank) groups.push_back({rank});
  } else {
    for (int node = 0; node < nodes.node_count(); ++node) groups.push_back(nodes.ranks_of(node));
  }
  return groups;
}

}  // namespace

// For a rank that is a group by itself.
struct LocalSteps::Alone {
  explicit Alone(const ReplicaMemory& all) : memory(all.parameters(), all.gradients()) {}

  SoloTransport transport;
  ReplicaMemory memory;
};

LocalSteps::LocalSteps(Communicator& world, ReplicaMemory& memory, const ReducerOptions& options)
    : options_(options.local),
      world_(world),
      memory_(memory),
      algorithm_(options.algorithm),
      bucket_bytes_(options.bucket_bytes != 0 ? options.bucket_bytes : usual_bucket(world.table(), options.algorithm)),
      groups_(groups_of(world.nodes())) {
  check_options(options_);
  while (std::ranges::find(groups_[static_cast<std::size_t>(own_group_)], world.rank()) ==
         groups_[static_cast<std::size_t>(own_group_)].end()) {
    ++own_group_;
  }
  const ReducerOptions inside{.timeline = options.timeline};
  if (world.nodes().node_count() == 1) {
    alone_ = std::make_unique<Alone>(memory);
    communicator_.emplace(alone_->transport);
    reducer_ = make_gradient_reducer(*communicator_, alone_->memory, inside);
  } else {
    node_ = std::make_unique<NodeTransport>(world.transport());
    communicator_.emplace(*node_);
    reducer_ = make_gradient_reducer(*communicator_, memory, inside);
  }
}

LocalSteps::~LocalSteps() = default;

std::span<float> LocalSteps::trained() const { return memory_.parameters().first(memory_.gradients().size()); }

void LocalSteps::begin() {
  has_begun_ = true;
  if (!options_.moves_by_blocks()) return;
  model_.assign(trained().begin(), trained().end());
  change_.assign(model_.size(), 0.0F);
}

void LocalSteps::average(std::span<float> statistics, bool goes_on) {
  CONVOY_CHECK(has_begun_);
  average_parameters();
  if (options_.moves_by_blocks()) move_block(goes_on);
  if (!statistics.empty()) average_over(world_, statistics, Algorithm::hierarchical);
}

// Bucket by bucket, because an all-reduce needs extra memory for what it sums at a time.
void LocalSteps::average_parameters() {
  for (const ArenaSlice& bucket : plan_buckets(trained().size(), bucket_bytes_)) {
    average_over(world_, trained().subspan(bucket.offset, bucket.count), algorithm_);
  }
}

void LocalSteps::move_block(bool goes_on) {
  const auto rate = static_cast<float>(options_.block_rate);
  const auto momentum = static_cast<float>(options_.block_momentum);
  const float ahead = options_.block_nesterov ? momentum : 0.0F;
  const std::span<float> values = trained();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float begin = model_[i] + ahead * change_[i];
    change_[i] = momentum * change_[i] + rate * (values[i] - begin);
    model_[i] += change_[i];
    values[i] = model_[i] + (goes_on ? ahead * change_[i] : 0.0F);
  }
}

std::string LocalSteps::description() const {
  std::string text = fmt::format("models averaged every {} steps over {} groups", options_.steps, groups_.size());
  if (options_.after > 0) text += fmt::format(", after {} steps", options_.after);
  if (options_.moves_by_blocks()) {
    text += fmt::format(", block rate {:g}, block momentum {:g}{}", options_.block_rate, options_.block_momentum,
                        options_.block_nesterov ? " (Nesterov)" : "");
  }
  return text;
}

void average_over(Communicator& communicator, std::span<float> values, Algorithm algorithm) {
  if (communicator.size() == 1 || values.empty()) return;
  communicator.all_reduce(values, algorithm);
  for (float& value : values) value /= static_cast<float>(communicator.size());
}

}  // namespace convoy
