#include "convoy/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/optim/gradient_norm.h"
#include "convoy/train/gradient_sum.h"

namespace convoy {
namespace {

// The loss shows most divergences at once. Activations that swallow NaN can hide one, the gradient cannot; looking at
// it costs a pass over memory, so that is done now and then.
constexpr std::int64_t kStepsBetweenGradientChecks = 20;

std::int64_t steps_per_epoch(const data::Source& source, const TrainerOptions& options) {
  return (source.size(data::Split::train) + options.batch - 1) / options.batch;
}

// An observer that cannot cope, on a full disk say, must hide neither the failure nor keep it from the others.
void tell_failure(Observer& observer, const std::exception& error) {
  try {
    observer.on_failure(error);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): what went wrong first is what is reported
  }
}

}  // namespace

Trainer::Trainer(const TrainerParts& parts, const TrainerOptions& options)
    : parts_(parts), options_(options), steps_per_epoch_(convoy::steps_per_epoch(parts.source, options)) {
  check_options(options, parts.source.size(data::Split::train));
  if (options.accumulate > 1) {
    earlier_pieces_ = AlignedBuffer(parts.network.parameters().gradients().size() * sizeof(float));
  }
}

Outcome Trainer::run(std::function<bool()> interrupted) {
  interrupted_ = std::move(interrupted);
  try {
    Outcome outcome = train();
    if (outcome.kind == EndKind::stopped_early && state_.epoch.steps > 0) outcome.test = evaluate();
    tell([&](Observer& observer) { observer.on_end(*this, outcome); });
    return outcome;
  } catch (const std::exception& error) {
    tell([&](Observer& observer) { tell_failure(observer, error); });
    throw;
  }
}

Outcome Trainer::train() {
  data::Loader loader(parts_.source, loader_options());
  lap_ = Clock::now();
  cpu_lap_ = process_cpu_seconds();
  // Interrupted between the last step of an epoch and the end of its evaluation.
  if (state_.epoch.steps == steps_per_epoch_) finish_epoch();
  std::optional<Outcome> outcome = reason_to_end();
  while (!outcome) {
    const data::Batch* const batch = loader.next();
    if (batch == nullptr) return {};
    take_step(*batch);
    if (state_.epoch.steps == steps_per_epoch_) finish_epoch();
    outcome = reason_to_end();
  }
  return *outcome;
}

std::optional<Outcome> Trainer::reason_to_end() const {
  if (interrupted_()) return Outcome{.kind = EndKind::interrupted, .reason = "interrupted"};
  if (state_.step == total_steps()) return Outcome{};
  auto reason = reason_to_stop(options_.stop, state_.elapsed_seconds);
  // Only a new evaluation can give a new answer, and it leaves an empty epoch behind.
  if (!reason && state_.epoch.steps == 0) reason = reason_to_stop(options_.stop, state_.best);
  if (reason) return Outcome{.kind = EndKind::stopped_early, .reason = *reason};
  return std::nullopt;
}

data::LoaderOptions Trainer::loader_options() const {
  return {.augment = options_.augment,
          .global_batch = options_.batch,
          .instances = options_.instances,
          .seed = options_.seed,
          .threads = options_.loader_threads,
          .first_step = state_.step,
          .last_step = total_steps()};
}

void Trainer::take_step(const data::Batch& batch) {
  const auto begin = Clock::now();
  rate_ = parts_.rate(state_.step);
  parts_.optimizer.begin_step(rate_);
  step_loss_ = 0;
  const std::size_t rows = batch.labels.size();
  const auto most = static_cast<std::size_t>(rows_of_piece(options_));
  for (std::size_t first = 0; first < rows; first += most) {
    forward(batch, first, std::min(most, rows - first));
    first + most < rows ? accumulate(first == 0) : finish_gradients(first == 0);
  }
  ++state_.step;
  count_step(batch, seconds_since(begin));
}

void Trainer::forward(const data::Batch& batch, std::size_t first, std::size_t rows) {
  Network& network = parts_.network;
  network.use_batch(static_cast<std::int64_t>(rows));
  const auto image = batch.images.size() / batch.labels.size();
  const auto labels = batch.labels.subspan(first, rows);
  std::ranges::copy(batch.images.subspan(first * image, rows * image), network.input().begin());
  std::ranges::copy(labels, network.labels().begin());
  network.forward({.seed = options_.seed,
                   .step = static_cast<std::uint64_t>(state_.step),
                   .first_sample = static_cast<std::uint64_t>(batch.first_row) + first,
                   .gradient_scale = 1.0F / static_cast<float>(batch.global_rows)});
  const double loss = network.loss() * static_cast<double>(rows);
  require_finite(loss, "the loss");
  step_loss_ += loss;
  state_.epoch.right += count_right(network.logits(), labels);
}

// All pieces but the last: their gradients wait for it.
void Trainer::accumulate(bool is_first) {
  parts_.network.backward();
  const std::span<float> sum = earlier_pieces_.floats();
  const std::span<const float> gradients = parts_.network.parameters().gradients();
  is_first ? copy_gradients(gradients, sum) : add_gradients(gradients, sum);
}

// The last piece. Parameters are updated as their gradients arrive, unless something has to be known of all of them
// first.
void Trainer::finish_gradients(bool is_only_piece) {
  const bool checks = state_.step % kStepsBetweenGradientChecks == 0;
  if (is_only_piece && options_.clip_norm == 0 && !checks) {
    parts_.network.backward([this](const ArenaSlice& slice) { update(slice, 1.0F); });
    return;
  }
  parts_.network.backward();
  const std::span<float> gradients = parts_.network.parameters().gradients();
  if (!is_only_piece) add_gradients(earlier_pieces_.floats(), gradients);
  const double norm = gradient_norm(gradients);
  require_finite(norm, "the gradient");
  const float scale = options_.clip_norm > 0 ? clip_scale(norm, options_.clip_norm) : 1.0F;
  update({.offset = 0, .count = gradients.size()}, scale);
}

void Trainer::update(const ArenaSlice& slice, float gradient_scale) {
  ParameterStore& store = parts_.network.parameters();
  parts_.optimizer.update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                          store.gradients().subspan(slice.offset, slice.count), gradient_scale);
}

void Trainer::require_finite(double value, const char* what) const {
  if (std::isfinite(value)) return;
  throw DivergedError(fmt::format(
      "{} is not a number any more at step {} (epoch {}), at a learning rate of {:g}; try a lower --lr, a longer "
      "--warmup or --clip 1",
      what, state_.step + 1, state_.step / steps_per_epoch_ + 1, rate_));
}

void Trainer::count_step(const data::Batch& batch, double compute_seconds) {
  const auto rows = static_cast<std::int64_t>(batch.labels.size());
  const double seconds = lap();
  EpochSums& epoch = state_.epoch;
  ++epoch.steps;
  epoch.rows += rows;
  epoch.loss += step_loss_;
  epoch.learning_rate = rate_;
  epoch.seconds += seconds;
  epoch.compute_seconds += compute_seconds;
  epoch.input_wait_seconds += batch.waited_seconds;
  epoch.cpu_seconds += process_cpu_seconds() - std::exchange(cpu_lap_, process_cpu_seconds());
  const StepEvent event{.record = {.step = state_.step,
                                   .epoch = batch.epoch + 1,
                                   .samples = rows,
                                   .loss = step_loss_ / static_cast<double>(rows),
                                   .learning_rate = rate_,
                                   .seconds = seconds,
                                   .compute_seconds = compute_seconds,
                                   .input_wait_seconds = batch.waited_seconds},
                        .step_of_epoch = epoch.steps,
                        .steps_per_epoch = steps_per_epoch_,
                        .epoch_loss = epoch.loss / static_cast<double>(epoch.rows),
                        .epoch_top1 = static_cast<double>(epoch.right) / static_cast<double>(epoch.rows)};
  tell([&](Observer& observer) { observer.on_step(*this, event); });
}

// Seconds since the last call: all of a run's time falls into one of its laps.
double Trainer::lap() {
  const auto now = Clock::now();
  const double seconds = seconds_between(std::exchange(lap_, now), now);
  state_.elapsed_seconds += seconds;
  return seconds;
}

void Trainer::finish_epoch() {
  EpochEvent event{.record = describe_epoch()};
  const std::int64_t epoch = event.record.epoch;
  std::optional<Tally> test;
  if (epoch % options_.evaluate_every == 0 || epoch == options_.epochs) {
    test = evaluate();
    if (!test) return;
    add_metrics(*test, event);
  }
  event.record.evaluation_seconds = lap();
  event.record.elapsed_seconds = state_.elapsed_seconds;
  state_.epoch = {};
  cpu_lap_ = process_cpu_seconds();
  tell([&](Observer& observer) { observer.on_epoch(*this, event); });
}

EpochRecord Trainer::describe_epoch() const {
  const EpochSums& epoch = state_.epoch;
  return {.epoch = state_.step / steps_per_epoch_,
          .end_step = state_.step,
          .steps = epoch.steps,
          .samples = epoch.rows,
          .train_loss = epoch.loss / static_cast<double>(epoch.rows),
          .train_accuracy = static_cast<double>(epoch.right) / static_cast<double>(epoch.rows),
          .learning_rate = epoch.learning_rate,
          .seconds = epoch.seconds,
          .compute_seconds = epoch.compute_seconds,
          .input_wait_seconds = epoch.input_wait_seconds,
          .samples_per_second = static_cast<double>(epoch.rows) / epoch.seconds,
          .cpu_use = epoch.cpu_seconds / epoch.seconds,
          .peak_memory_bytes = peak_resident_bytes()};
}

// Nothing when it was interrupted.
std::optional<Tally> Trainer::evaluate() {
  const std::int64_t total = parts_.source.size(data::Split::test);
  bool goes_on = true;
  Tally tally = parts_.evaluator.run(parts_.network.parameters(), [&](std::int64_t done) {
    tell([&](Observer& observer) { observer.on_evaluation(done, total); });
    goes_on = !interrupted_();
    return goes_on;
  });
  if (!goes_on) return std::nullopt;
  return tally;
}

void Trainer::add_metrics(const Tally& test, EpochEvent& event) {
  constexpr int kFewestClassesForTop5 = 6;
  const Metrics metrics = test.metrics();
  event.record.test_loss = metrics.loss;
  event.record.test_top1 = metrics.top1;
  if (test.classes() >= kFewestClassesForTop5) event.record.test_top5 = metrics.top5;
  event.test = &test;
  event.is_best = state_.best.consider(event.record.epoch, metrics.top1);
}

}  // namespace convoy
