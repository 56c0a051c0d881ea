#include "convoy/run/bench/training_bench.h"

#include <utility>

#include "convoy/base/clock.h"
#include "convoy/base/rng.h"
#include "convoy/data/loader/sampler.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/replica_network.h"

namespace convoy {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLearningRate = 0.01;

DenseExchangeOptions dense_options(const BenchOptions& options) {
  return {.how = options.dense_exchange, .rows = options.batch};
}

Plan timed_plan(const Graph& graph, const BenchOptions& options, const Choices* choices, TuningCache& cache,
                const Communicator& communicator, double& seconds) {
  const int ranks = communicator.size();
  const auto begin = Clock::now();
  Plan plan =
      compile(graph, {.batch = (options.batch + ranks - 1) / ranks,
                      .threads = options.threads,
                      .exact = options.exact,
                      .precision = options.precision,
                      .cache = options.use_cache ? &cache : nullptr,
                      .choices = choices,
                      .by_rows = layers_to_divide(dense_options(options), graph, communicator.nodes().node_count())});
  seconds = seconds_since(begin);
  return plan;
}

TuningCache open_cache(const BenchOptions& options) {
  return options.use_cache ? TuningCache(tuning_cache_file()) : TuningCache();
}

}  // namespace

TrainingBench::TrainingBench(const Graph& graph, const BenchOptions& options, Communicator& communicator)
    : global_batch_(options.batch),
      communicator_(communicator),
      cache_(open_cache(options)),
      trained_(communicator, graph,
               compile_together(communicator,
                                [&](const Choices* choices) {
                                  return timed_plan(graph, options, choices, cache_, communicator, compile_seconds_);
                                }),
               {.reducer = options.reducer,
                .optimizer = {.kind = OptimizerKind::momentum, .momentum = 0.9, .weight_decay = 1e-4},
                .decay_all = true,
                .dense = dense_options(options)}),
      update_([this](const ArenaSlice& slice) {
        ParameterStore& store = trained_.network.parameters();
        trained_.optimizer->update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                                   store.gradients().subspan(slice.offset, slice.count), 1.0F, store.copies(slice));
      }) {
  trained_.network.parameters().initialise(graph, Initialiser::he_normal, kSeed);
  trained_.network.use_batch(data::slice_of_rank(options.batch, communicator.rank(), communicator.size()).count);
  fill_batch();
}

void TrainingBench::fill_batch() {
  Rng rng(kSeed + static_cast<std::uint64_t>(communicator_.rank()));
  for (float& x : trained_.network.input()) x = rng.normal();
  const auto classes = trained_.network.logits().size() / trained_.network.labels().size();
  for (std::int32_t& label : trained_.network.labels()) {
    label = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(classes)));
  }
}

void TrainingBench::step(Profile* profile) {
  LocalSteps* const local = trained_.replica.local();
  if (local != nullptr && !local->has_begun()) local->begin();
  GradientReducer& reducer = local != nullptr ? local->reducer() : trained_.replica.reducer();
  trained_.network.forward(
      {.seed = kSeed, .step = steps_++, .gradient_scale = 1.0F / static_cast<float>(global_batch_)}, profile,
      [&](const ArenaSlice& slice) { reducer.need(slice); });
  reducer.settle();
  trained_.optimizer->begin_step(kLearningRate);
  reducer.begin_step(profile == nullptr ? update_ : [this](const ArenaSlice& slice) {
    const auto begin = Clock::now();
    update_(slice);
    update_seconds_ += seconds_since(begin);
  }, static_cast<std::int64_t>(steps_));
  trained_.network.backward([&](const ArenaSlice& slice) { reducer.ready(slice.end()); }, profile);
  reducer.leave();
  const auto begin = Clock::now();
  const std::span<float> statistics = trained_.network.parameters().statistics();
  if (local == nullptr) {
    reducer.run_in_turn([&] { average_over(communicator_, statistics, Algorithm::hierarchical); });
  } else if (steps_ % static_cast<std::uint64_t>(local->options().steps) == 0) {
    local->average(statistics, true);
    trained_.network.parameters().renew_copies();
  }
  step_exposed_seconds_ = reducer.times().exposed + seconds_since(begin);
}

// As in training, ranks wait for each other after every step, so all take as long as the slowest. The time of a step is
// that from one such meeting to the next.
double TrainingBench::timed_step() {
  step();
  const auto now = Clock::now();
  double seconds = seconds_between(std::exchange(lap_, now), now);
  trained_.replica.reducer().run_in_turn([&] { seconds = communicator_.max(seconds); });
  return seconds;
}

std::vector<double> TrainingBench::run(double seconds) {
  constexpr std::size_t kFewestSteps = 3;
  lap_ = Clock::now();
  for (int i = 0; i < kWarmUpSteps; ++i) (void)timed_step();
  std::vector<double> times;
  double exposed = 0;
  const LocalSteps* const local = trained_.replica.local();
  const std::uint64_t block = local == nullptr ? 1 : static_cast<std::uint64_t>(local->options().steps);
  while (steps_ % block != 0) (void)timed_step();
  const std::uint64_t sent = communicator_.transport().wire_bytes();
  double spent = 0;
  while (times.size() < kFewestSteps || spent < seconds || steps_ % block != 0) {
    times.push_back(timed_step());
    spent += times.back();
    exposed += step_exposed_seconds_;
  }
  trained_.replica.reducer().settle();
  exposed_seconds_ = communicator_.sum(exposed / static_cast<double>(times.size())) / communicator_.size();
  const auto bytes = static_cast<double>(communicator_.transport().wire_bytes() - sent);
  wire_bytes_ = communicator_.sum(bytes / static_cast<double>(times.size()));
  return times;
}

double TrainingBench::flops_per_step() const {
  double flops = 0;
  for (const Instruction& instruction : trained_.network.plan().program.instructions) flops += instruction.flops;
  return flops;
}

}  // namespace convoy
