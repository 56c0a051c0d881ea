#include "convoy/data/loader/loader_threads.h"

#include <gtest/gtest.h>

namespace convoy::data {
namespace {

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
