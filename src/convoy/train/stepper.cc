#include "convoy/train/stepper.h"

#include <algorithm>
#include <cmath>

#include "convoy/data/loader/sampler.h"
#include "convoy/optim/gradient_norm.h"
#include "convoy/train/gradient_sum.h"

namespace convoy {
namespace {

// The loss shows most divergences at once. Activations that swallow NaN can hide one from the loss, but not from the
// gradient. Checking the gradient costs a pass over memory, so it is done only now and then.
constexpr std::int64_t kStepsBetweenGradientChecks = 20;

}  // namespace

Stepper::Stepper(const TrainerParts& parts, const TrainerOptions& options, const BlockPlan& blocks)
    : parts_(parts), options_(options), blocks_(blocks), forward_(parts) {
  ParameterStore& store = parts.network.parameters();
  if (options.grains > 0) {
    grains_.emplace(parts.replica->communicator(), options.grains,
                    store.gradients().size() + store.statistics().size());
  }
  if (options.sync_batch_norm && parts.replica->size() > 1) {
    sum_over_ranks_ = [this](std::span<double> values) { reducer().run_in_turn([&] { communicator().sum(values); }); };
  }
  need_ = [this](const ArenaSlice& slice) { reducer().need(slice); };
  if (options.accumulate > 1) earlier_pieces_ = AlignedBuffer(store.gradients().size() * sizeof(float));
}

StepMetrics Stepper::take(const data::Batch& batch, std::int64_t step, double learning_rate, bool leaves_sums) {
  begin_ = Clock::now();
  step_ = step;
  leaves_sums_ = leaves_sums;
  learning_rate_ = learning_rate;
  done_ = {.samples = static_cast<std::int64_t>(batch.labels.size())};
  gradient_norm_.reset();
  is_alone_ = parts_.replica->local() != nullptr && blocks_.is_alone(step);
  // Whoever looked at the parameters since the last step has waited for its sums, before this step began.
  const double waited_before = reducer().waited_since();
  if (is_alone_ && !parts_.replica->local()->has_begun()) begin_alone();
  grains_ ? compute_grains(batch) : compute_batch(batch);
  if (is_alone_ && blocks_.ends_block(step)) average_models(blocks_.goes_on_after(step));
  done_.times.compute_seconds = seconds_since(begin_) - (done_.times.exposed_communication_seconds - waited_before);
  return done_;
}

// Computes the rows of this rank, in pieces. In the last batch of an epoch there may be none, but the rank still takes
// part.
void Stepper::compute_batch(const data::Batch& batch) {
  const std::size_t rows = batch.labels.size();
  const auto most = static_cast<std::size_t>(rows_of_piece(options_, parts_.replica->size()));
  if (rows == 0) compute_placeholder(batch);
  for (std::size_t first = 0; first < rows; first += most) {
    forward(batch, first, std::min(most, rows - first));
    first + most < rows ? backward_early_piece(first == 0) : backward_last_piece(first == 0);
  }
  average_statistics();
}

// A rank without rows has no gradients. If others wait for it in batch norms or in layers that are divided, it sends
// one row that does not count through the same layers.
void Stepper::compute_placeholder(const data::Batch& batch) {
  const bool is_waited_for = sum_over_ranks_ || parts_.network.leaves_layers();
  if (!is_waited_for || rows_of_group(batch) == 0) {
    settle();  // late sums still use this memory
    std::ranges::fill(gradients(), 0.0F);
    reduce([this] { reducer().ready(gradients().size()); });
    return;
  }
  Network& network = parts_.network;
  network.use_batch(1);
  std::ranges::fill(network.input(), 0.0F);
  std::ranges::fill(network.labels(), 0);
  StepInfo info = step_info(batch, 0);
  info.counts = false;
  const std::span<float> statistics = network.parameters().statistics();
  statistics_.assign(statistics.begin(), statistics.end());
  network.forward(info, nullptr, need_);
  backward_last_piece(true);
  // Batch norms that go by a rank's own rows have seen one that does not count.
  if (!sum_over_ranks_) std::ranges::copy(statistics_, statistics.begin());
}

// Every grain starts from the same statistics; the resulting statistics are averaged.
void Stepper::compute_grains(const data::Batch& batch) {
  const std::span<float> statistics = parts_.network.parameters().statistics();
  statistics_.assign(statistics.begin(), statistics.end());
  const auto rows_of = [&](int grain) { return data::slice_of_rank(batch.global_rows, grain, options_.grains); };
  for (int grain = grains_->own().first; grain < grains_->own().last; ++grain) {
    const data::Slice rows = rows_of(grain);
    std::ranges::copy(statistics_, statistics.begin());
    if (rows.count > 0) {
      forward(batch, static_cast<std::size_t>(rows.begin - batch.first_row), static_cast<std::size_t>(rows.count));
      parts_.network.backward();
    } else {
      std::ranges::fill(gradients(), 0.0F);
      std::ranges::fill(statistics, 0.0F);
    }
    grains_->add(gradients(), statistics);
  }
  done_.backward_seconds = seconds_since(begin_);
  grains_->combine(gradients(), statistics);
  done_.times.exposed_communication_seconds = seconds_since(begin_) - done_.backward_seconds;
  done_.times.communication_seconds = done_.times.exposed_communication_seconds;
  parts_.optimizer.begin_step(learning_rate_);
  const auto filled = static_cast<float>(std::min<std::int64_t>(options_.grains, batch.global_rows));
  for (float& value : statistics) value /= filled;
  const ArenaSlice all{.offset = 0, .count = gradients().size()};
  const float scale = clip(gradient_norm(gradients()));
  measure(all, scale);
  update(all, scale);
}

void Stepper::forward(const data::Batch& batch, std::size_t first, std::size_t rows) {
  forward_.run(batch, first, rows, step_info(batch, first), need_, done_);
}

StepInfo Stepper::step_info(const data::Batch& batch, std::size_t first) const {
  return {.seed = options_.seed,
          .step = static_cast<std::uint64_t>(step_),
          .first_sample = static_cast<std::uint64_t>(batch.first_row) + first,
          .gradient_scale = 1.0F / static_cast<float>(rows_of_group(batch)),
          .sum_over_ranks = sum_over_ranks_ ? &sum_over_ranks_ : nullptr};
}

// For all pieces but the last: keeps their gradients until then.
void Stepper::backward_early_piece(bool is_first) {
  settle();
  parts_.network.backward();
  is_first ? copy_gradients(gradients(), earlier_pieces_.floats())
           : add_gradients(gradients(), earlier_pieces_.floats());
}

void Stepper::backward_last_piece(bool is_only_piece) {
  reduce([&] {
    if (is_only_piece) {
      parts_.network.backward([this](const ArenaSlice& slice) { reducer().ready(slice.end()); });
      return;
    }
    parts_.network.backward();
    add_gradients(earlier_pieces_.floats(), gradients());
    reducer().ready(gradients().size());
  });
}

// Sums gradients over the ranks while `make_ready` still computes others, and updates parameters as the sums arrive,
// unless something must be known about all of them first. Sums that come late are left to the next forward; until then
// the optimizer stays in this step.
void Stepper::reduce(const std::function<void()>& make_ready) {
  settle();
  parts_.optimizer.begin_step(learning_rate_);
  const bool is_layerwise = !parts_.optimizer.squares().empty();
  const bool waits = options_.clip_norm > 0 || is_layerwise || step_ % kStepsBetweenGradientChecks == 0;
  reducer().begin_step(
      waits ? UpdateSlice() : [this](const ArenaSlice& slice) { update(slice, 1.0F); }, step_);
  const auto begin = Clock::now();
  make_ready();
  done_.backward_seconds = seconds_since(begin_);
  note("backward", begin);
  const auto end = Clock::now();
  if (waits) {
    reducer().wait_for_sums();
    const float scale = clip(norm_over_ranks());
    measure_all(scale);
    for (const ArenaSlice& slice : reducer().own_slices()) update(slice, scale);
  }
  leaves_sums_ ? reducer().leave() : reducer().finish();
  note("finish", end);
  done_.times.exposed_communication_seconds = reducer().times().exposed;
  done_.times.communication_seconds = reducer().times().active;
}

// The factor for gradients of that norm. A norm that is not finite ends training elsewhere, so it is no error here.
float Stepper::clip(double norm) {
  gradient_norm_ = norm;
  return options_.clip_norm > 0 && std::isfinite(norm) ? clip_scale(norm, options_.clip_norm) : 1.0F;
}

double Stepper::norm_over_ranks() const {
  double squares = 0;
  for (const ArenaSlice& slice : reducer().counted_slices()) {
    const double norm = gradient_norm(gradients().subspan(slice.offset, slice.count));
    squares += norm * norm;
  }
  return std::sqrt(reducer().sum_over_owners(squares));
}

// Layer-wise rules may change their state when they measure, so each rank measures all that it updates; but the norms
// count everything once.
void Stepper::measure_all(float gradient_scale) {
  const std::span<double> squares = parts_.optimizer.squares();
  for (const ArenaSlice& slice : reducer().counted_slices()) measure(slice, gradient_scale);
  squares_.assign(squares.begin(), squares.end());
  for (const ArenaSlice& slice : reducer().uncounted_slices()) measure(slice, gradient_scale);
  std::ranges::copy(squares_, squares.begin());
  reducer().sum_over_owners(squares);
}

// Layer-wise rules must see everything before anything changes; for other rules this does nothing.
void Stepper::measure(const ArenaSlice& slice, float gradient_scale) {
  ParameterStore& store = parts_.network.parameters();
  parts_.optimizer.measure(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                           store.gradients().subspan(slice.offset, slice.count), gradient_scale);
}

void Stepper::update(const ArenaSlice& slice, float gradient_scale) {
  ParameterStore& store = parts_.network.parameters();
  parts_.optimizer.update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                          store.gradients().subspan(slice.offset, slice.count), gradient_scale, store.copies(slice));
}

// The number of rows over which a step is the mean. A group without rows in the last batch of an epoch still takes the
// step.
std::int64_t Stepper::rows_of_group(const data::Batch& batch) const {
  if (!is_alone_) return batch.global_rows;
  const LocalSteps& local = *parts_.replica->local();
  std::int64_t rows = 0;
  for (const int rank : local.groups()[static_cast<std::size_t>(local.own_group())]) {
    rows += data::slice_of_rank(batch.global_rows, rank, parts_.replica->size()).count;
  }
  return rows;
}

// On one node, each rank has so far updated only its own slices and has the optimizer's state only for them; from now
// on it updates everything.
void Stepper::begin_alone() {
  Replica& replica = *parts_.replica;
  settle();
  replica.local()->begin();
  if (replica.communicator().nodes().node_count() > 1) return;
  for (const OptimizerState& state : parts_.optimizer.state()) {
    replica.reducer().gather_to_first(state.values);
    replica.communicator().broadcast(std::as_writable_bytes(state.values));
  }
}

void Stepper::average_models(bool goes_on) {
  const auto begin = Clock::now();
  LocalSteps& local = *parts_.replica->local();
  local.average(parts_.network.parameters().statistics(), goes_on);
  parts_.network.parameters().renew_copies();
  if (local.options().reset) {
    for (const OptimizerState& state : parts_.optimizer.state()) std::ranges::fill(state.values, 0.0F);
    parts_.optimizer.set_steps(0);
  }
  done_.times.exposed_communication_seconds += seconds_since(begin);
  done_.times.communication_seconds += seconds_since(begin);
  note("average", begin);
}

// Batch norms have seen only this rank's rows. All ranks of the step take the mean of their statistics.
void Stepper::average_statistics() {
  const auto begin = Clock::now();
  if (sum_over_ranks_) return;  // they have seen the rows of all ranks
  // When groups train alone, the hierarchical algorithm cannot be used: all nodes together would have to allocate its
  // shared memory, and nodes with one rank never get here.
  const Algorithm algorithm = is_alone_ ? Algorithm::recursive_doubling : Algorithm::hierarchical;
  reducer().run_in_turn([&] { average_over(communicator(), parts_.network.parameters().statistics(), algorithm); });
  done_.times.exposed_communication_seconds += seconds_since(begin);
  done_.times.communication_seconds += seconds_since(begin);
}

void Stepper::note(const char* name, Clock::time_point begin) const {
  if (parts_.timeline != nullptr) parts_.timeline->add(Lane::compute, name, begin);
}

}  // namespace convoy
