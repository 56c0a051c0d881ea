#include "convoy/cli/command/bench/bench_commands.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/launch/world.h"
#include "convoy/run/all_reduce_cache.h"
#include "convoy/run/bench/all_reduce_bench.h"
#include "convoy/run/settings/amounts.h"

namespace convoy::cli {
namespace {

constexpr std::chrono::seconds kDeadline{60};

struct AllReduceFlags {
  LaunchFlags launch;
  std::string sizes = "1K,16K,256K,4M,64M";
  std::vector<std::string> algorithms;
  double seconds = 1;
  bool ordinary_memory = false;
  bool no_cache = false;
  bool json = false;
};

AllReduceBenchOptions options_of(const AllReduceFlags& flags) {
  if (!(flags.seconds > 0)) throw UserError("--seconds must be above 0, got {}", flags.seconds);
  AllReduceBenchOptions options{.sizes_bytes = parse_byte_sizes(flags.sizes),
                                .algorithms = {},
                                .seconds = flags.seconds,
                                .in_shared_memory = !flags.ordinary_memory};
  for (const std::string& name : flags.algorithms) {
    options.algorithms.push_back(algorithm_named(name));
  }
  return options;
}

using Rows = std::vector<AllReduceBenchRow>;

// How many times as fast as MPI's own all-reduce at the same size; no value if that was not measured.
std::optional<double> times_mpi(const AllReduceBenchRow& row, const Rows& rows) {
  const auto mpi = std::ranges::find_if(
      rows, [&](const auto& other) { return other.algorithm == Algorithm::mpi && other.bytes == row.bytes; });
  if (mpi == rows.end()) return std::nullopt;
  return mpi->median_seconds / row.median_seconds;
}

std::string algorithm_text(const AllReduceBenchRow& row) {
  if (row.algorithm != Algorithm::automatic) return name_of(row.algorithm);
  return fmt::format("auto: {}", name_of(row.runs));
}

void print_table(const NodeMap& nodes, const Rows& rows) {
  fmt::print("{} ranks on {} node{}\n", nodes.rank_count(), nodes.node_count(), nodes.node_count() == 1 ? "" : "s");
  TextTable table({"size", "algorithm", "median ms", "minimum ms", "bus MB/s", "x mpi", "result"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AllReduceBenchRow& row = rows[i];
    if (i > 0 && rows[i - 1].bytes != row.bytes) table.add_rule();
    const auto ratio = times_mpi(row, rows);
    table.add_row({byte_size_text(row.bytes), algorithm_text(row), fmt::format("{:.4f}", 1e3 * row.median_seconds),
                   fmt::format("{:.4f}", 1e3 * row.minimum_seconds),
                   fmt::format("{:.1f}", row.bus_bytes_per_second / 1e6), ratio ? fmt::format("{:.2f}", *ratio) : "-",
                   row.correct ? "right" : "WRONG"});
  }
  fmt::print("{}", table.to_string());
}

void print_json(const NodeMap& nodes, const AllReduceBenchOptions& options, const Rows& rows) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const AllReduceBenchRow& row : rows) {
    nlohmann::ordered_json result = {{"bytes", row.bytes},
                                     {"algorithm", name_of(row.algorithm)},
                                     {"runs", name_of(row.runs)},
                                     {"median_seconds", row.median_seconds},
                                     {"minimum_seconds", row.minimum_seconds},
                                     {"bus_bytes_per_second", row.bus_bytes_per_second},
                                     {"correct", row.correct}};
    if (const auto ratio = times_mpi(row, rows)) result["times_mpi"] = *ratio;
    results.push_back(std::move(result));
  }
  const nlohmann::ordered_json json = {{"ranks", nodes.rank_count()},
                                       {"nodes", nodes.node_count()},
                                       {"shared_memory", options.in_shared_memory},
                                       {"results", std::move(results)}};
  fmt::print("{}\n", json.dump());
}

void bench_in(World& world, const AllReduceFlags& flags, const AllReduceBenchOptions& options) {
  if (world.size() == 1) {
    throw UserError("an all-reduce needs at least two ranks: give --workers 2, or start it under mpirun");
  }
  const auto folder = flags.no_cache ? std::filesystem::path() : all_reduce_cache_folder();
  const auto table = all_reduce_table_for(world.transport(), folder);
  const Rows rows = bench_allreduce(world.transport(), options, table);
  if (world.is_first()) {
    const NodeMap& nodes = world.transport().nodes();
    flags.json ? print_json(nodes, options, rows) : print_table(nodes, rows);
  }
  const auto wrong = std::ranges::find(rows, false, &AllReduceBenchRow::correct);
  if (wrong != rows.end()) {
    throw SystemError(fmt::format("the all-reduce \"{}\" of {} bytes gave wrong sums; do not train with it",
                                  name_of(wrong->algorithm), wrong->bytes));
  }
}

}  // namespace

void add_bench_allreduce(CLI::App& bench) {
  CLI::App* const command = bench.add_subcommand(
      "allreduce", "Measure the sum of values over all ranks: each algorithm and size, beside MPI's own");
  const auto flags = std::make_shared<AllReduceFlags>();
  command->add_option("--sizes", flags->sizes, "Bytes to sum, with K, M or G")->capture_default_str();
  command
      ->add_option("--algorithms", flags->algorithms,
                   fmt::format("Any of {}; all if left out", fmt::join(algorithm_names(), ", ")))
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_option("--seconds", flags->seconds, "How long to measure at each size")->capture_default_str();
  command->add_flag("--ordinary-memory", flags->ordinary_memory,
                    "Values in ordinary memory, not where ranks of a host share it as gradients do");
  command->add_flag("--no-cache", flags->no_cache, "Measure again what \"auto\" chooses by, and keep nothing on disk");
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->footer("Example:\n  convoy bench allreduce --workers 2 --sizes 64K,4M,64M");
  add_launch_flags(*command, flags->launch);
  command->callback([flags] {
    const AllReduceBenchOptions options = options_of(*flags);
    // Sums are computed by one thread.
    if (launch(flags->launch, {.exactly = 1})) return;
    in_world(kDeadline, [&](World& world) { bench_in(world, *flags, options); });
  });
}

}  // namespace convoy::cli
