#include "convoy/data/loader/sampler.h"

#include <algorithm>

#include "convoy/base/error.h"

namespace convoy::data {
namespace {

std::int64_t steps_of_epoch(const SamplerOptions& options) {
  return (options.samples + options.global_batch - 1) / options.global_batch;
}

void require_rank(int rank, int size) {
  if (rank < 0 || rank >= size) throw UserError("there is no rank {} among {} ranks", rank, size);
}

Slice rows_of_rank(std::int64_t rows, const SamplerOptions& options) {
  const int each = std::max(1, options.grains / options.size);
  const Slice first = slice_of_rank(rows, options.rank * each, options.size * each);
  const Slice last = slice_of_rank(rows, options.rank * each + each - 1, options.size * each);
  return {.begin = first.begin, .count = last.begin + last.count - first.begin};
}

}  // namespace

Slice slice_of_rank(std::int64_t count, int rank, int size) {
  require_rank(rank, size);
  const std::int64_t share = count / size;
  const std::int64_t longer = count % size;
  return {.begin = rank * share + std::min<std::int64_t>(rank, longer), .count = share + (rank < longer ? 1 : 0)};
}

LocalBatch::LocalBatch(const SamplerOptions& options, std::int64_t step)
    : order_(options.samples, options.seed, static_cast<std::uint64_t>(step / steps_of_epoch(options))),
      shuffle_(options.shuffle),
      instances_(options.instances),
      step_(step),
      epoch_(step / steps_of_epoch(options)),
      first_position_(step % steps_of_epoch(options) * options.global_batch),
      global_rows_(std::min(options.global_batch, options.samples - first_position_) * options.instances),
      rows_(rows_of_rank(global_rows_, options)) {
  if (step < 0) throw UserError("there is no step {}: steps count from 0", step);
}

Row LocalBatch::row(std::int64_t i) const {
  if (i < 0 || i >= rows_.count)
    throw UserError("there is no row {}: this rank has {} of step {}", i, rows_.count, step_);
  const std::int64_t row = rows_.begin + i;
  const std::int64_t position = first_position_ + row / instances_;
  return {.sample = shuffle_ ? order_(position) : position, .instance = static_cast<int>(row % instances_)};
}

Sampler::Sampler(const SamplerOptions& options) : options_(options) {
  if (options.samples < 1) throw UserError("there are no samples to train or test on");
  if (options.global_batch < 1) throw UserError("the global batch must be at least 1, got {}", options.global_batch);
  if (options.instances < 1) {
    throw UserError("batch augmentation must repeat each sample at least once, got {}", options.instances);
  }
  require_rank(options.rank, options.size);
  if (options.grains < 0 || options.grains % options.size != 0) {
    throw UserError("{} grains cannot be shared evenly by {} ranks", options.grains, options.size);
  }
}

std::int64_t Sampler::steps_per_epoch() const { return steps_of_epoch(options_); }

std::int64_t Sampler::most_rows() const {
  // The first batch of an epoch is the largest.
  return batch(0).rows().count;
}

}  // namespace convoy::data
