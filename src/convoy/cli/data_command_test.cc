#include "convoy/cli/data_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convoy/cli/app.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// CIFAR-10 with one training batch and a test batch of two images each, in a folder of its own.
class DataCommandTest : public testing::Test {
 protected:
  DataCommandTest() {
    std::string name = (fs::temp_directory_path() / "convoy-cli-XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_directories(root_ / "cifar");
    write_batch("data_batch_1.bin", 9);
    write_batch("test_batch.bin", 0);
    data_dir_ = (root_ / "data").string();
  }
  ~DataCommandTest() override { fs::remove_all(root_); }

  void write_batch(const std::string& name, char second_label) const {
    std::ofstream out(root_ / "cifar" / name, std::ios::binary);
    out << '\3' << std::string(3072, '\100') << second_label << std::string(3072, '\0');
  }

  int run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"convoy", "data"});
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) {
      pointers.push_back(argument.c_str());
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run(static_cast<int>(pointers.size()), pointers.data());
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }

  fs::path root_;
  std::string data_dir_;
  std::string out_;
  std::string err_;
};

TEST_F(DataCommandTest, GetsListsAndShowsADataSet) {
  EXPECT_EQ(run_with({"get", "cifar10", "--from", (root_ / "cifar").string(), "--data-dir", data_dir_}), kDone) << err_;
  EXPECT_THAT(out_, HasSubstr(data_dir_ + "/cifar10"));
  EXPECT_THAT(err_, HasSubstr("note: cifar10: 1 of 5 training batches"));
  EXPECT_EQ(run_with({"list", "--json", "--data-dir", data_dir_}), kDone);
  const auto list = nlohmann::json::parse(out_);
  EXPECT_EQ(list["datasets"][2]["name"], "cifar10");
  EXPECT_TRUE(list["datasets"][2]["installed"].get<bool>());
  EXPECT_FALSE(list["datasets"][3]["installed"].get<bool>());
  EXPECT_EQ(run_with({"info", "cifar10", "--json", "--data-dir", data_dir_}), kDone);
  const auto info = nlohmann::json::parse(out_);
  EXPECT_EQ(info["train"], 2);
  EXPECT_EQ(info["classes"][9]["train"], 1);
  EXPECT_NEAR(info["mean"][0].get<double>(), 32 / 255.0, 1e-6);
  EXPECT_EQ(run_with({"get", "cifar10", "--data-dir", data_dir_}), kDone);
  EXPECT_THAT(out_, HasSubstr("there already"));
}

TEST_F(DataCommandTest, CorruptDataIsExitCodeThreeAndOneLine) {
  write_batch("data_batch_1.bin", 10);
  const std::string from = (root_ / "cifar").string();
  EXPECT_EQ(run_with({"get", "cifar10", "--from", from, "--data-dir", data_dir_}), kData);
  EXPECT_EQ(err_, "error: " + from + "/data_batch_1.bin: byte 3073: label 10 of record 1 is out of range 0..9\n");
  EXPECT_FALSE(fs::exists(data_dir_ + "/cifar10"));
  EXPECT_EQ(run_with({"get", "cifar10", "--skip-corrupt", "--from", from, "--data-dir", data_dir_}), kDone);
  EXPECT_THAT(err_, HasSubstr("corrupt samples left out: 1"));
  EXPECT_EQ(run_with({"info", "cifar10", "--data-dir", data_dir_}), kData);
  EXPECT_EQ(run_with({"info", "cifar10", "--skip-corrupt", "--data-dir", data_dir_}), kDone);
}

TEST_F(DataCommandTest, UnknownNamesAreUsageErrors) {
  EXPECT_EQ(run_with({"get", "cifar11", "--data-dir", data_dir_}), kUsage);
  EXPECT_THAT(err_, HasSubstr("did you mean cifar10?"));
  EXPECT_EQ(run_with({"info", "cifra10", "--data-dir", data_dir_}), kUsage);
  EXPECT_EQ(run_with({"pack", "cifar10", "--data-dir", data_dir_}), kUsage);
}

TEST_F(DataCommandTest, MissingDataIsExitCodeThree) {
  EXPECT_EQ(run_with({"info", "cifar100", "--data-dir", data_dir_}), kData);
  EXPECT_THAT(err_, AllOf(HasSubstr("cifar100 is not installed"), HasSubstr("convoy data get cifar100")));
  EXPECT_EQ(run_with({"info", "folder:" + data_dir_, "--data-dir", data_dir_}), kData);
}

}  // namespace
}  // namespace convoy::cli
