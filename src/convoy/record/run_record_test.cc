#include "convoy/record/run_record.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/record_text.h"
#include "convoy/record/run_writer.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// A run of three steps and two epochs, which tests then damage.
class RunRecordTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    RunWriter writer = RunWriter::create(folder_, describe_run({"convoy"}, {}));
    for (int i = 1; i <= 3; ++i) writer.add(StepRecord{.step = i, .epoch = 1});
    for (int i = 1; i <= 2; ++i) writer.add(EpochRecord{.epoch = i, .end_step = i});
    for (int i = 1; i <= 2; ++i) writer.add(UsageRecord{.seconds = 1.0 * i, .step = i});
  }

  [[nodiscard]] bool refused(const std::string& part) const {
    return throws_with<DataError>([&] { (void)read_run(folder_); }, part);
  }
  [[nodiscard]] bool noted(const std::string& part) const {
    const std::vector<std::string> notes = read_run(folder_).notes;
    return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }
  using Numbers = std::vector<std::int64_t>;
  [[nodiscard]] Numbers steps_read() const {
    Numbers numbers;
    for (const StepRecord& record : read_run(folder_).steps) numbers.push_back(record.step);
    return numbers;
  }
  void expect_read_or_named(const char* file, std::size_t bit) const {
    std::string said;
    try {
      for (const std::string& note : read_run_to_continue(folder_).notes) said += note;
    } catch (const UserError& error) {  // the version became a newer one
      said = error.what();
      EXPECT_NE(said.find("use a newer Convoy"), std::string::npos) << said;
    }
    EXPECT_EQ(said.find("exception"), std::string::npos) << said;
    EXPECT_TRUE(said.empty() || said.find(at(file)) != std::string::npos) << bit << ": " << said;
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
  for (const char* file : {"steps.jsonl", "epochs.jsonl"}) {
    fs::rename(folder_ / file, folder_ / "away");
    EXPECT_TRUE(refused(at(file) + ": No such file"));
    fs::rename(folder_ / "away", folder_ / file);
  }
  fs::remove(folder_ / "run.json");
  EXPECT_TRUE(refused(folder_.string() + " is not a run: it has no run.json"));
}

TEST_F(RunRecordTest, UsageIsNotNeeded) {
  EXPECT_EQ(read_run(folder_).usage.size(), 2U);
  put(folder_ / "usage.jsonl", "nonsense\n" + read(folder_ / "usage.jsonl") + "{\"seconds\":3,\"step\":3");
  EXPECT_EQ(read_run(folder_).usage.size(), 2U);
  EXPECT_TRUE(noted(at("usage.jsonl") + ":1: the line is damaged and left out (no JSON"));
  EXPECT_TRUE(noted(at("usage.jsonl") + ":4: the line is damaged and left out (cut short)"));
  fs::remove(folder_ / "usage.jsonl");  // as earlier versions left it
  const RunRecord run = read_run(folder_);
  EXPECT_TRUE(run.usage.empty());
  EXPECT_TRUE(run.notes.empty());
  EXPECT_EQ(run.steps.size(), 3U);
}

TEST_F(RunRecordTest, TablesAreNotNeeded) {
  fs::remove(folder_ / "steps.csv");
  fs::remove(folder_ / "epochs.csv");
  EXPECT_EQ(read_run(folder_).steps.size(), 3U);
}

// Wherever the last line is cut, the lines before it are read; a complete line that only lacks its newline counts.
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

TEST_F(RunRecordTest, DamagedLineIsLeftOutAndNamed) {
  const std::string steps = read(folder_ / "steps.jsonl");
  const std::size_t second = steps.find('\n') + 1;
  put(folder_ / "steps.jsonl", steps.substr(0, second) + "nonsense\n" + steps.substr(second));
  EXPECT_EQ(steps_read(), (Numbers{1, 2, 3}));
  EXPECT_TRUE(noted(at("steps.jsonl") + ":2: the line is damaged and left out (no JSON"));
  put(folder_ / "steps.jsonl", steps + "{}\n");
  EXPECT_EQ(steps_read(), (Numbers{1, 2, 3}));
  EXPECT_TRUE(noted(at("steps.jsonl") + ":4: the line is damaged and left out ('step' is missing)"));
}

TEST_F(RunRecordTest, OfLinesOutOfOrderTheOddOneIsLeftOut) {
  const auto with_steps = [&](const Numbers& numbers) {
    std::string text;
    for (const std::int64_t number : numbers) append_json_line(text, StepRecord{.step = number, .epoch = 1});
    put(folder_ / "steps.jsonl", text);
    return steps_read();
  };
  EXPECT_EQ(with_steps({1, 2, 90, 4, 5}), (Numbers{1, 2, 4, 5}));
  EXPECT_TRUE(noted(":3: the line is damaged and left out (the next line does not come after it)"));
  EXPECT_EQ(with_steps({9, 2, 3}), (Numbers{2, 3}));
  EXPECT_EQ(with_steps({1, 2, 3, 1, 5}), (Numbers{1, 2, 3, 5}));
  EXPECT_TRUE(noted(":4: the line is damaged and left out (it does not come after the line before)"));
  EXPECT_EQ(with_steps({1, 0, 3}), (Numbers{1, 3}));
  EXPECT_EQ(with_steps({1, 1, 2, 2}), (Numbers{1, 1, 2, 2})) << "of two ranks";
}

TEST_F(RunRecordTest, DamagedSummaryIsMadeAnew) {
  put(folder_ / "summary.json", "{\"schema\":1}");
  const RunRecord run = read_run(folder_);
  EXPECT_EQ(run.summary.epochs, 2);
  EXPECT_EQ(run.summary.steps, 3);
  EXPECT_EQ(run.summary.status, RunStatus::running);
  EXPECT_TRUE(noted(at("summary.json") + ": 'status' is missing; the summary is made anew"));
}

TEST_F(RunRecordTest, DamagedInfoIsNamedWithWhatToDo) {
  const std::string info = read(folder_ / "run.json");
  put(folder_ / "run.json", info.substr(0, info.find("\"hosts\"")));
  EXPECT_TRUE(refused(at("run.json") + ":"));
  EXPECT_TRUE(refused(": no JSON from here on"));
  EXPECT_TRUE(refused("`convoy train --resume " + folder_.string() + "` writes it anew"));
  put(folder_ / "run.json", "[]");
  EXPECT_TRUE(refused(at("run.json") + ": no JSON object"));
  EXPECT_EQ(read_run_to_continue(folder_).notes.size(), 1U);
}

// Flips one bit at most positions of each file: the rest of the record is read, or refused with the file's name, but
// never with the parser's own message.
TEST_F(RunRecordTest, AnyFlippedBitLeavesARunThatGoesOn) {
  for (const char* file : {"run.json", "steps.jsonl", "epochs.jsonl", "usage.jsonl", "summary.json"}) {
    const std::string whole = read(folder_ / file);
    for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 7) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1U << (bit % 8)));
      put(folder_ / file, flipped);
      expect_read_or_named(file, bit);
    }
    put(folder_ / file, whole);
  }
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
  // Brackets inside a string do not count as nesting.
  put(folder_ / "run.json", "{\"x\": \"\\\"" + std::string(100, '[') + "\", " + info.substr(info.find('{') + 1));
  EXPECT_EQ(read_run(folder_).steps.size(), 3U);
}

}  // namespace
}  // namespace convoy
