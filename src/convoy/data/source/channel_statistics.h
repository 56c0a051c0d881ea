// Mean and deviation of each channel over the training images, and a cache of them on disk.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "convoy/base/mutex.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

// Sums pixels. Exact, because the sums are integers.
class ChannelSums {
 public:
  explicit ChannelSums(std::int64_t channels);

  // Adds one image, given as planes of CxHxW.
  void add(std::span<const std::uint8_t> pixels);
  void add(const ChannelSums& other);

  // The deviation of a channel that never changes is 1. Means are 0 when nothing was added.
  [[nodiscard]] ChannelStatistics statistics() const;

 private:
  std::vector<std::uint64_t> sum_;
  std::vector<std::uint64_t> sum_of_squares_;
  std::uint64_t pixels_ = 0;
};

// Reads all training images once.
[[nodiscard]] ChannelStatistics measure_statistics(const Source& source, int threads);

// Statistics that are measured when they are first asked for and kept in a file for the next run.
//
// Thread rule: get() may be called from several threads; one measures and the others wait.
class RememberedStatistics {
 public:
  // With an empty path nothing is kept on disk.
  explicit RememberedStatistics(std::filesystem::path file, int threads) : file_(std::move(file)), threads_(threads) {}

  [[nodiscard]] ChannelStatistics get(const Source& source) const;

 private:
  [[nodiscard]] std::optional<ChannelStatistics> load(std::int64_t channels) const;
  void store(const ChannelStatistics& statistics) const;

  std::filesystem::path file_;
  int threads_;
  mutable Mutex mutex_;
  mutable std::optional<ChannelStatistics> statistics_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy::data
