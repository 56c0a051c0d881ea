#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/command/commands.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/run/bench/tuning_bench.h"
#include "convoy/run/fair_threads.h"
#include "convoy/train/machine_load.h"

namespace convoy::cli {
namespace {

struct TuneFlags {
  ModelFlags model;
  TuningOptions options;
  LaunchFlags launch;
  const CLI::Option* threads = nullptr;
  std::string precision = name_of(DataType::fp32);
  bool json = false;
};

using Results = std::vector<TuningResult>;

std::string spread_text(const Summary& summary) {
  if (!summary.has_interval()) return "-";
  return fmt::format("{:.1f} - {:.1f}", 1e3 * summary.low_95, 1e3 * summary.high_95);
}

std::string flags_text(const TuningCandidate& candidate) {
  return candidate.flags().empty() ? "(defaults)" : candidate.flags();
}

double times_faster(const TuningResult& one, const TuningResult& other) {
  return other.summary().median / one.summary().median;
}

void print_table(const Results& results) {
  TextTable table({"ms a step", "95 % interval", "x defaults", "not hidden ms", "bytes a step", "exact", "flags"});
  for (const TuningResult& result : results) {
    const Summary summary = result.summary();
    table.add_row({fmt::format("{:.1f}", 1e3 * summary.median), spread_text(summary),
                   fmt::format("{:.2f}", times_faster(result, results.front())),
                   fmt::format("{:.1f}", 1e3 * result.exposed_seconds), bytes_text(result.wire_bytes),
                   result.candidate.is_exact() ? "yes" : "no", flags_text(result.candidate)});
  }
  fmt::print("{}", table.to_string());
}

std::string advice(const Results& results) {
  const TuningResult* const exact = exact_winner(results);
  std::string text = "No exact way is faster than the defaults beyond the spread: leave these flags out.\n";
  if (exact != nullptr) {
    text = fmt::format("Exact and {:.2f} times as fast as the defaults: {}\n", times_faster(*exact, results.front()),
                       exact->candidate.flags());
  }
  if (const TuningResult* const lossy = lossy_winner(results)) {
    text += fmt::format(
        "Not exact and {:.2f} times as fast as the defaults: {}; what that costs in accuracy, `convoy study converge` "
        "shows\n",
        times_faster(*lossy, results.front()), lossy->candidate.flags());
  }
  return text;
}

nlohmann::ordered_json to_json(const TuningResult& result) {
  const Summary summary = result.summary();
  nlohmann::ordered_json json = {{"flags", result.candidate.flags()},
                                 {"exact", result.candidate.is_exact()},
                                 {"allreduce", result.candidate.all_reduce},
                                 {"bucket_bytes", result.candidate.bucket_bytes},
                                 {"dense_exchange", result.candidate.dense_exchange},
                                 {"compress", result.candidate.compress},
                                 {"local_steps", result.candidate.local_steps},
                                 {"seconds_per_step", summary.median},
                                 {"rounds", result.seconds},
                                 {"exposed_communication_seconds", result.exposed_seconds},
                                 {"wire_bytes_per_step", result.wire_bytes}};
  if (summary.has_interval()) json["interval_95"] = {summary.low_95, summary.high_95};
  return json;
}

void print_json(const TuneFlags& flags, const NodeMap& nodes, const Results& results, bool disturbed) {
  nlohmann::ordered_json json = {{"model", flags.model.model},
                                 {"global_batch", flags.options.bench.batch},
                                 {"threads", flags.options.bench.threads},
                                 {"workers", nodes.rank_count()},
                                 {"nodes", nodes.node_count()},
                                 {"precision", flags.precision},
                                 {"disturbed", disturbed},
                                 {"exact_winner", nullptr},
                                 {"lossy_winner", nullptr}};
  if (const TuningResult* const winner = exact_winner(results)) json["exact_winner"] = winner->candidate.flags();
  if (const TuningResult* const winner = lossy_winner(results)) json["lossy_winner"] = winner->candidate.flags();
  for (const TuningResult& result : results) json["results"].push_back(to_json(result));
  fmt::print("{}\n", json.dump());
}

void print_results(const TuneFlags& flags, const NodeMap& nodes, const Results& results, bool disturbed) {
  if (flags.json) return print_json(flags, nodes, results, disturbed);
  fmt::print("{}, batch {}, {} workers on {} machine{}\n", flags.model.model, flags.options.bench.batch,
             nodes.rank_count(), nodes.node_count(), nodes.node_count() == 1 ? "" : "s");
  print_table(results);
  if (disturbed) fmt::print("Others used the cores meanwhile: measure again on a quiet machine.\n");
  fmt::print("{}", advice(results));
}

void tune_in(World& world, const TuneFlags& flags, const Graph& graph) {
  if (flags.options.bench.batch < world.size()) {
    throw UserError("a batch of {} cannot be shared by {} workers; raise --batch", flags.options.bench.batch,
                    world.size());
  }
  Communicator communicator(world.transport());
  MachineLoad load(communicator);
  load.begin();
  const auto begin = Clock::now();
  const Results results = tune_communication(graph, flags.options, world.transport(), [&](const std::string& what) {
    if (world.is_first()) say("measuring {}\n", what);
  });
  constexpr double kDisturbing = 0.05;  // as a share of the cores
  const OthersLoad others = load.end().value_or(OthersLoad());
  const double share = (others.others_seconds + others.steal_seconds) / (load.cores() * seconds_since(begin));
  if (world.is_first()) print_results(flags, world.transport().nodes(), results, share > kDisturbing);
}

void check(const TuningOptions& options) {
  if (options.bench.batch < 1) throw UserError("--batch must be at least 1, got {}", options.bench.batch);
  require_threads(options.bench.threads);
  if (!(options.bench.seconds > 0)) throw UserError("--seconds must be above 0, got {}", options.bench.seconds);
  if (options.rounds < 1) throw UserError("--rounds must be at least 1, got {}", options.rounds);
}

void tune(TuneFlags& flags) {
  flags.options.bench.precision = data_type_named(flags.precision);
  check(flags.options);
  const Graph graph = build_model(flags.model);
  if (!is_loss(graph.layer(graph.output()).op)) {
    throw UserError("{} has no loss and cannot be trained; `convoy summary` shows it", flags.model.model);
  }
  const bool has_threads = flags.threads->count() > 0;
  if (launch(flags.launch, has_threads ? ThreadWish{.exactly = flags.options.bench.threads} : ThreadWish{})) return;
  // A long deadline, because one rank measures kernels while the others wait.
  constexpr std::chrono::minutes kTuningDeadline{10};
  in_world(kTuningDeadline, [&](World& world) { tune_in(world, flags, graph); });
}

}  // namespace

void add_tune_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "tune",
      "Measure which all-reduce, bucket, dense exchange, codec and local steps suit a network on these workers");
  const auto flags = std::make_shared<TuneFlags>();
  flags->options.bench.seconds = 1;
  flags->options.bench.threads = read_machine().usable_cores;
  add_model_flags(*command, flags->model);
  command->add_option("--batch", flags->options.bench.batch, "Samples of a step, of all workers")
      ->capture_default_str();
  flags->threads = command->add_option("--threads", flags->options.bench.threads,
                                       "Of each worker; its share of the cores if left out");
  command->add_option("--seconds", flags->options.bench.seconds, "How long to measure each way in each round")
      ->capture_default_str();
  command->add_option("--rounds", flags->options.rounds, "How often to measure those that are nearly the fastest")
      ->capture_default_str();
  add_precision_flag(*command, flags->precision);
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->footer(
      "Example:\n  convoy tune --hosts node1,node2 --model alexnet --input 3x64x64 --classes 200 --batch 64");
  add_launch_flags(*command, flags->launch);
  command->callback([flags] { tune(*flags); });
}

}  // namespace convoy::cli
