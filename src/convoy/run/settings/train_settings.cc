#include "convoy/run/settings/train_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "convoy/graph/initialisation.h"
#include "convoy/optim/optimizer_options.h"
#include "convoy/optim/schedule.h"
#include "convoy/run/user_folders.h"
#include "convoy/sync/codec/compression.h"

namespace convoy {
namespace {

void add_data(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Data", list)
      .add("data", s.data, "NAME", "What to train on: a name of `convoy data list`, or a path of images or a pack")
      .add("data-dir", s.source.data_dir, "DIR", "Folder that holds the data sets")
      .add("image-size", s.source.image_size, "PIXELS",
           "Height and width of images; 0: the data's own, 224 for folders")
      .add("val-fraction", s.source.val_fraction, "PART", "Kept for testing where the data has no split of its own")
      .add("split-seed", s.source.split_seed, "N", "Seed of that split")
      .add("train-samples", s.train_samples, "N", "Train on so many images only, drawn by --split-seed; 0: all")
      .add("test-samples", s.test_samples, "N", "Test on so many images only; 0: all")
      .add("skip-corrupt", s.source.skip_corrupt, "", "Leave out unreadable samples, and count them");
}

void add_augmentation(TrainSettings& s, std::vector<Setting>& list) {
  const std::string presets =
      fmt::format("How images are varied: {}; if left out, by the data", fmt::join(data::augment_presets(), ", "));
  SettingGroup("Augmentation", list)
      .add("augment", s.augment.preset, "PRESET", presets)
      .add("pad", s.augment.pad, "PIXELS", "Added on each side before a random crop")
      .add("flip", s.augment.flip, "BOOL", "Mirror half of the images")
      .add("shift", s.augment.shift, "PART", "Shift by up to this part of width and height")
      .add("zoom", s.augment.zoom, "PART", "Magnify by 1 - PART to 1 + PART")
      .add("rotation", s.augment.rotation, "PART", "Rotate by up to this part of a full turn")
      .add("brightness", s.augment.brightness, "PART", "Change brightness by up to this part")
      .add("contrast", s.augment.contrast, "PART", "Change contrast by up to this part")
      .add("cutout", s.augment.cutout, "PIXELS", "Side of the squares cut out of each image")
      .add("cutout-count", s.augment.cutout_count, "N", "How many squares")
      .add("instances", s.instances, "M", "Batch augmentation: times each sample is in its batch, each varied anew")
      .add("mixup", s.mixup, "ALPHA", "Blend images with others, by shares of a Beta distribution; 0: never")
      .add("cutmix", s.cutmix, "ALPHA", "Put a rectangle of another image into each, likewise; 0: never");
}

void add_model(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Model", list)
      .add("model", s.model, "NAME",
           "Network of the zoo, which `convoy models` lists, or a file with one: as text (TOML) or ONNX")
      .add("network", s.network, "TEXT", "That text itself, as runs keep it; --model is then what it is called")
      .add("loss", s.loss, "NAME", "cross-entropy or mean-squared-error")
      .add("label-smoothing", s.label_smoothing, "PART", "Of the target spread over all classes")
      .add("initialiser", s.initialiser, "NAME",
           fmt::format("First values of weights: {} (as in Caffe: a deviation of 0.01 everywhere)",
                       fmt::join(initialiser_names(), ", ")))
      .add("init", s.init, "FILE",
           "Start from these weights (safetensors, checkpoint or run folder) as far as they fit")
      .add("freeze", s.freeze, "PATTERN", "Parameters not to train, e.g. 'conv1*,layer1.*'");
}

void add_training(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Training", list)
      .add("epochs", s.epochs, "N", "Passes over the data; see --resume for going on")
      .add("batch", s.batch, "N", "Samples of a step")
      .add("accumulate", s.accumulate, "K", "Compute a batch in K pieces, to save memory")
      .add("seed", s.seed, "N", "Of first weights, order, augmentation and dropout")
      .add("epoch-size", s.epoch_size, "N",
           "An epoch is about N samples of passes over the data that go on, in whole steps; 0: a pass")
      .add("ema", s.ema, "DECAY", "Keep a moving average of the weights, such as 0.999, and test it too; 0: none");
}

void add_optimizer(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Optimizer", list)
      .add("optimizer", s.optimizer, "NAME", fmt::format("{}", fmt::join(optimizer_names(), ", ")))
      .add("lr", s.learning_rate, "RATE", "Learning rate; if left out, by optimizer, loss, model and batch")
      .add("scale-lr", s.scale_learning_rate, "HOW",
           "--lr is for a batch of 256: scale it with the batch (linear, also without a value) or its root (sqrt); or "
           "it is for one worker: multiply it by their number (workers)")
      .or_alone("linear")
      .add("momentum", s.momentum, "PART", "momentum, nesterov, lars: of the velocity kept in a step")
      .add("trust", s.trust, "X", "lars: length of a layer's step relative to its weights, at a rate of 1")
      .add("beta1", s.beta1, "PART", "adam, adamw, lamb: decay of the mean of gradients")
      .add("beta2", s.beta2, "PART", "adam, adamw, lamb: decay of the mean of squares")
      .add("rho", s.rho, "PART", "adadelta: decay of both means")
      .add("epsilon", s.epsilon, "X", "adam, adamw, adadelta, lamb: keeps divisors from zero")
      .add("weight-decay", s.weight_decay, "X",
           "Pull of weights towards zero; if left out, 1e-4, for adamw and lamb 0.01")
      .add("decay-all", s.decay_all, "", "Weight decay for biases and batch norm too")
      .add("clip", s.clip, "NORM", "Scale gradients down to this norm; 0: never");
}

void add_schedule(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Schedule", list)
      .add("schedule", s.schedule, "NAME", fmt::format("Of the rate: {}", fmt::join(schedule_names(), ", ")))
      .add("warmup", s.warmup_epochs, "EPOCHS", "Over which the rate first rises from nearly 0")
      .add("schedule-epochs", s.schedule_epochs, "EPOCHS", "The schedule is planned for; --epochs if left out")
      .add("lr-milestones", s.milestones, "E,E,...", "step: epochs after which the rate is multiplied by --lr-factor")
      .add("lr-every", s.rate_every, "EPOCHS", "step: or after every so many")
      .add("lr-factor", s.rate_factor, "X", "step: this factor")
      .add("final-fraction", s.final_fraction, "PART", "cosine, polynomial: of the rate left in the end")
      .add("power", s.power, "X", "polynomial: 1 falls in a straight line");
}

void add_stops(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Evaluation", list)
      .add("eval-every", s.evaluate_every, "EPOCHS",
           "Test the network after every so many epochs, and the last; 0: never")
      .add("target-accuracy", s.target_accuracy, "PERCENT", "Stop when test accuracy reaches this")
      .add("patience", s.patience, "N", "Stop after N evaluations without a better one; 0: never")
      .add("max-time", s.max_time, "TIME", "Stop after this long: 90s, 30m, 2h");
}

void add_run(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Run", list)
      .add("run-dir", s.run_dir, "DIR", "Where the run is kept; a dated folder under runs/ if left out")
      .add("checkpoint-every", s.checkpoint_every, "N", "Steps (500) or time (10m) between checkpoints within an epoch")
      .add("keep", s.keep, "K", "Checkpoints kept, beside the best; 0: write none at all")
      .add("tensorboard", s.tensorboard, "DIR",
           "Write curves for TensorBoard as the run goes; into the run's folder, without a value")
      .or_alone(kOwnTensorboard)
      .add("tensorboard-histograms", s.tensorboard_histograms, "EPOCHS",
           "With histograms of the weights after every so many epochs; 0: never")
      .add("metrics", s.metrics, "FILE", "Keep a file for monitoring in the text format of Prometheus (FILE.prom)")
      .add("threads", s.threads, "N", "Of each worker, to compute with; its share of the cores if left out")
      .add("loader-threads", s.loader_threads, "N", "That make batches")
      .add("precision", s.precision, "TYPE",
           "fp32, or bf16 for activations, their gradients and the weights that kernels read")
      .add("exact", s.exact, "", "Direct arithmetic only: no winograd convolutions")
      .add("choices", s.choices, "DIR", "The kernels to use, as an earlier run kept them, instead of measuring");
}

void add_workers(TrainSettings& s, std::vector<Setting>& list) {
  SettingGroup("Workers", list)
      .add("workers", s.workers, "N", "Processes to train together, started by mpirun; one if left out")
      .add("hosts", s.hosts, "HOSTS", "Where: a:2,b:2 with workers on each, or a hostfile; here if left out")
      .add("scaling", s.scaling, "NAME", "What --batch is: strong, of all workers together; weak, of each")
      .add(
          "allreduce", s.all_reduce, "NAME",
          "How gradients are summed: auto, mpi, ring, recursive-doubling, rabenseifner, reduce-broadcast, hierarchical")
      .add("bucket", s.bucket, "SIZE", "Gradients that are summed at a time: 512K, 4M; measured if left out")
      .add("reduction", s.reduction, "HOW",
           "What becomes of the gradients of machines (on one, of workers): mean, or adasum for very large batches")
      .add("dense-exchange", s.dense_exchange, "HOW",
           "What machines exchange of dense layers: auto, gradients, factors, activations, or by layer")
      .add("update", s.update, "WHERE",
           "Which machine updates what: auto, everywhere (each all), shards (each its own, then sends parameters)")
      .add("compress", s.compress, "NAME",
           fmt::format("Shorter messages between machines: {}", fmt::join(codec_names(), ", ")))
      .add("compress-after", s.compress_after, "STEPS", "Exact until then")
      .add("compress-block", s.compress_block, "N",
           "int8, onebit: values with a scale of their own, a multiple of 64; 0: 256, 1024")
      .add("compress-share", s.compress_share, "PART", "topk: of the gradients that are sent")
      .add("compress-rank", s.compress_rank, "N", "powersgd: columns of each factor")
      .add("local-steps", s.local_steps, "K",
           "Machines (on one, workers) take K steps alone, then average their models; 1: gradients in every step")
      .add("local-after", s.local_after, "STEPS", "local-steps: gradients in every step until then")
      .add("local-reset", s.local_reset, "", "local-steps: forget the optimizer's memory after each average")
      .add("block-lr", s.block_rate, "RATE", "local-steps: of the change from average to average that is taken")
      .add("block-momentum", s.block_momentum, "PART", "local-steps: of the last change that is added to the next")
      .add("block-nesterov", s.block_nesterov, "", "block-momentum in Nesterov's form")
      .add("async", s.async, "STEPS",
           "Workers do not wait for each other: parameters may lack the last STEPS steps of any of them; 0: they wait")
      .add("sync-bn", s.sync_batch_norm, "", "Batch norm over the samples of all workers instead of each worker's own")
      .add("reproducible", s.reproducible, "",
           "The same weights, to the bit, with any number of workers that divides --grains")
      .add("grains", s.grains, "N", "reproducible: fixed parts of the batch, each computed alone")
      .add("deadline", s.deadline, "TIME", "How long a worker waits for another before it gives up")
      .add("compare-every", s.compare_every, "STEPS", "Between comparisons of the workers' weights")
      .add("trace", s.trace, "STEPS",
           "Write what each worker does in the first STEPS to trace.json, for chrome://tracing");
}

}  // namespace

std::vector<Setting> train_setting_list(TrainSettings& settings) {
  if (settings.source.data_dir.empty()) settings.source.data_dir = default_data_folder().string();
  std::vector<Setting> list;
  add_data(settings, list);
  add_augmentation(settings, list);
  add_model(settings, list);
  add_training(settings, list);
  add_optimizer(settings, list);
  add_schedule(settings, list);
  add_stops(settings, list);
  add_workers(settings, list);
  add_run(settings, list);
  return list;
}

}  // namespace convoy
