#include "convoy/data/loader/loader_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

namespace convoy::data {
namespace {

// Black images that count how often they are read.
class CountedSource : public Source {
 public:
  [[nodiscard]] std::string name() const override { return "counted"; }
  [[nodiscard]] Shape shape() const override { return {1, 4, 4}; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
  [[nodiscard]] std::int64_t size(Split /*split*/) const override { return 64; }
  [[nodiscard]] std::int32_t label(Split /*split*/, std::int64_t /*i*/) const override { return 0; }
  void read(Split /*split*/, std::int64_t /*i*/, std::span<std::uint8_t> /*pixels*/) const override { ++reads_; }
  [[nodiscard]] ChannelStatistics statistics() const override { return {.mean = {0}, .deviation = {1}}; }

  [[nodiscard]] std::int64_t reads() const { return reads_; }

 private:
  std::vector<std::string> classes_ = {"black"};
  mutable std::atomic<std::int64_t> reads_ = 0;
};

// Every counted row was read; the other reads are the first fill and what was made ahead.
TEST(LoaderRate, CountsTheRowsThatWereMade) {
  for (const int threads : {0, 2}) {
    const CountedSource source;
    const LoaderRate rate = measure_loader(source, {.global_batch = 8, .threads = threads, .ahead = 2}, 0.01);
    EXPECT_FALSE(rate.rates.empty());
    EXPECT_EQ(rate.rows % 8, 0);
    EXPECT_GE(source.reads(), rate.rows + 4 * 8);
    EXPECT_LE(source.reads(), rate.rows + 7 * 8);
  }
}

// Averaged by time, the rates must give the total; each of them is near it.
TEST(LoaderRate, RatesAgreeWithTheTotal) {
  const CountedSource source;
  const LoaderRate rate = measure_loader(source, {.global_batch = 8, .threads = 0}, 0.01);
  const double total = static_cast<double>(rate.rows) / rate.seconds;
  EXPECT_LE(*std::min_element(rate.rates.begin(), rate.rates.end()), total * (1 + 1e-9));
  EXPECT_GE(*std::max_element(rate.rates.begin(), rate.rates.end()), total * (1 - 1e-9));
}

TEST(LoaderThreads, CheapSamplesAreMadeByTheCaller) {
  EXPECT_EQ(loader_threads(64, 2e-6, 1e-3), 0);
  EXPECT_EQ(loader_threads(2, 0.9e-5, 1e-3), 0);
  EXPECT_EQ(loader_threads(2, 1.1e-5, 1e-3), 1);
}

// T threads make a sample in make / T seconds; the 16 - T other cores train on one in 16 / (16 - T).
TEST(LoaderThreads, TheFewestThatKeepUp) {
  EXPECT_EQ(loader_threads(16, 1.0, 1.0), 1);
  EXPECT_EQ(loader_threads(16, 1.1, 1.0), 2);
  EXPECT_EQ(loader_threads(16, 4.0, 1.0), 4);
  EXPECT_EQ(loader_threads(16, 16.0, 1.0), 8);
}

TEST(LoaderThreads, ComputeKeepsACore) {
  EXPECT_EQ(loader_threads(4, 1e6, 1.0), 3);
  EXPECT_EQ(loader_threads(2, 1e6, 1.0), 1);
  EXPECT_EQ(loader_threads(1, 1e6, 1.0), 0);
}

}  // namespace

}  // namespace convoy::data
