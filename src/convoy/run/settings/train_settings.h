// All settings of `convoy train`, with their defaults. A run is repeated by giving it the same settings.
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

// resolve() (resolved_settings.h) decides what is left out; after that every setting that matters has a value.
struct TrainSettings {
  std::string data;
  SourceSettings source;
  std::int64_t train_samples = 0;  // 0: all; so for test_samples
  std::int64_t test_samples = 0;
  AugmentSettings augment = {.preset = ""};  // empty: what is usual for the data
  int instances = 1;
  double mixup = 0;
  double cutmix = 0;

  std::string model;    // a network of the zoo, or a file
  std::string network;  // the text of the network, if it comes from a file
  std::string loss = "cross-entropy";
  double label_smoothing = 0;
  std::string initialiser = "he-normal";
  std::string init;    // weights to start from
  std::string freeze;  // patterns of parameter names, separated by commas

  std::int64_t epochs = 10;
  std::int64_t batch = 128;
  int accumulate = 1;
  std::uint64_t seed = 1;
  std::int64_t epoch_size = 0;  // samples; 0: one pass over the data
  double ema = 0;               // decay of the moving average of the weights; 0: no average

  std::string optimizer = "momentum";
  std::optional<double> learning_rate;  // default: by optimizer, model and batch
  std::string scale_learning_rate = "none";
  double trust = 0.01;
  double momentum = 0.9, beta1 = 0.9, beta2 = 0.999, rho = 0.9;
  std::optional<double> epsilon;
  std::optional<double> weight_decay;  // default: by optimizer
  bool decay_all = false;
  double clip = 0;

  std::string schedule = "constant";
  double warmup_epochs = 0;
  std::optional<double> schedule_epochs;  // default: all epochs
  std::string milestones;                 // numbers of epochs, separated by commas
  std::optional<double> rate_every;       // in epochs
  double rate_factor = 0.1;
  double final_fraction = 0;
  double power = 1;

  std::int64_t evaluate_every = 1;
  std::optional<double> target_accuracy;  // in percent
  std::int64_t patience = 0;
  std::string max_time;

  std::string run_dir;  // empty: a dated folder under runs/
  std::string checkpoint_every;
  int keep = 2;
  std::string tensorboard;                  // a folder for live curves, or kOwnTensorboard; empty: none
  std::int64_t tensorboard_histograms = 0;  // epochs between histograms of the weights; 0: none
  std::string metrics;                      // a file for monitoring; empty: none

  std::optional<int> workers;  // default: as many as the hosts have slots, or one
  std::string hosts;           // a list or a hostfile; empty: this machine
  std::string scaling = "strong";
  std::string all_reduce = "auto";
  std::string bucket;  // in bytes; empty: by the network
  std::string reduction = "mean";
  std::string dense_exchange = "auto";
  std::string update = "auto";
  std::string compress = "none";
  std::int64_t compress_after = 0;  // in steps
  std::int64_t compress_block = 0;  // in values; 0: the codec's usual number
  double compress_share = 0.01;
  int compress_rank = 4;
  std::int64_t local_steps = 1;
  std::int64_t local_after = 0;  // in steps
  bool local_reset = false;
  double block_rate = 1;
  double block_momentum = 0;
  bool block_nesterov = false;
  std::int64_t async = 0;  // in steps; 0: workers step together
  bool sync_batch_norm = false;
  bool reproducible = false;
  int grains = 12;
  std::string deadline = "60s";
  std::int64_t compare_every = 100;
  std::int64_t trace = 0;  // how many steps

  std::optional<int> threads;  // default: each rank's share of the cores
  int loader_threads = 1;
  std::string precision = "fp32";
  bool exact = false;
  std::string choices;  // a folder with the kernels to use; empty: they are measured
};

// What --tensorboard without a folder means: a folder in that of the run.
inline constexpr const char* kOwnTensorboard = "auto";

// The settings as a list. Fills in the folder of data sets if it is left out. `settings` must outlive the list.
[[nodiscard]] std::vector<Setting> train_setting_list(TrainSettings& settings);

}  // namespace convoy
