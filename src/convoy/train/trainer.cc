#include "convoy/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/comm/peer_error.h"
#include "convoy/data/loader/loader.h"
#include "convoy/sync/agreement.h"
#include "convoy/train/async_stepper.h"
#include "convoy/train/machine_load.h"
#include "convoy/train/step_report.h"
#include "convoy/train/stepper.h"
#include "convoy/train/tally_merge.h"
#include "convoy/train/weight_average.h"

namespace convoy {
namespace {

TrainerParts with_replica(TrainerParts parts, std::optional<Replica>& alone) {
  ParameterStore& store = parts.network.parameters();
  if (parts.replica == nullptr) {
    alone.emplace(store.parameters(), store.gradients());
    parts.replica = &*alone;
  }
  return parts;
}

TrainerOptions checked(const TrainerOptions& options, const TrainerParts& parts) {
  check_options(options, parts.source.size(data::Split::train), parts.replica->size());
  check_parts(parts, options);
  return options;
}

// Empty if groups never train alone.
BlockPlan block_plan(Replica& replica, std::int64_t steps_per_epoch, std::int64_t epochs) {
  if (replica.local() == nullptr) return {};
  return {replica.local()->options(), steps_per_epoch, steps_per_epoch * epochs};
}

// An observer that fails itself, for example on a full disk, must neither hide the failure nor keep it from the others.
void tell_failure(Observer& observer, const std::exception& error) {
  try {
    observer.on_failure(error);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): what went wrong first is what is reported
  }
}

}  // namespace

Trainer::Trainer(const TrainerParts& parts, const TrainerOptions& options)
    : parts_(with_replica(parts, alone_)),
      options_(checked(options, parts_)),
      steps_per_epoch_(steps_of_epoch(options, parts.source.size(data::Split::train))),
      blocks_(block_plan(*parts_.replica, steps_per_epoch_, options.epochs)),
      stepper_(std::make_unique<Stepper>(parts_, options_, blocks_)),
      reports_(std::make_unique<StepReports>(parts_.replica->communicator())) {
  if (parts_.replica->async() != nullptr) apart_ = std::make_unique<AsyncStepper>(parts_, options_);
  if (options_.average_decay != 0) {
    average_ = std::make_unique<WeightAverage>(parts_.network.parameters(), options_.average_decay);
  }
}

Trainer::~Trainer() = default;

Outcome Trainer::run(std::function<bool()> interrupted) {
  interrupted_ = std::move(interrupted);
  try {
    Outcome outcome = train_with_others();
    stepper_->settle();
    const bool within_epoch = outcome.kind == EndKind::stopped_early && state_.epoch.steps > 0;
    if (within_epoch && is_within_block()) stepper_->average_models(false);
    if (within_epoch && options_.evaluate_every > 0) outcome.test = evaluate();
    tell([&](Observer& observer) { observer.on_end(*this, outcome); });
    return outcome;
  } catch (const std::exception& error) {
    tell([&](Observer& observer) { tell_failure(observer, error); });
    throw;
  }
}

// Adds to an error about another rank how far training had come.
Outcome Trainer::train_with_others() {
  try {
    return train();
  } catch (const PeerError& error) {
    throw PeerError(fmt::format("{}; the last step done was {}", error.what(), state_.step - std::ssize(uncounted_)),
                    error.rank());
  }
}

Outcome Trainer::train() {
  data::Loader loader(parts_.source, loader_options());
  machine_load_ = std::make_unique<MachineLoad>(parts_.replica->communicator());
  lap_ = Clock::now();
  if (average_ && state_.step == 0) average_->restart();
  begin_epoch();
  // Training was interrupted between the last step of an epoch and the end of its evaluation.
  if (state_.epoch.steps == steps_per_epoch_) finish_epoch();
  std::optional<Outcome> outcome = reason_to_end();
  while (!outcome) {
    const auto asked = Clock::now();
    const data::Batch* const batch = loader.next();
    if (parts_.timeline != nullptr) parts_.timeline->add(Lane::compute, "input", asked);
    if (batch == nullptr) return {};
    take_step(*batch);
    if (state_.epoch.steps == steps_per_epoch_) finish_epoch();
    outcome = reason_to_end();
  }
  return *outcome;
}

std::optional<Outcome> Trainer::reason_to_end() const {
  // With a single rank, an observer may still interrupt after a step.
  if (is_interrupted_ || (ranks() == 1 && interrupted_()))
    return Outcome{.kind = EndKind::interrupted, .reason = "interrupted"};
  if (state_.step == total_steps()) return Outcome{};
  auto reason = reason_to_stop(options_.stop, state_.elapsed_seconds);
  // The answer changes only after an evaluation, which leaves an empty epoch.
  if (!reason && state_.epoch.steps == 0) reason = reason_to_stop(options_.stop, state_.best);
  if (reason) return Outcome{.kind = EndKind::stopped_early, .reason = *reason};
  return std::nullopt;
}

const TrainerParts& Trainer::parts() const {
  stepper_->settle();
  return parts_;
}

bool Trainer::is_within_block() const { return blocks_.is_within_block(state_.step); }

data::LoaderOptions Trainer::loader_options() const {
  return {.augment = options_.augment,
          .mix = options_.mix,
          .global_batch = options_.batch,
          .instances = options_.instances,
          .seed = options_.seed,
          .rank = parts_.replica->rank(),
          .size = parts_.replica->size(),
          .grains = options_.grains,
          .threads = options_.loader_threads,
          .first_step = state_.step,
          .last_step = total_steps()};
}

void Trainer::take_step(const data::Batch& batch) {
  if (apart_) return take_step_apart(batch);
  // The last step of an epoch waits for its sums, because that belongs to the epoch's time. The average of the weights
  // needs complete steps.
  const bool leaves_sums = state_.epoch.steps + 1 < steps_per_epoch_ && !average_;
  const StepMetrics done = stepper_->take(batch, state_.step, parts_.learning_rate(state_.step), leaves_sums);
  ++state_.step;
  if (average_) average_->update(state_.step);
  const StepReport own = report(batch, done, compares_weights());
  finish_steps({&own, 1});
}

// The last of the steps before a meeting includes it.
void Trainer::take_step_apart(const data::Batch& batch) {
  if (steps_to_meeting_ == 0) {
    steps_to_meeting_ = steps_until_meeting();
    apart_->begin(steps_to_meeting_);
  }
  StepMetrics done = apart_->take(batch, state_.step, parts_.learning_rate(state_.step));
  ++state_.step;
  const bool meets = --steps_to_meeting_ == 0;
  if (meets) apart_->meet(done);
  uncounted_.push_back(report(batch, done, meets));
  if (!meets) return;
  uncounted_.back().gradient_norm = apart_->gradient_norm();
  finish_steps(std::exchange(uncounted_, {}));
}

// Meetings cost time, as the fastest rank waits for the slowest; without them nobody would know of interruptions.
// Epochs end with one.
std::int64_t Trainer::steps_until_meeting() const {
  constexpr double kSecondsApart = 5;
  constexpr std::int64_t kFewest = 4;
  const EpochSums& epoch = state_.epoch;
  const double seconds = epoch.steps == 0 ? 0 : epoch.metrics.times.seconds / static_cast<double>(epoch.steps);
  const std::int64_t in_time = seconds > 0 ? static_cast<std::int64_t>(kSecondsApart / seconds) : 0;
  return std::min(std::max(in_time, kFewest), steps_per_epoch_ - state_.step % steps_per_epoch_);
}

// Collective: counts steps of all ranks, of which these are the own reports, and tells the observers.
void Trainer::finish_steps(std::span<const StepReport> own) {
  const auto exchange = [&] { reports_->exchange(own); };
  const auto begin = Clock::now();
  parts_.replica->reducer().run_in_turn(std::cref(exchange));  // by reference, so that nothing is allocated
  reports_seconds_ = seconds_since(begin);
  for (std::size_t i = 0; i < own.size(); ++i) finish_step(reports_->of_step(i));
}

void Trainer::finish_step(std::span<const StepReport> reports) {
  const StepMetrics total = total_of(reports, apart_ ? WallTime::mean : WallTime::slowest);
  count_step(total);
  require_finite(total.loss_sum, "the loss");
  for (const StepReport& report : reports) require_finite(report.gradient_norm, "the gradient");
  require_same_weights(reports);
  is_interrupted_ = any_interrupted(reports);
  tell_step(reports, total);
}

bool Trainer::compares_weights() const {
  const bool has_averaged = blocks_.is_alone(state_.step - 1) && !is_within_block();
  return ranks() > 1 && (has_averaged || (!is_within_block() && state_.step % options_.compare_every == 0));
}

StepReport Trainer::report(const data::Batch& batch, StepMetrics done, bool compares) {
  done.times.seconds = lap();
  done.times.input_wait_seconds = batch.waited_seconds;
  StepTimes& times = done.times;
  times.exposed_communication_seconds += std::exchange(reports_seconds_, 0);
  times.communication_seconds = std::max(times.communication_seconds, times.exposed_communication_seconds);
  done.cpu_seconds = process_cpu_seconds() - std::exchange(cpu_lap_, process_cpu_seconds());
  const std::uint64_t sent = parts_.replica->communicator().transport().wire_bytes();
  done.wire_bytes = static_cast<double>(sent - std::exchange(wire_lap_, sent));
  return {.metrics = done,
          .weights_hash = compares ? hash_of(whole_parameters()) : 0,
          .interrupted = interrupted_() ? 1 : 0,
          .gradient_norm = stepper_->last_gradient_norm().value_or(0)};
}

// Collective: the exact values of all parameters, also of those that other ranks update.
std::span<const float> Trainer::whole_parameters() {
  stepper_->settle();
  parts_.replica->reducer().complete_parameters();
  if (parts_.network.leaves_layers()) parts_.network.parameters().renew_copies();
  return parts_.network.parameters().parameters();
}

void Trainer::require_finite(double value, const char* what) const {
  if (std::isfinite(value)) return;
  throw DivergedError(fmt::format(
      "{} is not a number any more at step {} (epoch {}), at a learning rate of {:g}; try a lower --lr, a longer "
      "--warmup or {}",
      what, counted_steps(), (state_.step - 1) / steps_per_epoch_ + 1, learning_rate_,
      apart_ ? "a lower --momentum" : "--clip 1"));
}

// Does nothing in steps that do not compare weights.
void Trainer::require_same_weights(std::span<const StepReport> reports) const {
  if (reports[0].weights_hash == 0) return;
  std::vector<std::uint64_t> hashes;
  for (const StepReport& report : reports) hashes.push_back(report.weights_hash);
  convoy::require_same_weights(hashes, parts_.replica->communicator().nodes(), state_.step);
}

void Trainer::count_step(const StepMetrics& total) {
  state_.elapsed_seconds += total.times.seconds;
  ++state_.epoch.steps;
  state_.epoch.metrics += total;
  learning_rate_ = parts_.learning_rate(counted_steps() - 1);
  state_.epoch.learning_rate = learning_rate_;
}

// All steps that were taken or, while those since the last meeting are counted, fewer.
std::int64_t Trainer::counted_steps() const {
  return (state_.step - 1) / steps_per_epoch_ * steps_per_epoch_ + state_.epoch.steps;
}

StepRecord Trainer::describe_step(std::int64_t of_rank, const StepMetrics& done) const {
  return {.step = counted_steps(),
          .epoch = (state_.step - 1) / steps_per_epoch_ + 1,
          .rank = of_rank,
          .samples = done.samples,
          .loss = done.mean_loss(),
          .learning_rate = learning_rate_,
          .times = done.times,
          .wire_bytes = done.wire_bytes};
}

void Trainer::tell_step(std::span<const StepReport> reports, const StepMetrics& total) {
  const EpochSums& epoch = state_.epoch;
  event_.record = describe_step(0, total);
  event_.ranks.clear();
  event_.step_of_epoch = epoch.steps;
  event_.steps_per_epoch = steps_per_epoch_;
  event_.is_newest = counted_steps() == state_.step;
  event_.epoch_loss = epoch.metrics.mean_loss();
  event_.epoch_top1 = epoch.metrics.accuracy();
  event_.gradient_norm = stepper_->last_gradient_norm();
  for (const StepReport& report : reports) {
    event_.ranks.push_back(describe_step(std::ssize(event_.ranks), report.metrics));
  }
  tell([&](Observer& observer) { observer.on_step(*this, event_); });
}

// Seconds since the last call; all of a run's time belongs to one such lap.
double Trainer::lap() {
  const auto now = Clock::now();
  return seconds_between(std::exchange(lap_, now), now);
}

void Trainer::finish_epoch() {
  (void)whole_parameters();
  EpochEvent event{.record = describe_epoch()};
  add_machine_load(event.record);
  const std::int64_t epoch = event.record.epoch;
  std::optional<Tally> test;
  const std::int64_t every = options_.evaluate_every;
  if (every > 0 && (epoch % every == 0 || epoch == options_.epochs)) {
    test = evaluate();
    if (!test) return;
    add_metrics(*test, event);
    if (average_ && !evaluate_average(event)) return;
  }
  event.record.evaluation_seconds = parts_.replica->communicator().max(lap());
  state_.elapsed_seconds += event.record.evaluation_seconds;
  event.record.elapsed_seconds = state_.elapsed_seconds;
  state_.epoch = {};
  begin_epoch();
  tell([&](Observer& observer) { observer.on_epoch(*this, event); });
}

void Trainer::begin_epoch() {
  reports_seconds_ = 0;
  cpu_lap_ = process_cpu_seconds();
  wire_lap_ = parts_.replica->communicator().transport().wire_bytes();
  saw_epoch_begin_ = state_.epoch.steps == 0;
  machine_load_->begin();
}

// Collective. If the epoch began in another sitting, only a part of it was seen, so nothing is recorded.
void Trainer::add_machine_load(EpochRecord& record) {
  const std::optional<OthersLoad> load = machine_load_->end();
  record.cpu_seconds = state_.epoch.metrics.cpu_seconds;
  record.cores = machine_load_->cores();
  if (!load || !saw_epoch_begin_) return;
  record.others_cpu_seconds = load->others_seconds;
  record.steal_seconds = load->steal_seconds;
}

EpochRecord Trainer::describe_epoch() const {
  const StepMetrics& done = state_.epoch.metrics;
  return {.epoch = state_.step / steps_per_epoch_,
          .end_step = state_.step,
          .steps = state_.epoch.steps,
          .samples = done.samples,
          .train_loss = done.mean_loss(),
          .train_accuracy = done.accuracy(),
          .learning_rate = state_.epoch.learning_rate,
          .times = done.times,
          .samples_per_second = static_cast<double>(done.samples) / done.times.seconds,
          .cpu_use = done.cpu_seconds / done.times.seconds,
          .peak_memory_bytes = peak_resident_bytes(),
          .wire_bytes = done.wire_bytes};
}

// No value when it was interrupted. Each rank evaluates its part of the test data, and all get the total.
std::optional<Tally> Trainer::evaluate() {
  const std::int64_t total = parts_.source.size(data::Split::test);
  bool goes_on = true;
  Tally tally = parts_.evaluator.run(
      parts_.network.parameters(),
      [&](std::int64_t done) {
        tell([&](Observer& observer) { observer.on_evaluation(std::min(done * ranks(), total), total); });
        goes_on = !interrupted_();
        return goes_on;
      },
      rank(), ranks());
  Communicator& communicator = parts_.replica->communicator();
  is_interrupted_ = communicator.max(goes_on ? 0 : 1) > 0;
  if (is_interrupted_) return std::nullopt;
  return merge_over_ranks(std::move(tally), communicator);
}

// Returns false when it was interrupted.
bool Trainer::evaluate_average(EpochEvent& event) {
  average_->swap();
  const std::optional<Tally> test = evaluate();
  average_->swap();
  if (!test) return false;
  const Metrics metrics = test->metrics();
  event.record.average_test_loss = metrics.loss;
  event.record.average_test_top1 = metrics.top1;
  return true;
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
