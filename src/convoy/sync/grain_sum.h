// Sums the results of a step's grains over all ranks in the order of the tree, so that the bits do not depend on the
// number of ranks.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/sync/grain_tree.h"

namespace convoy {

class GrainSum {
 public:
  // For `floats` values per grain. The communicator must outlive it; its size divides `grains`.
  GrainSum(Communicator& communicator, int grains, std::size_t floats);

  // The grains that this rank computes.
  [[nodiscard]] const GrainRange& own() const { return own_; }

  // Adds the result of this rank's next grain, given in two consecutive parts.
  void add(std::span<const float> front, std::span<const float> back);

  // Collective, after every rank has added all its grains: gives all ranks the sums.
  void combine(std::span<float> front, std::span<float> back);

 private:
  struct Partial {
    GrainRange range;
    std::vector<float> values;
  };
  [[nodiscard]] std::vector<float> take_memory();
  void merge_last();
  void combine_block(std::size_t begin, std::span<float> block);
  void send_block(std::size_t begin, std::size_t count);
  [[nodiscard]] std::vector<Partial> collect_block(std::size_t begin, std::size_t count);

  Communicator& communicator_;
  int grains_;
  std::size_t floats_;
  GrainRange own_;
  std::vector<Partial> partials_;  // subtrees summed so far, in order
  std::vector<std::vector<float>> spare_;
};

}  // namespace convoy
