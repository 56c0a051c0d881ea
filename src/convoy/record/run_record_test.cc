#include "convoy/record/run_record.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/run_writer.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// A run of three steps and two epochs, to be spoilt.
class RunRecordTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    RunWriter writer = RunWriter::create(folder_, describe_run({"convoy"}, {}));
    for (int i = 1; i <= 3; ++i) writer.add(StepRecord{.step = i, .epoch = 1});
    for (int i = 1; i <= 2; ++i) writer.add(EpochRecord{.epoch = i, .end_step = i});
  }

  [[nodiscard]] bool refused(const std::string& part) const {
    return throws_with<DataError>([&] { (void)read_run(folder_); }, part);
  }
  [[nodiscard]] std::string at(const char* file) const { return (folder_ / file).string(); }
};

TEST_F(RunRecordTest, ReadsAWholeRun) {
  const RunRecord run = read_run(folder_);
  EXPECT_EQ(run.folder, folder_);
  EXPECT_EQ(run.steps.size(), 3U);
  EXPECT_EQ(run.epochs.size(), 2U);
  EXPECT_TRUE(is_run_folder(folder_));
  EXPECT_FALSE(is_run_folder(folder_ / "steps.jsonl"));
}

TEST_F(RunRecordTest, EveryFileIsNeeded) {
  for (const char* file : {"steps.jsonl", "epochs.jsonl", "summary.json"}) {
    fs::rename(folder_ / file, folder_ / "away");
    EXPECT_TRUE(refused(at(file) + ": No such file"));
    fs::rename(folder_ / "away", folder_ / file);
  }
  fs::remove(folder_ / "run.json");
  EXPECT_TRUE(refused(folder_.string() + " is no run: it has no run.json"));
}

TEST_F(RunRecordTest, TablesAreNotNeeded) {
  fs::remove(folder_ / "steps.csv");
  fs::remove(folder_ / "epochs.csv");
  EXPECT_EQ(read_run(folder_).steps.size(), 3U);
}

// Wherever the last line was cut, the lines before it are there; a whole line without its newline is whole.
TEST_F(RunRecordTest, LastLineMayBeCutAnywhere) {
  const std::string whole = read(folder_ / "steps.jsonl");
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size < whole.size(); ++size) {
    put(folder_ / "steps.jsonl", whole.substr(0, size));
    const RunRecord run = read_run(folder_);
    const bool complete = size == whole.size() - 1;
    EXPECT_EQ(run.steps.size(), complete ? 3U : 2U) << size;
    EXPECT_EQ(run.notes.size(), complete || size == last ? 0U : 1U) << size;
    for (const std::string& note : run.notes) EXPECT_TRUE(note.starts_with(at("steps.jsonl") + ":3: ")) << note;
  }
}

TEST_F(RunRecordTest, BadLineIsNamed) {
  const std::string steps = read(folder_ / "steps.jsonl");
  const std::size_t second = steps.find('\n') + 1;
  put(folder_ / "steps.jsonl", steps.substr(0, second) + "nonsense\n" + steps.substr(second));
  EXPECT_TRUE(refused(at("steps.jsonl") + ":2: no JSON"));
  put(folder_ / "steps.jsonl", steps + "{}\n");
  EXPECT_TRUE(refused(at("steps.jsonl") + ":4: 'step' is missing"));
  put(folder_ / "steps.jsonl", steps + "\n");
  EXPECT_TRUE(refused(at("steps.jsonl") + ":4: no JSON"));
}

TEST_F(RunRecordTest, LinesMustBeInOrder) {
  const std::string steps = read(folder_ / "steps.jsonl");
  put(folder_ / "steps.jsonl", steps + steps);
  EXPECT_TRUE(refused(at("steps.jsonl") + ":4: it does not come after the line before"));
  put(folder_ / "steps.jsonl", steps);
  const std::string epochs = read(folder_ / "epochs.jsonl");
  put(folder_ / "epochs.jsonl", epochs + epochs.substr(epochs.find('\n') + 1));
  EXPECT_TRUE(refused(at("epochs.jsonl") + ":3: it does not come after the line before"));
}

TEST_F(RunRecordTest, BadFilesAreNamed) {
  const std::string info = read(folder_ / "run.json");
  put(folder_ / "run.json", info.substr(0, info.size() / 2));
  EXPECT_TRUE(refused(at("run.json") + ": no JSON"));
  put(folder_ / "run.json", "[]");
  EXPECT_TRUE(refused(at("run.json") + ": no JSON object"));
  put(folder_ / "run.json", info);
  put(folder_ / "summary.json", "{\"schema\":1}");
  EXPECT_TRUE(refused(at("summary.json") + ": 'status' is missing"));
}

TEST_F(RunRecordTest, NewerRecordIsRefusedKindly) {
  std::string info = read(folder_ / "run.json");
  info.replace(info.find("\"schema\": 1"), 11, "\"schema\": 7");
  put(folder_ / "run.json", info);
  EXPECT_TRUE(throws_with<UserError>([&] { (void)read_run(folder_); }, "run.json: written in version 7"));
}

TEST_F(RunRecordTest, DeepNestingIsRefused) {
  const std::string info = read(folder_ / "run.json");
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  put(folder_ / "run.json", "{\"configuration\": " + deep + ", " + info.substr(info.find('{') + 1));
  EXPECT_TRUE(refused(at("run.json") + ": no record: it is nested more than 64 deep"));
  // Brackets in a text are none.
  put(folder_ / "run.json", "{\"x\": \"\\\"" + std::string(100, '[') + "\", " + info.substr(info.find('{') + 1));
  EXPECT_EQ(read_run(folder_).steps.size(), 3U);
}

}  // namespace
}  // namespace convoy
