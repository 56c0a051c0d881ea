#include "convoy/run/settings/resolved_settings.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/name_index.h"
#include "convoy/run/settings/amounts.h"

namespace convoy {
namespace {

std::int64_t in_steps(double epochs, std::int64_t steps_per_epoch) {
  constexpr double kMostSteps = 1e15;
  const double steps = epochs * static_cast<double>(steps_per_epoch);
  if (!(std::abs(steps) <= kMostSteps)) throw UserError("a schedule cannot be planned for {} epochs", epochs);
  return std::llround(steps);
}

std::vector<std::int64_t> milestone_steps(const TrainSettings& settings, std::int64_t steps_per_epoch) {
  std::vector<std::int64_t> steps;
  std::istringstream list(settings.milestones);
  for (std::string text; std::getline(list, text, ',');) {
    double epoch = 0;
    parse_value("lr-milestones", text, epoch);
    steps.push_back(in_steps(epoch, steps_per_epoch));
  }
  return steps;
}

bool is_whole_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void require_rate(double rate) {
  if (rate > 0 && std::isfinite(rate)) return;
  throw UserError("--lr must be above 0, got {}", rate);
}

// Files of older versions say true or false.
double effective_rate(const TrainSettings& settings, int workers) {
  const std::int64_t batch = global_batch(settings, workers);
  const std::string& how = settings.scale_learning_rate;
  if (how == "none" || how == "false") return *settings.learning_rate;
  if (how == "linear" || how == "true") return scaled_rate(*settings.learning_rate, batch);
  if (how == "sqrt") return root_scaled_rate(*settings.learning_rate, batch);
  if (how == "workers") return workers * *settings.learning_rate;
  throw UserError("--scale-lr is none, linear, sqrt or workers, got \"{}\"", how);
}

double share_of_percent(double percent) {
  if (!(percent > 0 && percent <= 100)) {
    throw UserError("--target-accuracy is in percent, above 0 and at most 100, got {}", percent);
  }
  return percent / 100;
}

// Adasum needs each party's whole gradient of a tensor, so it cannot be combined with some other settings.
Reduction reduction_of(const TrainSettings& settings) {
  const Reduction reduction = reduction_named(settings.reduction);
  if (reduction == Reduction::mean) return reduction;
  const auto refuse = [](bool wrong, const char* flag) {
    if (wrong) throw UserError("--reduction adasum cannot be used with {}, which needs sums of gradients", flag);
  };
  refuse(settings.reproducible, "--reproducible");
  refuse(settings.compress != "none", "--compress");
  refuse(settings.local_steps > 1, "--local-steps");
  refuse(settings.all_reduce != "auto", "--allreduce");
  return reduction;
}

// Asynchronous training has no gradients of all workers in a step, nor the same weights on all of them.
std::int64_t staleness_of(const TrainSettings& settings) {
  if (settings.async < 0) throw UserError("--async must be at least 0, got {}", settings.async);
  if (settings.async == 0) return 0;
  const bool is_layerwise = settings.optimizer == "lars" || settings.optimizer == "lamb";
  const std::vector<std::pair<bool, std::string>> others = {
      {settings.reproducible, "--reproducible"},
      {settings.clip > 0, "--clip"},
      {settings.sync_batch_norm, "--sync-bn"},
      {settings.ema != 0, "--ema"},
      {is_layerwise, "--optimizer " + settings.optimizer},
      {settings.reduction != "mean", "--reduction " + settings.reduction},
      {settings.compress != "none", "--compress"},
      {settings.local_steps > 1, "--local-steps"},
      {settings.update == "shards", "--update shards"},
      {settings.all_reduce != "auto", "--allreduce"}};
  for (const auto& [is_given, flag] : others) {
    if (is_given) {
      throw UserError("--async {} cannot be used with {}, which needs the workers' steps to be the same; give one",
                      settings.async, flag);
    }
  }
  return settings.async;
}

// Shards save bytes if parameters take fewer bytes in messages than the gradients' sums do.
bool updates_shards(const TrainSettings& settings) {
  const std::vector<std::string> names = {"auto", "everywhere", "shards"};
  const std::size_t how = name_index("update", settings.update, names);
  const std::vector<std::pair<bool, const char*>> others = {
      {settings.compress != "none", "--compress, which makes gradients shorter than parameters"},
      {settings.local_steps > 1, "--local-steps, with which every group updates everything"},
      {settings.async > 0, "--async, which has shards of its own"},
      {settings.reduction != "mean", "--reduction adasum, which needs whole gradients"},
      {settings.reproducible, "--reproducible, with which every worker updates everything"},
      {settings.ema != 0, "--ema, which needs every parameter after every step"},
      {settings.all_reduce != "auto" && settings.all_reduce != "ring", "another --allreduce than ring"}};
  const auto hindered = std::ranges::find(others, true, &std::pair<bool, const char*>::first);
  if (hindered == others.end()) return how == 2 || (how == 0 && settings.precision == "bf16");
  if (how == 2) throw UserError("--update shards cannot be used with {}", hindered->second);
  return false;
}

}  // namespace

std::string default_augmentation(data::SourceKind kind) {
  switch (kind) {
    case data::SourceKind::fashion_mnist:
    case data::SourceKind::cifar10:
    case data::SourceKind::cifar100:
      return "cifar";
    case data::SourceKind::tiny_imagenet:
    case data::SourceKind::folder:
    case data::SourceKind::pack:
      return "imagenet";
    case data::SourceKind::mnist:
    case data::SourceKind::synthetic:
      return "none";
  }
  return "none";
}

double default_rate(OptimizerKind optimizer, Loss loss, bool has_batch_norm, std::int64_t batch) {
  const double share = loss == Loss::mean_squared_error ? 0.1 : 1;
  switch (optimizer) {
    case OptimizerKind::adam:
    case OptimizerKind::adamw:
      return 1e-3;
    case OptimizerKind::adadelta:
      return 1;
    case OptimizerKind::sgd:
      return scaled_rate(share * (has_batch_norm ? 1 : 0.2), batch);
    // Layer-wise rules scale with the root of the batch, as in their papers. lars has momentum's rate because biases
    // use the rate without a layer's factor.
    case OptimizerKind::lars:
      return root_scaled_rate(share * (has_batch_norm ? 0.1 : 0.02), batch);
    case OptimizerKind::lamb:
      return root_scaled_rate(3.5e-3, batch);
    case OptimizerKind::momentum:
    case OptimizerKind::nesterov:
      return scaled_rate(share * (has_batch_norm ? 0.1 : 0.02), batch);
  }
  return 1e-3;
}

std::int64_t global_batch(const TrainSettings& settings, int workers) {
  if (settings.scaling == "strong") return settings.batch;
  if (settings.scaling == "weak") return settings.batch * workers;
  throw UserError("--scaling is strong or weak, got \"{}\"", settings.scaling);
}

void resolve(TrainSettings& settings, bool has_batch_norm, int workers) {
  const OptimizerKind optimizer = optimizer_named(settings.optimizer);
  if (settings.augment.preset.empty()) {
    settings.augment.preset = default_augmentation(data::parse_source_spec(settings.data).kind);
  }
  if (!settings.learning_rate) {
    settings.learning_rate =
        default_rate(optimizer, loss_named(settings.loss), has_batch_norm, global_batch(settings, workers));
    settings.scale_learning_rate = "none";
  }
  const bool decays_apart = optimizer == OptimizerKind::adamw || optimizer == OptimizerKind::lamb;
  if (!settings.weight_decay) settings.weight_decay = decays_apart ? 0.01 : 1e-4;
}

ModelOptions model_options(const TrainSettings& settings, const Shape& image, int classes) {
  if (!(settings.label_smoothing >= 0 && settings.label_smoothing < 1)) {
    throw UserError("--label-smoothing must be at least 0 and below 1, got {}", settings.label_smoothing);
  }
  return {.input = image,
          .classes = classes,
          .loss = loss_named(settings.loss),
          .label_smoothing = static_cast<float>(settings.label_smoothing)};
}

OptimizerOptions optimizer_options(const TrainSettings& settings) {
  OptimizerOptions options{.kind = optimizer_named(settings.optimizer),
                           .momentum = settings.momentum,
                           .beta1 = settings.beta1,
                           .beta2 = settings.beta2,
                           .rho = settings.rho,
                           .epsilon = settings.epsilon,
                           .trust = settings.trust,
                           .weight_decay = settings.weight_decay.value_or(0)};
  check_options(options);
  return options;
}

namespace {

// A user who gives drops of the rate and forgets the schedule would train at a constant rate without noticing.
void require_drops_used(const TrainSettings& settings) {
  if (schedule_named(settings.schedule) == ScheduleKind::step) return;
  const char* const flag = !settings.milestones.empty() ? "lr-milestones" : settings.rate_every ? "lr-every" : nullptr;
  if (flag != nullptr) throw UserError("--{} goes with --schedule step, not with {}", flag, settings.schedule);
}

}  // namespace

ScheduleOptions schedule_options(const TrainSettings& settings, std::int64_t steps_per_epoch, int workers) {
  require_drops_used(settings);
  require_rate(settings.learning_rate.value_or(0));
  const double epochs = settings.schedule_epochs.value_or(static_cast<double>(settings.epochs));
  if (settings.schedule_epochs && !(epochs > 0)) {
    throw UserError("--schedule-epochs must be above 0, got {}", epochs);
  }
  if (!(settings.warmup_epochs >= 0)) throw UserError("--warmup must be at least 0, got {}", settings.warmup_epochs);
  ScheduleOptions options{.kind = schedule_named(settings.schedule),
                          .learning_rate = effective_rate(settings, workers),
                          .steps = std::max<std::int64_t>(1, in_steps(epochs, steps_per_epoch)),
                          .warmup_steps = in_steps(settings.warmup_epochs, steps_per_epoch),
                          .milestones = milestone_steps(settings, steps_per_epoch),
                          .every = in_steps(settings.rate_every.value_or(0), steps_per_epoch),
                          .factor = settings.rate_factor,
                          .final_fraction = settings.final_fraction,
                          .power = settings.power};
  check_options(options);
  return options;
}

TrainerOptions trainer_options(const TrainSettings& settings, int workers) {
  TrainerOptions options{
      .epochs = settings.epochs,
      .batch = global_batch(settings, workers),
      .instances = settings.instances,
      .accumulate = settings.accumulate,
      .epoch_samples = settings.epoch_size,
      .clip_norm = settings.clip,
      .seed = settings.seed,
      .augment = augment_options(settings.augment),
      .mix = {.mixup = static_cast<float>(settings.mixup), .cutmix = static_cast<float>(settings.cutmix)},
      .loader_threads = settings.loader_threads,
      .evaluate_every = settings.evaluate_every,
      .average_decay = settings.ema,
      .compare_every = settings.compare_every};
  if (settings.epoch_size < 0) throw UserError("--epoch-size must be at least 0, got {}", settings.epoch_size);
  if (settings.compare_every < 1) {
    throw UserError("--compare-every must be at least 1, got {}", settings.compare_every);
  }
  options.sync_batch_norm = settings.sync_batch_norm;
  if (settings.reproducible) options.grains = settings.grains;
  if (settings.target_accuracy) options.stop.target_top1 = share_of_percent(*settings.target_accuracy);
  if (settings.patience < 0) throw UserError("--patience must be at least 0, got {}", settings.patience);
  options.stop.patience = settings.patience;
  if (!settings.max_time.empty()) options.stop.max_seconds = parse_duration("--max-time", settings.max_time);
  return options;
}

CompressionOptions compression_options(const TrainSettings& settings) {
  if (settings.compress_block < 0) {
    throw UserError("--compress-block must be at least 0, got {}", settings.compress_block);
  }
  const CompressionOptions options{.codec = codec_named(settings.compress),
                                   .after = settings.compress_after,
                                   .block = static_cast<std::size_t>(settings.compress_block),
                                   .share = settings.compress_share,
                                   .rank = settings.compress_rank};
  check_options(options);
  if (options.codec != CodecKind::none && settings.reproducible) {
    throw UserError("--reproducible sums exactly: it cannot be used with --compress {}", settings.compress);
  }
  return options;
}

LocalOptions local_options(const TrainSettings& settings) {
  const LocalOptions options{.steps = settings.local_steps,
                             .after = settings.local_after,
                             .block_rate = settings.block_rate,
                             .block_momentum = settings.block_momentum,
                             .block_nesterov = settings.block_nesterov,
                             .reset = settings.local_reset};
  check_options(options);
  if (options.steps == 1) return options;
  if (settings.reproducible) {
    throw UserError("--reproducible gives the same weights with any workers: it cannot be used with --local-steps {}",
                    options.steps);
  }
  if (settings.ema != 0) {
    throw UserError("--ema averages weights that all workers share: it cannot be used with --local-steps {}",
                    options.steps);
  }
  if (settings.compress != "none") {
    throw UserError("--compress {} is for gradients, and with --local-steps {} models are averaged instead; give one",
                    settings.compress, options.steps);
  }
  return options;
}

ReducerOptions reducer_options(const TrainSettings& settings) {
  ReducerOptions options;
  options.reduction = reduction_of(settings);
  options.algorithm = algorithm_named(settings.all_reduce);
  if (!settings.bucket.empty()) options.bucket_bytes = parse_byte_size("--bucket", settings.bucket);
  options.compression = compression_options(settings);
  options.local = local_options(settings);
  options.staleness = staleness_of(settings);
  options.shards = updates_shards(settings);
  return options;
}

// There are no factors when gradients are summed over pieces or grains, and none when models are averaged. Layers that
// exchange activations are divided, so that no worker has all parameters after a step.
DenseExchangeOptions dense_exchange_options(const TrainSettings& settings, int workers) {
  DenseExchangeOptions options{.how = settings.dense_exchange,
                               .rows = global_batch(settings, workers) * settings.instances};
  options.may_divide = settings.ema == 0;
  if (!options.may_divide && options.how.find("activations") != std::string::npos) {
    throw UserError("--dense-exchange {} cannot be used with --ema, which needs every parameter after every step",
                    options.how);
  }
  const bool has_factors = settings.accumulate == 1 && !settings.reproducible && settings.local_steps == 1 &&
                           settings.async == 0 && settings.reduction == "mean";
  if (has_factors || options.how == "gradients") return options;
  if (options.how != "auto") {
    throw UserError(
        "--dense-exchange {} cannot be used with --accumulate, --reproducible, --local-steps, --async or --reduction "
        "adasum",
        options.how);
  }
  options.how = "gradients";
  return options;
}

CheckpointPlan checkpoint_plan(const TrainSettings& settings) {
  if (settings.keep < 0) throw UserError("--keep must be at least 0, got {}", settings.keep);
  CheckpointPlan plan{.keep = settings.keep};
  if (is_whole_number(settings.checkpoint_every)) {
    parse_value("--checkpoint-every", settings.checkpoint_every, plan.every_steps);
  } else if (!settings.checkpoint_every.empty()) {
    plan.every_seconds = parse_duration("--checkpoint-every", settings.checkpoint_every);
  }
  return plan;
}

}  // namespace convoy
