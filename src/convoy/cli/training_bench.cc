#include "convoy/cli/training_bench.h"

#include "convoy/base/clock.h"
#include "convoy/base/rng.h"
#include "convoy/cli/cache_folder.h"

namespace convoy::cli {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLearningRate = 0.01;

Network timed_network(const Graph& graph, const BenchOptions& options, TuningCache& cache, double& seconds) {
  const auto begin = Clock::now();
  Network network(graph, {.batch = options.batch,
                          .threads = options.threads,
                          .exact = options.exact,
                          .cache = options.use_cache ? &cache : nullptr});
  seconds = seconds_since(begin);
  return network;
}

TuningCache open_cache(const BenchOptions& options) {
  return options.use_cache ? TuningCache(tuning_cache_file()) : TuningCache();
}

}  // namespace

TrainingBench::TrainingBench(const Graph& graph, const BenchOptions& options)
    : cache_(open_cache(options)),
      network_(timed_network(graph, options, cache_, compile_seconds_)),
      optimizer_(make_optimizer({.kind = OptimizerKind::momentum, .momentum = 0.9, .weight_decay = 1e-4},
                                network_.parameters().table().arena_floats)),
      update_([this](const ArenaSlice& slice) {
        ParameterStore& store = network_.parameters();
        optimizer_->update(slice.offset, store.parameters().subspan(slice.offset, slice.count),
                           store.gradients().subspan(slice.offset, slice.count));
      }) {
  network_.parameters().initialise(graph, Initialiser::he_normal, kSeed);
  fill_batch();
}

void TrainingBench::fill_batch() {
  Rng rng(kSeed);
  for (float& x : network_.input()) x = rng.normal();
  const auto classes = network_.logits().size() / network_.labels().size();
  for (std::int32_t& label : network_.labels()) {
    label = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(classes)));
  }
}

void TrainingBench::step(Profile* profile) {
  network_.forward({.seed = kSeed, .step = steps_++, .gradient_scale = 0.0F}, profile);
  optimizer_->begin_step(kLearningRate);
  if (profile == nullptr) {
    network_.backward(update_);
    return;
  }
  network_.backward(
      [this](const ArenaSlice& slice) {
        const auto begin = Clock::now();
        update_(slice);
        update_seconds_ += seconds_since(begin);
      },
      profile);
}

std::vector<double> TrainingBench::run(double seconds) {
  constexpr std::size_t kFewestSteps = 3;
  for (int i = 0; i < kWarmUpSteps; ++i) step();
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < kFewestSteps || seconds_since(begin) < seconds) {
    const auto step_begin = Clock::now();
    step();
    times.push_back(seconds_since(step_begin));
  }
  return times;
}

double TrainingBench::flops_per_step() const {
  double flops = 0;
  for (const Instruction& instruction : network_.plan().program.instructions) flops += instruction.flops;
  return flops;
}

}  // namespace convoy::cli
