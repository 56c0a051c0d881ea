#include "convoy/run/bench/measured_rates.h"

#include <gtest/gtest.h>

#include <fstream>

#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

using MeasuredRatesTest = TemporaryFolder;

TEST_F(MeasuredRatesTest, AreFoundAgain) {
  const auto file = folder_ / "cache" / "rates.json";
  MeasuredRates(file).keep("a", {.samples_per_second = 12.5, .day = "2026-11-17"});
  MeasuredRates rates(file);
  rates.keep("b", {.samples_per_second = 3, .day = "2026-11-18"});
  EXPECT_EQ(MeasuredRates(file).find("a"), (MeasuredRate{.samples_per_second = 12.5, .day = "2026-11-17"}));
  EXPECT_EQ(MeasuredRates(file).find("b")->samples_per_second, 3);
  EXPECT_FALSE(MeasuredRates(file).find("c"));
}

TEST_F(MeasuredRatesTest, AreNoneWhereTheFileIsDamagedOrCannotBe) {
  const auto file = folder_ / "rates.json";
  std::ofstream(file) << "{\"a\": {\"samples_per_second\": \"fast\"}}";
  EXPECT_FALSE(MeasuredRates(file).find("a"));
  MeasuredRates nowhere(file / "below");  // a file where a folder is needed
  nowhere.keep("a", {.samples_per_second = 1, .day = ""});
  EXPECT_TRUE(nowhere.find("a")) << "for as long as it lives";
  MeasuredRates nothing("");
  nothing.keep("a", {.samples_per_second = 1, .day = ""});
}

}  // namespace
}  // namespace convoy
