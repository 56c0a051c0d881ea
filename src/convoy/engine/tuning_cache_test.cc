#include "convoy/engine/tuning_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "convoy/base/forked_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TunedChoice kFast{.kernels = {.forward = "a", .backward_data = "b", .backward_weights = "c"}};
const TunedChoice kOther{.kernels = {.forward = "x", .backward_data = "", .backward_weights = "z"}};

class TuningCacheTest : public testing::Test {
 protected:
  TuningCacheTest()
      : folder_(fs::temp_directory_path() / ("convoy_tuning_cache_" + std::to_string(getpid()) + "_" +
                                             testing::UnitTest::GetInstance()->current_test_info()->name())),
        file_(folder_ / "below" / "tuning.json") {
    fs::create_directories(folder_);
  }
  ~TuningCacheTest() override { fs::remove_all(folder_); }

  void write(const std::string& contents) const {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << contents;
  }

  fs::path folder_;
  fs::path file_;  // in a folder that does not exist yet
};

TEST_F(TuningCacheTest, KeepsChoicesOnDisk) {
  TuningCache cache(file_);
  EXPECT_EQ(cache.find("conv"), std::nullopt);
  cache.put("conv", kFast);
  cache.put("a \"quoted\" | key\n", kOther);
  EXPECT_EQ(cache.find("conv"), kFast);
  cache.save();
  const TuningCache again(file_);
  EXPECT_EQ(again.find("conv"), kFast);
  EXPECT_EQ(again.find("a \"quoted\" | key\n"), kOther);
  EXPECT_EQ(again.find("con"), std::nullopt);
  EXPECT_THAT(again.notes(), IsEmpty());
}

TEST_F(TuningCacheTest, WithoutAFileItOnlyRemembers) {
  TuningCache cache;
  cache.put("conv", kFast);
  cache.save();
  EXPECT_EQ(cache.find("conv"), kFast);
  EXPECT_THAT(cache.notes(), IsEmpty());
}

TEST_F(TuningCacheTest, ANewChoiceReplacesTheOld) {
  TuningCache cache(file_);
  cache.put("conv", kFast);
  cache.save();
  cache.put("conv", kOther);
  cache.save();
  EXPECT_EQ(TuningCache(file_).find("conv"), kOther);
}

TEST_F(TuningCacheTest, RemembersWhatWasMeasuredOnABusyMachine) {
  const TunedChoice hasty{.kernels = kFast.kernels, .measured_at = 1'700'000'000, .provisional = true};
  TuningCache cache(file_);
  cache.put("conv", hasty);
  cache.put("dense", kOther);
  cache.save();
  EXPECT_EQ(TuningCache(file_).find("conv"), hasty);
  EXPECT_EQ(TuningCache(file_).find("dense"), kOther);
}

TEST_F(TuningCacheTest, WritesNothingWhenNothingIsNew) {
  TuningCache cache(file_);
  cache.save();
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(TuningCacheTest, IgnoresAndReplacesCorruptFiles) {
  const std::vector<std::string> corrupt = {
      "",
      "no json",
      R"({"format": 10, "choices": {"conv": ["a", "b", "c", 1, false])",
      R"([1, 2, 3])",
      R"({"format": "one", "choices": {}})",
      R"({"format": 10})",
      R"({"format": 10, "choices": {"conv": ["a", "b"]}})",
      R"({"format": 10, "choices": {"conv": ["a", "b", 3, 1, false]}})",
      R"({"format": 10, "choices": {"conv": ["a", "b", "c", "late", false]}})",
      R"({"format": 10, "choices": {"good": ["a", "b", "c", 1, false], "conv": "a"}})",
      R"({"format": 10, "choices": 7})"};
  for (const std::string& contents : corrupt) {
    SCOPED_TRACE(contents);
    write(contents);
    TuningCache cache(file_);
    EXPECT_THAT(cache.notes(), ElementsAre(HasSubstr(file_.string())));
    EXPECT_EQ(cache.find("conv"), std::nullopt);
    EXPECT_EQ(cache.find("good"), std::nullopt) << "half of a corrupt file was believed";
    cache.put("conv", kFast);
    cache.save();
    EXPECT_EQ(cache.notes().size(), 1U) << "the same was said twice";
    EXPECT_EQ(TuningCache(file_).find("conv"), kFast);
    EXPECT_THAT(TuningCache(file_).notes(), IsEmpty());
  }
}

TEST_F(TuningCacheTest, IgnoresAnotherFormat) {
  write(R"({"format": 1099, "choices": {"conv": ["a", "b", "c"]}})");
  TuningCache cache(file_);
  EXPECT_EQ(cache.find("conv"), std::nullopt);
}

TEST_F(TuningCacheTest, AFolderInPlaceOfTheFileIsANote) {
  fs::create_directories(file_);
  TuningCache cache(file_);
  EXPECT_EQ(cache.notes().size(), 1U);
  cache.put("conv", kFast);
  EXPECT_NO_THROW(cache.save());
  EXPECT_EQ(cache.notes().size(), 2U);
}

// Root may write despite missing permissions, so this test uses a failure that affects everyone.
TEST_F(TuningCacheTest, AFolderThatCannotBeMadeIsANote) {
  std::ofstream(folder_ / "file") << "in the way";
  TuningCache cache(folder_ / "file" / "below" / "tuning.json");
  EXPECT_THAT(cache.notes(), IsEmpty());
  cache.put("conv", kFast);
  EXPECT_NO_THROW(cache.save());
  EXPECT_THAT(cache.notes(), ElementsAre(HasSubstr("cannot be written")));
  EXPECT_EQ(cache.find("conv"), kFast);
}

TEST_F(TuningCacheTest, AFolderThatMayNotBeWrittenIsANote) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const int code = in_child([&] {
    if (!become_nobody()) return 2;
    TuningCache cache(file_);
    cache.put("conv", kFast);
    cache.save();
    return cache.notes().size() == 1 && cache.notes()[0].find("cannot be written") != std::string::npos ? 0 : 1;
  });
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(code, 0);
}

TEST_F(TuningCacheTest, KeepsANoteOnce) {
  TuningCache cache(file_);
  for (const char* note : {"one", "two", "one"}) cache.add_note(note);
  EXPECT_THAT(cache.notes(), ElementsAre("one", "two"));
}

TEST_F(TuningCacheTest, TwoWritersKeepEachOthersChoices) {
  TuningCache first(file_);
  TuningCache second(file_);
  first.put("one", kFast);
  first.save();
  second.put("two", kOther);
  second.save();
  const TuningCache merged(file_);
  EXPECT_EQ(merged.find("one"), kFast);
  EXPECT_EQ(merged.find("two"), kOther);
}

// Of two processes that save at the very same moment one may lose its choices, which costs a measurement; the file
// itself is always complete.
TEST_F(TuningCacheTest, ManyWritersAtOnceLeaveAWholeFile) {
  {
    std::vector<std::jthread> writers;
    for (int w = 0; w < 8; ++w) {
      writers.emplace_back([this, w] {
        for (int i = 0; i < 5; ++i) {
          TuningCache cache(file_);
          cache.put(std::to_string(w) + " " + std::to_string(i), kFast);
          cache.save();
        }
      });
    }
  }
  const TuningCache cache(file_);
  EXPECT_THAT(cache.notes(), IsEmpty());
  int kept = 0;
  for (int w = 0; w < 8; ++w) {
    kept += cache.find(std::to_string(w) + " 4").has_value() ? 1 : 0;
  }
  EXPECT_GE(kept, 1);
  for (const auto& entry : fs::directory_iterator(file_.parent_path())) {
    EXPECT_EQ(entry.path(), file_) << "a temporary file was left behind";
  }
}

}  // namespace
}  // namespace convoy
