#include "convoy/cli/command/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/file/input_file.h"
#include "convoy/cli/app.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/data/image/image_decoder.h"
#include "convoy/data/image/picture.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// CIFAR-10 with one training batch and one test batch of two images each, in a folder of its own.
class DataCommandTest : public testing::Test {
 protected:
  DataCommandTest() {
    std::string name = (fs::temp_directory_path() / "convoy-cli-XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_directories(root_ / "cifar");
    write_batch("data_batch_1.bin", 9);
    write_batch("test_batch.bin", 0);
    data_dir_ = (root_ / "data").string();
    if (const char* const set = std::getenv("XDG_CACHE_HOME")) cache_before_ = set;
    setenv("XDG_CACHE_HOME", (root_ / "cache").c_str(), 1);
  }
  ~DataCommandTest() override {
    cache_before_ ? setenv("XDG_CACHE_HOME", cache_before_->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
    fs::remove_all(root_);
  }

  void write_batch(const std::string& name, char second_label) const {
    std::ofstream out(root_ / "cifar" / name, std::ios::binary);
    out << '\3' << std::string(3072, '\100') << second_label << std::string(3072, '\0');
  }

  int run_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "data");
    return run_command(std::move(arguments));
  }

  int run_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "convoy");
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
  std::optional<std::string> cache_before_;
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

// Two classes of `images` pictures each, 12x10 pixels.
void write_photos(const fs::path& root, int images) {
  for (const char* const name : {"cats", "dogs"}) {
    fs::create_directories(root / name);
    for (int i = 0; i < images; ++i) {
      const data::RgbImage image(12, 10, {static_cast<std::uint8_t>(i), 100, 200});
      data::write_png(root / name / (std::to_string(i) + ".png"), image);
    }
  }
}

TEST_F(DataCommandTest, FoldersDoNotCommandTheTerminal) {
  write_photos(root_ / "photos", 5);
  fs::rename(root_ / "photos/cats", root_ / "photos/ca\x1b[31mts\n");
  EXPECT_EQ(run_with({"info", (root_ / "photos").string()}), kDone) << err_;
  EXPECT_EQ(out_.find('\x1b'), std::string::npos);
  EXPECT_THAT(out_, HasSubstr("ca\\x1b[31mts\\n "));
  EXPECT_EQ(run_with({"info", (root_ / "photos").string(), "--json"}), kDone) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["classes"][0]["name"], "ca\x1b[31mts\n");
}

TEST_F(DataCommandTest, ClassesThatAreNoUtf8AreRefusedBeforeTraining) {
  write_photos(root_ / "photos", 5);
  fs::rename(root_ / "photos/cats", root_ / "photos/\xff");
  const std::string run = (root_ / "run").string();
  EXPECT_EQ(run_command({"train", "--data", "folder:" + (root_ / "photos").string(), "--image-size", "32", "--model",
                         "lenet", "--run-dir", run}),
            kData);
  EXPECT_THAT(err_, HasSubstr("the name of the class '\\xff' is no UTF-8; rename it"));
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(DataCommandTest, APathIsAsGoodAsAName) {
  EXPECT_EQ(run_with({"info", (root_ / "cifar").string(), "--json"}), kDone) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["name"], "cifar10");
  write_photos(root_ / "photos", 5);
  EXPECT_EQ(run_with({"info", (root_ / "photos").string(), "--json"}), kDone) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["train"], 8);
  EXPECT_EQ(run_with({"info", (root_ / "phtos").string()}), kData);
  EXPECT_THAT(err_, HasSubstr("/phtos: there is no such file or folder"));
}

TEST_F(DataCommandTest, PacksAndReadsThePack) {
  write_photos(root_ / "photos", 5);
  const std::string pack = (root_ / "x.pack").string();
  EXPECT_EQ(run_with({"pack", (root_ / "photos").string(), "--image-size", "8", "--out", pack, "--json"}), kDone);
  EXPECT_EQ(nlohmann::json::parse(out_)["samples"], 10);
  EXPECT_THAT(err_, HasSubstr("packing: 10 of 10 images\n"));
  EXPECT_EQ(run_with({"info", pack, "--json"}), kDone) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["shape"], "3x8x8");
  fs::resize_file(pack, 5000);
  EXPECT_EQ(run_with({"info", pack}), kData);
  EXPECT_THAT(err_, HasSubstr("x.pack: byte 5000: is cut short"));
}

TEST_F(DataCommandTest, PreviewDrawsASheet) {
  const std::string sheet = (root_ / "sheet.png").string();
  const std::string data = "cifar10:" + (root_ / "cifar").string();
  EXPECT_EQ(
      run_with({"preview", "--data", data, "--augment", "cifar", "--cutout", "16", "--samples", "2", "--out", sheet}),
      kDone)
      << err_;
  const data::Bytes bytes = read_bytes(sheet);
  const data::ImageSize size = data::read_image_size(bytes, sheet);
  EXPECT_GT(size.width, 7 * 160) << "an original and six appearances, enlarged";
  EXPECT_EQ(out_, sheet + ": augment cifar, cutout 16, where training's default is cifar\n");
  EXPECT_EQ(run_with({"preview", "--data", data, "--augment", "cifra", "--out", sheet}), kUsage);
  EXPECT_THAT(err_, HasSubstr("did you mean cifar?"));
}

TEST_F(DataCommandTest, PreviewShowsWhatTrainingSeesUnlessTold) {
  const std::string sheet = (root_ / "sheet.svg").string();
  const std::string data = "cifar10:" + (root_ / "cifar").string();
  EXPECT_EQ(run_with({"preview", "--data", data, "--samples", "2", "--out", sheet}), kDone) << err_;
  EXPECT_THAT(out_, HasSubstr("augment cifar, as training does by default"));
  const data::Bytes bytes = read_bytes(sheet);
  EXPECT_THAT(std::string(bytes.begin(), bytes.end()), testing::StartsWith("<svg "));
  EXPECT_EQ(run_with({"preview", "--data", "synthetic:3x8x8", "--augment", "none", "--out", sheet}), kDone) << err_;
  EXPECT_THAT(out_, HasSubstr("augment none, as training does by default"));
}

TEST_F(DataCommandTest, PreviewRefusesWhatCannotBe) {
  const std::string data = "cifar10:" + (root_ / "cifar").string();
  EXPECT_EQ(run_with({"preview", "--data", data, "--out", (root_ / "sheet.jpg").string()}), kUsage);
  EXPECT_THAT(err_, HasSubstr(".png or .svg"));
  EXPECT_EQ(run_with({"preview", "--data", data, "--cutout", "99", "--out", (root_ / "cut.png").string()}), kUsage);
  EXPECT_THAT(err_, HasSubstr("does not fit images of 32x32; it is at most 32"));
  EXPECT_FALSE(fs::exists(root_ / "cut.png"));
}

TEST_F(DataCommandTest, BenchTrainsOnTheSamples) {
  EXPECT_EQ(run_command({"bench", "data", "--data", "synthetic:1x28x28,count=64", "--batch", "8", "--model", "lenet",
                         "--seconds", "0.01", "--json"}),
            kDone)
      << err_;
  const auto result = nlohmann::json::parse(out_);
  EXPECT_GT(result["input_seconds"], 0);
  EXPECT_LT(result["input_share"], 1);
  EXPECT_GE(result["compute_threads"], 1);
  EXPECT_EQ(run_command({"bench", "data", "--data", "synthetic:1x28x28,count=4", "--model", "lenet"}), kUsage);
  EXPECT_THAT(err_, HasSubstr("fewer than a batch of 128"));
}

TEST_F(DataCommandTest, BenchMakesAPackByItselfUnlessToldNotTo) {
  write_photos(root_ / "photos", 500);
  const std::vector<std::string> arguments{
      "bench", "data", "--data", (root_ / "photos").string(), "--image-size", "8", "--seconds", "0.01", "--json"};
  const auto bench = [&](const std::string& pack) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--pack", pack});
    return run_command(all);
  };
  EXPECT_EQ(bench("never"), kDone) << err_;
  EXPECT_GT(nlohmann::json::parse(out_)["samples_per_second"], 0);
  EXPECT_FALSE(fs::exists(root_ / "cache/convoy/packs"));
  EXPECT_EQ(bench("auto"), kDone) << err_;
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "cache/convoy/packs"), {}), 1);
  EXPECT_EQ(bench("sometimes"), kUsage);
  EXPECT_THAT(err_, HasSubstr("--pack must be auto, cached or never"));
}

}  // namespace
}  // namespace convoy::cli
