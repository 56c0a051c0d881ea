// Which samples a step trains on, and which of them a rank takes. This is pure arithmetic: any step of any rank can be
// computed directly, and the global batch of a step does not depend on the number of ranks.
//
// A step takes the next `global_batch` samples in the order of its epoch; the last step of an epoch takes what is left.
// With batch augmentation each sample fills `instances` neighbouring rows of the batch. Ranks take contiguous slices of
// the rows.
#pragma once

#include <cstdint>

#include "convoy/data/permutation.h"

namespace convoy::data {

struct SamplerOptions {
  std::int64_t samples = 0;       // in the split
  std::int64_t global_batch = 1;  // samples of a step, over all ranks
  int instances = 1;              // how many rows each of them fills
  bool shuffle = true;            // otherwise in the order of the source, the same in each epoch
  std::uint64_t seed = 0;
  int rank = 0;
  int size = 1;  // how many ranks share a global batch
  // How many equal grains the rows are cut into, a multiple of `size`; each rank takes a size-th of the grains. 0: as
  // many as ranks. With the same number of grains, the rows of a grain do not depend on the number of ranks.
  int grains = 0;
};

struct Slice {
  std::int64_t begin = 0;
  std::int64_t count = 0;

  bool operator==(const Slice&) const = default;
};

// The part of `count` things that rank `rank` of `size` takes; slices differ by at most one, and larger ones come
// first.
[[nodiscard]] Slice slice_of_rank(std::int64_t count, int rank, int size);

// One row of a batch: the instance-th appearance of a sample.
struct Row {
  std::int64_t sample = 0;
  int instance = 0;

  bool operator==(const Row&) const = default;
};

// The rows of one rank in one step.
class LocalBatch {
 public:
  LocalBatch(const SamplerOptions& options, std::int64_t step);

  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] std::int64_t epoch() const { return epoch_; }

  // Rows of all ranks together: what gradients are averaged over.
  [[nodiscard]] std::int64_t global_rows() const { return global_rows_; }

  // Which of the global rows are this rank's. None when the last batch has fewer rows than there are ranks.
  [[nodiscard]] Slice rows() const { return rows_; }

  // 0 <= i < rows().count
  [[nodiscard]] Row row(std::int64_t i) const;

 private:
  Permutation order_;
  bool shuffle_;
  int instances_;
  std::int64_t step_;
  std::int64_t epoch_;
  std::int64_t first_position_;  // the place of the global batch in the order of the epoch
  std::int64_t global_rows_;
  Slice rows_;
};

// Thread rule: immutable.
class Sampler {
 public:
  // Throws UserError when there are no samples or the batch is not positive.
  explicit Sampler(const SamplerOptions& options);

  [[nodiscard]] const SamplerOptions& options() const { return options_; }
  [[nodiscard]] std::int64_t steps_per_epoch() const;

  // The largest number of rows that this rank gets in any step.
  [[nodiscard]] std::int64_t most_rows() const;

  // Steps count from zero over all epochs.
  [[nodiscard]] LocalBatch batch(std::int64_t step) const { return {options_, step}; }

 private:
  SamplerOptions options_;
};

}  // namespace convoy::data
