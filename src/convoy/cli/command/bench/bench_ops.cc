#include "convoy/cli/command/bench/bench_commands.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "convoy/base/clock.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/comm/solo/solo_transport.h"

namespace convoy::cli {
namespace {

struct Row {
  std::string layer;
  std::string pass;
  std::string implementation;
  double seconds;  // of a step: the median
  double flops;    // 0 if its time does not depend on arithmetic
};

struct Ops {
  std::vector<Row> rows;
  int steps = 0;

  [[nodiscard]] double step_seconds() const {
    return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const Row& row) { return sum + row.seconds; });
  }
};

// What instruction i took in each step, and after the instructions the update.
using StepTimes = std::vector<Profile>;

StepTimes time_steps(TrainingBench& bench, double seconds) {
  const std::size_t instructions = bench.network().plan().program.instructions.size();
  StepTimes steps;
  const auto begin = Clock::now();
  while (steps.size() < 3 || seconds_since(begin) < seconds) {
    Profile profile(instructions, 0.0);
    const double updated = bench.update_seconds();
    bench.step(&profile);
    profile.push_back(bench.update_seconds() - updated);
    steps.push_back(std::move(profile));
  }
  return steps;
}

// The median leaves out moments in which others had the cores, which a mean would spread over all rows.
double median_of(const StepTimes& steps, std::size_t row) {
  std::vector<double> times;
  times.reserve(steps.size());
  for (const Profile& step : steps) times.push_back(step[row]);
  return median(times);
}

Ops measure(const Graph& graph, const BenchOptions& options) {
  SoloTransport alone;
  Communicator communicator(alone);
  TrainingBench bench(graph, options, communicator);
  for (const std::string& note : bench.notes()) say("note: {}\n", note);
  for (int i = 0; i < kWarmUpSteps; ++i) bench.step();
  const StepTimes steps = time_steps(bench, options.seconds);
  const auto& instructions = bench.network().plan().program.instructions;
  Ops ops{.rows = {}, .steps = static_cast<int>(steps.size())};
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    ops.rows.push_back({.layer = graph.layer(instructions[i].layer).name,
                        .pass = name_of(instructions[i].phase),
                        .implementation = instructions[i].prepared->implementation(),
                        .seconds = median_of(steps, i),
                        .flops = instructions[i].flops});
  }
  ops.rows.push_back({.layer = "all parameters",
                      .pass = "update",
                      .implementation = "convoy:momentum",
                      .seconds = median_of(steps, instructions.size()),
                      .flops = 0});
  return ops;
}

void print_json(const std::string& model, const BenchOptions& options, const Ops& ops) {
  auto rows = nlohmann::ordered_json::array();
  for (const Row& row : ops.rows) {
    rows.push_back({{"layer", row.layer},
                    {"pass", row.pass},
                    {"seconds", row.seconds},
                    {"gflops", row.flops / row.seconds / 1e9},
                    {"share", row.seconds / ops.step_seconds()},
                    {"implementation", row.implementation}});
  }
  const nlohmann::ordered_json json = {
      {"model", model},     {"global_batch", options.batch},      {"threads", options.threads},
      {"steps", ops.steps}, {"step_seconds", ops.step_seconds()}, {"ops", rows}};
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Ops& ops) {
  TextTable table({"layer", "pass", "ms", "share %", "GFLOP/s", "implementation"});
  for (const Row& row : ops.rows) {
    table.add_row({row.layer, row.pass, fmt::format("{:.3f}", 1e3 * row.seconds),
                   fmt::format("{:.1f}", 100 * row.seconds / ops.step_seconds()),
                   row.flops > 0 ? fmt::format("{:.0f}", row.flops / row.seconds / 1e9) : "-", row.implementation});
  }
  table.add_rule();
  table.add_row({"step", "", fmt::format("{:.3f}", 1e3 * ops.step_seconds()), "100.0", "-", ""});
  fmt::print(
      "{}\nMedians over {} steps, in the order of execution; the last line is their sum. GFLOP/s counts direct "
      "arithmetic,\n"
      "two operations per multiply-add.\n",
      table.to_string(), ops.steps);
}

}  // namespace

void bench_ops(const std::string& model, const Graph& graph, const BenchOptions& options, bool json) {
  const Ops ops = measure(graph, options);
  json ? print_json(model, options, ops) : print_table(ops);
}

}  // namespace convoy::cli
