#include "convoy/run/bench/training_bench.h"

#include "convoy/base/clock.h"
#include "convoy/base/rng.h"
#include "convoy/data/loader/sampler.h"
#include "convoy/run/user_folders.h"
#include "convoy/train/replica_network.h"

namespace convoy {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLearningRate = 0.01;

Plan timed_plan(const Graph& graph, const BenchOptions& options, const Choices* choices, TuningCache& cache, int ranks,
                double& seconds) {
  const auto begin = Clock::now();
  Plan plan = compile(graph, {.batch = (options.batch + ranks - 1) / ranks,
                              .threads = options.threads,
                              .exact = options.exact,
                              .cache = options.use_cache ? &cache : nullptr,
                              .choices = choices});
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
      compiled_(compile_together(communicator,
                                 [&](const Choices* choices) {
                                   return timed_plan(graph, options, choices, cache_, communicator.size(),
                                                     compile_seconds_);
                                 })),
      replica_(make_replica(communicator, compiled_, options.reducer)),
      network_(network_in(*replica_, graph, std::move(compiled_))),
      optimizer_(make_optimizer({.kind = OptimizerKind::momentum, .momentum = 0.9, .weight_decay = 1e-4},
                                network_.parameters().table().arena_floats)),
      update_([this](const ArenaSlice& slice) {
        ParameterStore& store = network_.parameters();
        optimizer_->update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                           store.gradients().subspan(slice.offset, slice.count));
      }) {
  network_.parameters().initialise(graph, Initialiser::he_normal, kSeed);
  network_.use_batch(data::slice_of_rank(options.batch, communicator.rank(), communicator.size()).count);
  fill_batch();
}

void TrainingBench::fill_batch() {
  Rng rng(kSeed + static_cast<std::uint64_t>(communicator_.rank()));
  for (float& x : network_.input()) x = rng.normal();
  const auto classes = network_.logits().size() / network_.labels().size();
  for (std::int32_t& label : network_.labels()) {
    label = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(classes)));
  }
}

void TrainingBench::step(Profile* profile) {
  network_.forward({.seed = kSeed, .step = steps_++, .gradient_scale = 1.0F / static_cast<float>(global_batch_)},
                   profile);
  optimizer_->begin_step(kLearningRate);
  GradientReducer& reducer = replica_->reducer();
  reducer.begin_step(profile == nullptr ? update_ : [this](const ArenaSlice& slice) {
    const auto begin = Clock::now();
    update_(slice);
    update_seconds_ += seconds_since(begin);
  });
  network_.backward([&](const ArenaSlice& slice) { reducer.ready(slice.end()); }, profile);
  reducer.finish();
  const auto begin = Clock::now();
  replica_->average(network_.parameters().statistics());
  step_exposed_seconds_ = reducer.times().exposed + seconds_since(begin);
}

// Ranks leave a step together, as in training, and all go by the slowest.
double TrainingBench::timed_step() {
  const auto begin = Clock::now();
  step();
  return communicator_.max(seconds_since(begin));
}

std::vector<double> TrainingBench::run(double seconds) {
  constexpr std::size_t kFewestSteps = 3;
  for (int i = 0; i < kWarmUpSteps; ++i) (void)timed_step();
  std::vector<double> times;
  double exposed = 0;
  for (double spent = 0; times.size() < kFewestSteps || spent < seconds; spent += times.back()) {
    times.push_back(timed_step());
    exposed += step_exposed_seconds_;
  }
  exposed_seconds_ = communicator_.sum(exposed / static_cast<double>(times.size())) / communicator_.size();
  return times;
}

double TrainingBench::flops_per_step() const {
  double flops = 0;
  for (const Instruction& instruction : network_.plan().program.instructions) flops += instruction.flops;
  return flops;
}

}  // namespace convoy
