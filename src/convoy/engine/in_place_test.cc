#include "convoy/engine/in_place.h"

#include <gtest/gtest.h>

#include "convoy/engine/program_simulation_test.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/random_program_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

using kernels::Role;

// source (+ source2) -> destination, with the offer to overwrite either.
Instruction sum(BufferId source, BufferId source2, BufferId destination) {
  Instruction instruction{.layer = 0, .phase = Phase::forward};
  instruction.operands = {{Role::source, Space::buffer, source}, {Role::destination, Space::buffer, destination}};
  instruction.in_place = {{Role::destination, Role::source}};
  if (source2 >= 0) {
    instruction.operands.push_back({Role::source2, Space::buffer, source2});
    instruction.in_place.emplace_back(Role::destination, Role::source2);
  }
  return instruction;
}

Instruction copy_of(BufferId source, BufferId destination) { return sum(source, -1, destination); }

Program program_of(int buffers, std::vector<Instruction> instructions) {
  Program program;
  program.buffers.assign(static_cast<std::size_t>(buffers), {"", 640, false});
  program.instructions = std::move(instructions);
  return program;
}

BufferId destination(const Program& program, std::size_t instruction) {
  return program.instructions[instruction].buffer(Role::destination);
}

TEST(InPlace, TakesAnInputThatNobodyReadsLater) {
  Program program = program_of(3, {copy_of(0, 1), copy_of(1, 2)});
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 0);
  EXPECT_EQ(program.instructions[1].buffer(Role::source), 0);
  EXPECT_EQ(destination(program, 1), 0);
  EXPECT_EQ(program.buffers.size(), 3U);
}

TEST(InPlace, LeavesAnInputThatIsReadLater) {
  Program program = program_of(3, {copy_of(0, 1), sum(0, 1, 2)});
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 1);
  EXPECT_EQ(destination(program, 1), 0);
}

TEST(InPlace, LeavesAnInputWhoseMemoryIsReadLaterUnderAnotherName) {
  // 1 takes over the memory of 0; 2 must not, while 1 is still needed.
  Program program = program_of(4, {copy_of(0, 1), copy_of(1, 2), sum(2, 1, 3)});
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 0);
  EXPECT_EQ(destination(program, 1), 2);
}

TEST(InPlace, TriesTheSecondOfferWhenTheFirstIsBarred) {
  Program program = program_of(4, {sum(0, 1, 2), copy_of(0, 3)});
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 1);
}

TEST(InPlace, DoesNotTakeTheSameInputTwice) {
  Instruction split{.layer = 0, .phase = Phase::backward};
  split.operands = {{Role::diff_destination, Space::buffer, 0},
                    {Role::diff_source, Space::buffer, 1},
                    {Role::diff_source2, Space::buffer, 2}};
  split.in_place = {{Role::diff_source, Role::diff_destination}, {Role::diff_source2, Role::diff_destination}};
  Program program = program_of(4, {split, sum(1, 2, 3)});
  share_in_place(program);
  EXPECT_EQ(program.instructions[0].buffer(Role::diff_source), 0);
  EXPECT_EQ(program.instructions[0].buffer(Role::diff_source2), 2);
}

TEST(InPlace, DoesNotTakeAValueAddedToItself) {
  Program program = program_of(2, {sum(0, 0, 1)});
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 1);
}

TEST(InPlace, DoesNotTouchPersistentBuffers) {
  Program input = program_of(2, {copy_of(0, 1)});
  input.buffers[0].persistent = true;
  share_in_place(input);
  EXPECT_EQ(destination(input, 0), 1);

  Program output = program_of(2, {copy_of(0, 1)});
  output.buffers[1].persistent = true;
  share_in_place(output);
  EXPECT_EQ(destination(output, 0), 1);
}

TEST(InPlace, DoesNotTakeWhatIsTooSmall) {
  Program program = program_of(2, {copy_of(0, 1)});
  program.buffers[1].bytes = 641;
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 1);
}

TEST(InPlace, DoesNotMoveAnOutputThatWasBegunBefore) {
  // The second copy fills another part of 2.
  Program program = program_of(3, {copy_of(0, 2), copy_of(1, 2)});
  program.instructions[0].in_place.clear();
  share_in_place(program);
  EXPECT_EQ(destination(program, 1), 2);
}

TEST(InPlace, TakesNothingThatIsNotOffered) {
  Program program = program_of(2, {copy_of(0, 1)});
  program.instructions[0].in_place.clear();
  share_in_place(program);
  EXPECT_EQ(destination(program, 0), 1);
}

int shared_count(const Program& apart, const Program& shared) {
  int count = 0;
  for (std::size_t i = 0; i < apart.instructions.size(); ++i) {
    for (std::size_t k = 0; k < apart.instructions[i].operands.size(); ++k) {
      count += apart.instructions[i].operands[k].index != shared.instructions[i].operands[k].index ? 1 : 0;
    }
  }
  return count;
}

TEST(InPlace, GeneratedProgramsReadWhatTheyWouldHaveRead) {
  int shared_operands = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const Program apart = random_program(seed);
    Program shared = apart;
    share_in_place(shared);
    shared_operands += shared_count(apart, shared);
    const MemoryPlan plan = plan_memory(shared.buffers, lifetimes_of(shared));
    ASSERT_TRUE(runs_as_if_apart(apart, shared, plan));
  }
  EXPECT_GT(shared_operands, 1000);
}

TEST(InPlace, GeneratedNetworksReadWhatTheyWouldHaveRead) {
  const kernels::Device device(2);
  int shared_operands = 0;
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    for (const bool training : {true, false}) {
      SCOPED_TRACE(seed);
      const Graph graph = random_graph(seed);
      const auto frozen = seed % 2 == 0 ? std::set<std::string>() : random_frozen(graph, seed);
      const LoweringOptions options{.batch = 2, .training = training, .frozen = frozen};
      const Program apart = lower_untuned(graph, device, options).program;
      Program shared = apart;
      share_in_place(shared);
      shared_operands += shared_count(apart, shared);
      const MemoryPlan plan = plan_memory(shared.buffers, lifetimes_of(shared));
      ASSERT_TRUE(runs_as_if_apart(apart, shared, plan));
    }
  }
  EXPECT_GT(shared_operands, 100);
}

}  // namespace
}  // namespace convoy
