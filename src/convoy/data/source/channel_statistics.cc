#include "convoy/data/source/channel_statistics.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "convoy/base/check.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/data/byte_file.h"
#include "convoy/data/parallel_each.h"

namespace convoy::data {

namespace {

struct PlaneSums {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
};

PlaneSums sum_plane(const std::uint8_t* pixels, std::size_t count) {
  PlaneSums total;
  // In blocks whose sum of squares fits into 32 bits, so that twice as many numbers fit into a vector.
  constexpr std::size_t kBlock = 65536;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    std::uint32_t sum = 0;
    std::uint32_t squares = 0;
    for (std::size_t i = begin; i < std::min(count, begin + kBlock); ++i) {
      const std::uint32_t value = pixels[i];
      sum += value;
      squares += value * value;
    }
    total.sum += sum;
    total.squares += squares;
  }
  return total;
}

// Collects the sums of several threads.
class TotalSums {
 public:
  explicit TotalSums(std::int64_t channels) : sums_(channels) {}

  void add(const ChannelSums& sums) {
    const MutexLock lock(mutex_);
    sums_.add(sums);
  }
  [[nodiscard]] ChannelStatistics statistics() {
    const MutexLock lock(mutex_);
    return sums_.statistics();
  }

 private:
  Mutex mutex_;
  ChannelSums sums_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace

ChannelSums::ChannelSums(std::int64_t channels)
    : sum_(static_cast<std::size_t>(channels)), sum_of_squares_(static_cast<std::size_t>(channels)) {}

void ChannelSums::add(std::span<const std::uint8_t> pixels) {
  const std::size_t plane = pixels.size() / sum_.size();
  for (std::size_t c = 0; c < sum_.size(); ++c) {
    const PlaneSums sums = sum_plane(pixels.data() + c * plane, plane);
    sum_[c] += sums.sum;
    sum_of_squares_[c] += sums.squares;
  }
  pixels_ += plane;
}

void ChannelSums::add(const ChannelSums& other) {
  CONVOY_CHECK_EQ(sum_.size(), other.sum_.size());
  for (std::size_t c = 0; c < sum_.size(); ++c) {
    sum_[c] += other.sum_[c];
    sum_of_squares_[c] += other.sum_of_squares_[c];
  }
  pixels_ += other.pixels_;
}

ChannelStatistics ChannelSums::statistics() const {
  ChannelStatistics result;
  for (std::size_t c = 0; c < sum_.size(); ++c) {
    const double count = static_cast<double>(std::max<std::uint64_t>(pixels_, 1)) * 255.0;
    const double mean = static_cast<double>(sum_[c]) / count;
    const double variance = static_cast<double>(sum_of_squares_[c]) / count / 255.0 - mean * mean;
    result.mean.push_back(static_cast<float>(mean));
    // A channel that never changes has nothing to scale; what is left of its variance is rounding.
    constexpr double kLeastDeviation = 1e-6;
    const double deviation = std::sqrt(std::max(0.0, variance));
    result.deviation.push_back(deviation < kLeastDeviation ? 1.0F : static_cast<float>(deviation));
  }
  return result;
}

ChannelStatistics measure_statistics(const Source& source, int threads) {
  constexpr std::int64_t kBlock = 256;
  const std::int64_t count = source.size(Split::train);
  TotalSums total(source.shape()[0]);
  parallel_each((count + kBlock - 1) / kBlock, threads, [&](std::int64_t block) {
    ChannelSums sums(source.shape()[0]);
    Bytes pixels(static_cast<std::size_t>(source.shape().count()));
    for (std::int64_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) {
      source.read(Split::train, i, pixels);
      sums.add(pixels);
    }
    total.add(sums);
  });
  return total.statistics();
}

ChannelStatistics RememberedStatistics::get(const Source& source) const {
  const MutexLock lock(mutex_);
  if (statistics_) return *statistics_;
  statistics_ = load(source.shape()[0]);
  if (statistics_) return *statistics_;
  statistics_ = measure_statistics(source, threads_);
  store(*statistics_);
  return *statistics_;
}

// A file that cannot be read as expected is ignored.
std::optional<ChannelStatistics> RememberedStatistics::load(std::int64_t channels) const {
  if (file_.empty()) return std::nullopt;
  std::ifstream in(file_);
  ChannelStatistics found;
  for (std::int64_t c = 0; c < channels; ++c) {
    float mean = 0;
    float deviation = 0;
    if (!(in >> mean >> deviation)) return std::nullopt;
    found.mean.push_back(mean);
    found.deviation.push_back(deviation);
  }
  return found;
}

void RememberedStatistics::store(const ChannelStatistics& statistics) const {
  if (file_.empty()) return;
  std::string text;
  for (std::size_t c = 0; c < statistics.mean.size(); ++c) {
    text += fmt::format("{} {}\n", statistics.mean[c], statistics.deviation[c]);
  }
  try {
    std::filesystem::create_directories(file_.parent_path());
    write_file_atomically(file_, text);
  } catch (const std::exception&) {
    // If the cache cannot be written, the next run only takes longer.
    return;
  }
}

}  // namespace convoy::data
