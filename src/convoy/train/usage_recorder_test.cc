#include "convoy/train/usage_recorder.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <stdexcept>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/record/run_record.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/scripted_usage_test.h"

namespace convoy {
namespace {

class UsageRecorderTest : public TemporaryFolder {
 protected:
  [[nodiscard]] RunWriter writer() const { return RunWriter::create(folder_ / "run", describe_run({"convoy"}, {})); }
  [[nodiscard]] std::vector<UsageRecord> recorded() const { return read_run(folder_ / "run").usage; }
};

// Makes training wait at its first step until there are some samples.
struct Patience : Observer {
  explicit Patience(ScriptedUsage& of_usage) : usage(of_usage) {}
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    if (event.record.step == 1) usage.wait_for(4);
  }
  ScriptedUsage& usage;
};

TEST_F(UsageRecorderTest, AllRanksOfARunInOneFile) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}}, [&](Transport& transport) {
    Communicator communicator(transport);
    RankTraining training(communicator, {.epochs = 1, .batch = 16}, small_graph(false), {});
    std::optional<RunWriter> to;
    if (transport.rank() == 0) to.emplace(writer());
    ScriptedUsage usage;
    UsageRecorder recorder(
        to ? &*to : nullptr, training.trainer, [&] { return usage.next(); }, std::chrono::milliseconds(1));
    Patience patience(usage);
    training.trainer.add(patience);
    training.trainer.add(recorder);
    (void)training.trainer.run();
  });
  std::set<std::int64_t> ranks;
  for (const UsageRecord& record : recorded()) {
    ranks.insert(record.rank);
    EXPECT_DOUBLE_EQ(record.cpu_use, 1.5);
    EXPECT_EQ(record.machine_cpu_use, 4);
  }
  EXPECT_EQ(ranks, (std::set<std::int64_t>{0, 1, 2}));
  EXPECT_TRUE(read_run(folder_ / "run").notes.empty()) << "in the order of steps";
}

TEST_F(UsageRecorderTest, AFailedRunKeepsWhatTheFirstRankSaw) {
  SmallTraining training({.epochs = 1, .batch = 16});
  RunWriter to = writer();
  ScriptedUsage usage;
  UsageRecorder recorder(
      &to, training.trainer, [&] { return usage.next(); }, std::chrono::milliseconds(1));
  usage.wait_for(4);
  recorder.on_failure(std::runtime_error("no space left"));
  EXPECT_GE(recorded().size(), 2U);
}

}  // namespace
}  // namespace convoy
