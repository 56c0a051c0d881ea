// Everything `convoy train` can be told, with its defaults. A run is repeated by giving it the same settings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "convoy/run/settings/augment_settings.h"
#include "convoy/run/settings/setting.h"
#include "convoy/run/settings/source_settings.h"

namespace convoy {

// What is left out is decided by resolve() (resolved_settings.h), after which every setting that matters has a value.
struct TrainSettings {
  std::string data;
  SourceSettings source;
  std::int64_t train_samples = 0;  // all
  std::int64_t test_samples = 0;
  AugmentSettings augment = {.preset = ""};  // by the data
  int instances = 1;
  double mixup = 0;
  double cutmix = 0;

  std::string model;    // of the zoo, or a file
  std::string network;  // its text, of a file
  std::string loss = "cross-entropy";
  double label_smoothing = 0;
  std::string initialiser = "he-normal";
  std::string init;    // weights to start from
  std::string freeze;  // patterns of parameter names, separated by commas

  std::int64_t epochs = 10;
  std::int64_t batch = 128;
  int accumulate = 1;
  std::uint64_t seed = 1;
  std::int64_t epoch_size = 0;  // samples; a pass over the data
  double ema = 0;               // decay of the average of the weights; none

  std::string optimizer = "momentum";
  std::optional<double> learning_rate;  // by the optimizer, the model and the batch
  std::string scale_learning_rate = "none";
  double trust = 0.01;
  double momentum = 0.9, beta1 = 0.9, beta2 = 0.999, rho = 0.9;
  std::optional<double> epsilon;
  std::optional<double> weight_decay;  // by the optimizer
  bool decay_all = false;
  double clip = 0;

  std::string schedule = "constant";
  double warmup_epochs = 0;
  std::optional<double> schedule_epochs;  // as many as there are
  std::string milestones;                 // epochs, separated by commas
  std::optional<double> rate_every;       // epochs
  double rate_factor = 0.1;
  double final_fraction = 0;
  double power = 1;

  std::int64_t evaluate_every = 1;
  std::optional<double> target_accuracy;  // percent
  std::int64_t patience = 0;
  std::string max_time;

  std::string run_dir;  // a dated folder under runs/
  std::string checkpoint_every;
  int keep = 2;
  std::string tensorboard;                  // a folder for live curves, or kOwnTensorboard; none
  std::int64_t tensorboard_histograms = 0;  // epochs between those of weights
  std::string metrics;                      // a file for monitoring; none

  std::optional<int> workers;  // as many as the hosts have slots, or one
  std::string hosts;           // a list or a hostfile; this machine
  std::string scaling = "strong";
  std::string all_reduce = "auto";
  std::string bucket;  // bytes; by the network
  std::string reduction = "mean";
  std::string dense_exchange = "auto";
  std::string update = "auto";
  std::string compress = "none";
  std::int64_t compress_after = 0;  // steps
  std::int64_t compress_block = 0;  // values; what is usual
  double compress_share = 0.01;
  int compress_rank = 4;
  std::int64_t local_steps = 1;
  std::int64_t local_after = 0;  // steps
  bool local_reset = false;
  double block_rate = 1;
  double block_momentum = 0;
  bool block_nesterov = false;
  bool sync_batch_norm = false;
  bool reproducible = false;
  int grains = 12;
  std::string deadline = "60s";
  std::int64_t compare_every = 100;
  std::int64_t trace = 0;  // steps

  std::optional<int> threads;  // its share of the cores
  int loader_threads = 1;
  std::string precision = "fp32";
  bool exact = false;
  std::string choices;  // a folder with the kernels to use; they are measured
};

// --tensorboard without a folder: in the run's own.
inline constexpr const char* kOwnTensorboard = "auto";

// With the folder of data sets filled in where it is left out. `settings` outlives them.
[[nodiscard]] std::vector<Setting> train_setting_list(TrainSettings& settings);

}  // namespace convoy
