// Training that communicates less often: groups of ranks take some steps alone, a block, and then average their models.
//
// A group is a node. Inside it gradients are summed in every step, in shared memory, as on a single node. If all ranks
// are on one node there would be only one group and nothing to average; each rank is then a group by itself.
//
// With a block rate z and a block momentum m (Chen and Huo's BMUF), the mean of the groups does not become the model
// directly:
//
//   change = m * change + z * (mean - where the block began)
//   model  = model + change
//
// The next block begins at the model or, in Nesterov's form, a step ahead of it: at model + m * change. The final model
// of a training is not a step ahead.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/sync/local_options.h"
#include "convoy/sync/replica_memory.h"

namespace convoy {

// Thread rule: one training thread calls everything, and nobody else uses the world's communicator meanwhile.
class LocalSteps {
 public:
  // Collective. `world` and `memory`, of which the first floats are trained, must outlive it.
  LocalSteps(Communicator& world, ReplicaMemory& memory, const ReducerOptions& options);
  ~LocalSteps();

  [[nodiscard]] const LocalOptions& options() const { return options_; }

  // For each group, its ranks in the world.
  [[nodiscard]] const std::vector<std::vector<int>>& groups() const { return groups_; }
  [[nodiscard]] int own_group() const { return own_group_; }

  // The communicator and the reducer within this rank's group.
  [[nodiscard]] Communicator& communicator() { return *communicator_; }
  [[nodiscard]] GradientReducer& reducer() { return *reducer_; }

  // Called before the first step that is taken alone: blocks begin at the current parameters, which are the same on all
  // ranks.
  void begin();
  [[nodiscard]] bool has_begun() const { return has_begun_; }

  // Collective over all ranks: combines the groups' parameters, and averages `statistics`, which are not trained.
  // `goes_on`: another block follows.
  void average(std::span<float> statistics, bool goes_on);

  // What is remembered from block to block besides the parameters, the same on all ranks; empty without block rate and
  // momentum.
  [[nodiscard]] std::span<float> model() { return model_; }
  [[nodiscard]] std::span<float> change() { return change_; }

  // For people: "models averaged every 8 steps over 4 groups".
  [[nodiscard]] std::string description() const;

 private:
  struct Alone;

  void average_parameters();
  void move_block(bool goes_on);
  [[nodiscard]] std::span<float> trained() const;

  LocalOptions options_;
  Communicator& world_;
  ReplicaMemory& memory_;
  Algorithm algorithm_;
  std::size_t bucket_bytes_;
  std::vector<std::vector<int>> groups_;
  int own_group_ = 0;
  std::unique_ptr<Alone> alone_;
  std::unique_ptr<Transport> node_;  // null: the rank is a group by itself
  std::optional<Communicator> communicator_;
  std::unique_ptr<GradientReducer> reducer_;
  bool has_begun_ = false;
  std::vector<float> model_;   // after the last block
  std::vector<float> change_;  // of the last block
};

// Collective: each value becomes its mean over the communicator's ranks.
void average_over(Communicator& communicator, std::span<float> values, Algorithm algorithm);

}  // namespace convoy
