// Records of runs with numbers that are easy to check by hand.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "convoy/report/study/sample_studies_test.h"

namespace convoy::report {

// Two workers, three epochs of 1000 samples in 10 s each, the first of them skipped; accuracy 50, 60, 70 %.
inline RunRecord sample_record(std::filesystem::path folder) {
  RunRecord record;
  record.folder = std::move(folder);
  record.info = sample_info();
  record.info.ranks = 2;
  record.info.command_line = {"convoy", "train", "--model", "resnet20"};
  record.info.configuration = {{"model", "resnet20"}, {"data", "cifar10"}, {"batch", 64}, {"epochs", 3}};
  for (std::int64_t number = 1; number <= 3; ++number) {
    EpochRecord epoch;
    epoch.epoch = epoch.end_step = number;
    epoch.steps = 1;
    epoch.samples = 1000;
    epoch.train_loss = 2.0 / static_cast<double>(number);
    epoch.train_accuracy = 0.45 + 0.1 * static_cast<double>(number);
    epoch.test_top1 = 0.4 + 0.1 * static_cast<double>(number);
    epoch.learning_rate = 0.1;
    epoch.times.seconds = epoch.elapsed_seconds = 10;
    epoch.elapsed_seconds = 10 * static_cast<double>(number);
    epoch.samples_per_second = 100;
    epoch.cpu_use = 1.8;
    epoch.peak_memory_bytes = 32LL << 20;
    record.epochs.push_back(epoch);
    for (const std::int64_t rank : {0, 1}) {
      record.steps.push_back({.step = number,
                              .epoch = number,
                              .rank = rank,
                              .samples = 500,
                              .times = {.seconds = 10,
                                        .compute_seconds = 8,
                                        .input_wait_seconds = 0.5,
                                        .exposed_communication_seconds = 1,
                                        .straggler_wait_seconds = 0.25,
                                        .communication_seconds = 2}});
    }
  }
  record.summary = summarize_epochs(record.epochs, 1);
  record.summary.status = RunStatus::completed;
  record.summary.classes = {"cat", "dog"};
  record.summary.class_accuracy = {0.65, 0.75};
  return record;
}

}  // namespace convoy::report
