#include "convoy/run/settings/resolved_settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

using Steps = std::vector<std::int64_t>;

TrainSettings settings_for(const std::string& data, const std::string& optimizer = "momentum") {
  TrainSettings settings;
  settings.augment.preset = "";
  settings.data = data;
  settings.optimizer = optimizer;
  return settings;
}

TrainSettings resolved(TrainSettings settings, bool has_batch_norm = true) {
  resolve(settings, has_batch_norm);
  return settings;
}

TEST(ResolvedSettings, RatesGoWithOptimizerModelAndBatch) {
  TrainSettings settings = settings_for("mnist");
  settings.batch = 256;
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 0.1);
  EXPECT_DOUBLE_EQ(resolved(settings, false).learning_rate.value(), 0.02);
  settings.batch = 64;
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 0.025);
  settings.optimizer = "sgd";
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 0.25);
  settings.loss = "mean-squared-error";
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 0.025);
  EXPECT_DOUBLE_EQ(resolved(settings, false).learning_rate.value(), 0.005);
  for (const char* name : {"adam", "adamw"})
    EXPECT_EQ(resolved(settings_for("mnist", name)).learning_rate, 1e-3) << name;
  EXPECT_EQ(resolved(settings_for("mnist", "adadelta")).learning_rate, 1);
}

TEST(ResolvedSettings, ARateThatWasGivenStays) {
  TrainSettings settings = settings_for("mnist");
  settings.learning_rate = 0.3;
  settings.scale_learning_rate = "linear";
  settings.batch = 512;
  EXPECT_EQ(resolved(settings).learning_rate, 0.3);
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10).learning_rate, 0.6);
  settings.scale_learning_rate = "none";
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10).learning_rate, 0.3);
  settings.scale_learning_rate = "sqrt";
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10).learning_rate, 0.3 * std::sqrt(2.0));
  settings.scale_learning_rate = "workers";
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10, 4).learning_rate, 1.2);
  settings.scale_learning_rate = "true";  // as older versions wrote it
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10).learning_rate, 0.6);
  settings.scale_learning_rate = "cubic";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)schedule_options(settings, 10); },
                                     "--scale-lr is none, linear, sqrt or workers"));
}

TEST(ResolvedSettings, LayerWiseRatesGoByTheRootOfTheBatch) {
  TrainSettings settings = settings_for("mnist", "lars");
  settings.batch = 1024;
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 0.2);
  settings.optimizer = "lamb";
  EXPECT_DOUBLE_EQ(resolved(settings).learning_rate.value(), 7e-3);
  EXPECT_EQ(resolved(settings).weight_decay, 0.01);
}

TEST(ResolvedSettings, ADefaultRateIsNotScaledTwice) {
  TrainSettings settings = settings_for("mnist");
  settings.scale_learning_rate = "linear";
  settings.batch = 512;
  EXPECT_DOUBLE_EQ(schedule_options(resolved(settings), 10).learning_rate, 0.2);
}

TEST(ResolvedSettings, DecayGoesWithTheOptimizer) {
  EXPECT_EQ(resolved(settings_for("mnist")).weight_decay, 1e-4);
  EXPECT_EQ(resolved(settings_for("mnist", "adamw")).weight_decay, 0.01);
  TrainSettings none = settings_for("mnist");
  none.weight_decay = 0;
  EXPECT_EQ(optimizer_options(resolved(none)).weight_decay, 0);
}

TEST(ResolvedSettings, AugmentationGoesWithTheData) {
  EXPECT_EQ(resolved(settings_for("mnist")).augment.preset, "none");
  EXPECT_EQ(resolved(settings_for("synthetic:1x8x8")).augment.preset, "none");
  EXPECT_EQ(resolved(settings_for("fashion-mnist")).augment.preset, "cifar");
  EXPECT_EQ(resolved(settings_for("cifar10")).augment.preset, "cifar");
  EXPECT_EQ(resolved(settings_for("folder:photos")).augment.preset, "imagenet");
  TrainSettings given = settings_for("cifar10");
  given.augment.preset = "strong";
  EXPECT_EQ(resolved(given).augment.preset, "strong");
}

TEST(ResolvedSettings, ResolvingTwiceChangesNothing) {
  const TrainSettings once = resolved(settings_for("cifar10", "adamw"));
  const TrainSettings twice = resolved(once, false);
  EXPECT_EQ(twice.learning_rate, once.learning_rate);
  EXPECT_EQ(twice.weight_decay, once.weight_decay);
  EXPECT_EQ(twice.augment.preset, once.augment.preset);
}

ScheduleOptions schedule_of(const std::function<void(TrainSettings&)>& change) {
  TrainSettings settings = resolved(settings_for("mnist"));
  settings.epochs = 8;
  change(settings);
  return schedule_options(settings, 100);
}

TEST(ResolvedSettings, EpochsOfAScheduleBecomeSteps) {
  const ScheduleOptions options = schedule_of([](TrainSettings& settings) {
    settings.schedule = "cosine";
    settings.warmup_epochs = 0.5;
    settings.final_fraction = 0.25;
  });
  EXPECT_EQ(options.kind, ScheduleKind::cosine);
  EXPECT_EQ(options.steps, 800);
  EXPECT_EQ(options.warmup_steps, 50);
  EXPECT_EQ(options.final_fraction, 0.25);
  EXPECT_EQ(schedule_of([](TrainSettings& settings) { settings.schedule_epochs = 2.5; }).steps, 250);
}

TEST(ResolvedSettings, DropsOfTheRateNeedTheirSchedule) {
  const auto with_drops = [](const char* schedule) {
    return schedule_of([&](TrainSettings& settings) {
      settings.schedule = schedule;
      settings.milestones = "2,4";
    });
  };
  EXPECT_EQ(with_drops("step").milestones, (std::vector<std::int64_t>{200, 400}));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)with_drops("cosine"); }, "--lr-milestones goes with --schedule step"));
  EXPECT_TRUE(
      throws_with<UserError>([] { (void)schedule_of([](TrainSettings& settings) { settings.rate_every = 2; }); },
                             "--lr-every goes with --schedule step"));
}

TEST(ResolvedSettings, SchedulesOfNoEpochsAreRefused) {
  for (const double epochs : {-1.0, 0.0, 1e300, std::nan("")}) {
    EXPECT_THROW((void)schedule_of([&](TrainSettings& settings) { settings.schedule_epochs = epochs; }), UserError)
        << epochs;
  }
}

TEST(ResolvedSettings, MilestonesAreEpochs) {
  const ScheduleOptions options = schedule_of([](TrainSettings& settings) {
    settings.schedule = "step";
    settings.milestones = "2,4.5,7";
    settings.rate_factor = 0.2;
  });
  EXPECT_EQ(options.milestones, (Steps{200, 450, 700}));
  EXPECT_EQ(options.factor, 0.2);
  const ScheduleOptions every = schedule_of([](TrainSettings& settings) {
    settings.schedule = "step";
    settings.rate_every = 3;
  });
  EXPECT_EQ(every.every, 300);
  EXPECT_TRUE(every.milestones.empty());
}

TEST(ResolvedSettings, WrongMilestonesAreRefused) {
  for (const char* text : {"2,x", "2,,4", "2;4", "4,2"}) {
    EXPECT_THROW((void)schedule_of([&](TrainSettings& settings) {
                   settings.schedule = "step";
                   settings.milestones = text;
                 }),
                 UserError)
        << text;
  }
}

TEST(ResolvedSettings, RatesOutOfRangeAreRefused) {
  for (const double rate : {0.0, -0.1, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)schedule_of([&](TrainSettings& s) { s.learning_rate = rate; }); },
                                       "--lr must be above 0"))
        << rate;
  }
  EXPECT_TRUE(
      throws_with<UserError>([] { (void)schedule_of([](TrainSettings& s) { s.warmup_epochs = -1; }); }, "--warmup"));
}

CheckpointPlan plan_of(const std::string& every) {
  TrainSettings settings;
  settings.checkpoint_every = every;
  return checkpoint_plan(settings);
}

TEST(ResolvedSettings, CheckpointsComeByStepsOrByTime) {
  EXPECT_EQ(plan_of("500").every_steps, 500);
  EXPECT_EQ(plan_of("500").every_seconds, std::numeric_limits<double>::infinity());
  EXPECT_EQ(plan_of("10m").every_seconds, 600);
  EXPECT_EQ(plan_of("10m").every_steps, 0);
  EXPECT_EQ(plan_of("0.5s").every_seconds, 0.5);
  EXPECT_EQ(plan_of("").every_steps, 0);
  EXPECT_EQ(plan_of("").every_seconds, std::numeric_limits<double>::infinity());
  for (const char* text : {"often", "-3", "10 minutes", "5steps", "99999999999999999999"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)plan_of(text); }, "--checkpoint-every must be")) << text;
  }
}

TEST(ResolvedSettings, CheckpointsKeptAreACount) {
  TrainSettings settings;
  settings.keep = -1;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)checkpoint_plan(settings); }, "--keep must be at least 0"));
  settings.keep = 1;
  EXPECT_EQ(checkpoint_plan(settings).keep, 1);
}

TEST(ResolvedSettings, StopsAreInSharesAndSeconds) {
  TrainSettings settings = resolved(settings_for("mnist"));
  EXPECT_EQ(trainer_options(settings).stop.max_seconds, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(trainer_options(settings).stop.target_top1);
  settings.max_time = "1.5h";
  settings.target_accuracy = 93;
  settings.patience = 4;
  const StopOptions stop = trainer_options(settings).stop;
  EXPECT_EQ(stop.max_seconds, 5400);
  EXPECT_DOUBLE_EQ(stop.target_top1.value(), 0.93);
  EXPECT_EQ(stop.patience, 4);
}

TEST(ResolvedSettings, StopsOutOfRangeAreRefused) {
  for (const double percent : {0.0, -1.0, 100.5, std::nan("")}) {
    TrainSettings settings = resolved(settings_for("mnist"));
    settings.target_accuracy = percent;
    EXPECT_TRUE(throws_with<UserError>([&] { (void)trainer_options(settings); }, "--target-accuracy")) << percent;
  }
  TrainSettings settings = resolved(settings_for("mnist"));
  settings.patience = -1;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)trainer_options(settings); }, "--patience"));
  settings.patience = 0;
  settings.max_time = "soon";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)trainer_options(settings); }, "--max-time"));
}

TEST(ResolvedSettings, LabelSmoothingHasARange) {
  TrainSettings settings = settings_for("mnist");
  settings.label_smoothing = 0.1;
  EXPECT_EQ(model_options(settings, {1, 28, 28}, 10).label_smoothing, 0.1F);
  for (const double part : {-0.1, 1.0, std::nan("")}) {
    settings.label_smoothing = part;
    EXPECT_TRUE(throws_with<UserError>([&] { (void)model_options(settings, {1, 28, 28}, 10); }, "--label-smoothing"));
  }
}

TEST(ResolvedSettings, UnknownNamesAreRefused) {
  TrainSettings settings = settings_for("mnist", "adamm");
  EXPECT_TRUE(throws_with<UserError>([&] { resolve(settings, true); }, "\"adam\""));
  settings = settings_for("mnist");
  settings.loss = "cross-entrop";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)model_options(settings, {1, 28, 28}, 10); }, "cross-entropy"));
  EXPECT_TRUE(
      throws_with<UserError>([] { (void)schedule_of([](TrainSettings& s) { s.schedule = "cosin"; }); }, "cosine"));
}

TEST(DenseExchangeSettings, NeedWholeBatches) {
  TrainSettings settings;
  settings.batch = 40;
  EXPECT_EQ(dense_exchange_options(settings).how, "auto");
  EXPECT_EQ(dense_exchange_options(settings).rows, 40);
  settings.accumulate = 2;
  EXPECT_EQ(dense_exchange_options(settings).how, "gradients");
  settings.dense_exchange = "factors";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)dense_exchange_options(settings); }, "--dense-exchange factors"));
  settings.accumulate = 1;
  EXPECT_EQ(dense_exchange_options(settings).how, "factors");
}

TEST(DenseExchangeSettings, DividedLayersHaveNoAverage) {
  TrainSettings settings;
  EXPECT_TRUE(dense_exchange_options(settings).may_divide);
  settings.dense_exchange = "fc7=activations";
  EXPECT_EQ(dense_exchange_options(settings).how, "fc7=activations");
  settings.ema = 0.99;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)dense_exchange_options(settings); }, "--ema"));
  settings.dense_exchange = "auto";
  EXPECT_FALSE(dense_exchange_options(settings).may_divide);
}

TEST(UpdateSettings, ShardsWhereParametersAreShorter) {
  TrainSettings settings;
  EXPECT_FALSE(reducer_options(settings).shards);
  settings.precision = "bf16";
  EXPECT_TRUE(reducer_options(settings).shards);
  settings.update = "everywhere";
  EXPECT_FALSE(reducer_options(settings).shards);
  settings.update = "shard";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)reducer_options(settings); }, "\"shards\""));
  settings.precision = "fp32";
  settings.update = "shards";
  EXPECT_TRUE(reducer_options(settings).shards);
  settings.compress = "int8";
  EXPECT_TRUE(throws_with<UserError>([&] { (void)reducer_options(settings); }, "--compress"));
  settings.update = "auto";
  settings.precision = "bf16";
  EXPECT_FALSE(reducer_options(settings).shards);
}

TEST(CompressionSettings, AreCheckedAndNeverReproducible) {
  TrainSettings settings;
  EXPECT_EQ(compression_options(settings).codec, CodecKind::none);
  settings.compress = "topk";
  settings.compress_share = 0.05;
  settings.compress_after = 100;
  EXPECT_EQ(compression_options(settings).codec, CodecKind::topk);
  EXPECT_EQ(compression_options(settings).share, 0.05);
  EXPECT_EQ(reducer_options(settings).compression.after, 100);
  settings.reproducible = true;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)compression_options(settings); }, "--compress topk"));
  settings.reproducible = false;
  settings.compress_block = -64;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)compression_options(settings); }, "--compress-block"));
  settings.compress = "gzip";
  EXPECT_THROW((void)reducer_options(settings), UserError);
}

}  // namespace
}  // namespace convoy
