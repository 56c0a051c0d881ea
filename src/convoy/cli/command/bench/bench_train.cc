#include "convoy/cli/command/bench/bench_commands.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/number_text.h"
#include "convoy/base/statistics.h"
#include "convoy/cli/launch/world.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/engine/stopwatch.h"
#include "convoy/graph/analysis.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/run/bench/measured_rates.h"
#include "convoy/run/user_folders.h"

namespace convoy::cli {
namespace {

struct Result {
  std::string model;
  std::int64_t batch;
  int threads;
  int workers;
  DataType precision;
  std::int64_t parameters;
  Summary rate;  // samples per second, over steps
  double peak_rss_mb;
  double compile_seconds;
  double exposed_seconds;
  double gflops;
  double peak_gflops;
  bool disturbed;  // others used the cores meanwhile
};

// What was measured and on what. The key differs for each precision.
std::string rate_key(const Graph& graph, const Result& r, const BenchOptions& options, DataType precision) {
  const kernels::BackendInfo backend = kernels::backend_info();
  return fmt::format("{}, {} {} {} | {} {}, {} multiply-adds | batch {}, {} x {} threads{} | {}",
                     read_machine().cpu_model, backend.library, backend.version, backend.isa, r.model,
                     graph.layer(0).shape.to_string(), analyse(graph).multiply_adds, r.batch, r.workers, r.threads,
                     options.exact ? ", exact" : "", name_of(precision));
}

// How much faster the other precision was when it was measured on this machine, undisturbed; no value if it was not.
struct OtherPrecision {
  DataType precision;
  double ratio;
  std::string day;
};

std::optional<OtherPrecision> compare_precisions(const Graph& graph, const Result& r, const BenchOptions& options) {
  const std::filesystem::path folder = cache_folder();
  MeasuredRates rates(folder.empty() ? folder : folder / "measured_rates.json");
  const std::string today = fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::now()));
  if (!r.disturbed) rates.keep(rate_key(graph, r, options, r.precision), {r.rate.median, today});
  const DataType other = r.precision == DataType::fp32 ? DataType::bf16 : DataType::fp32;
  const std::optional<MeasuredRate> known = rates.find(rate_key(graph, r, options, other));
  if (!known || r.disturbed) return std::nullopt;
  return OtherPrecision{.precision = other, .ratio = known->samples_per_second / r.rate.median, .day = known->day};
}

Result measure(const std::string& model, const Graph& graph, const BenchOptions& options, Communicator& communicator) {
  TrainingBench bench(graph, options, communicator);
  for (const std::string& note : bench.notes()) say("note: {}\n", note);
  const OthersClock others = others_cpu_seconds;
  const QuietWatch watch(others);
  std::vector<double> rates = bench.run(options.seconds);
  const bool disturbed = communicator.max(watch.others_share()) >= kDisturbedShare;
  for (double& value : rates) value = static_cast<double>(options.batch) / value;
  const Summary rate = summarize(rates);
  return {.model = model,
          .batch = options.batch,
          .threads = options.threads,
          .workers = communicator.size(),
          .precision = options.precision,
          .parameters = analyse(graph).parameters(),
          .rate = rate,
          .peak_rss_mb = communicator.max(static_cast<double>(peak_resident_bytes())) / (1 << 20),
          .compile_seconds = bench.compile_seconds(),
          .exposed_seconds = bench.exposed_seconds(),
          .gflops = communicator.sum(bench.flops_per_step()) * rate.median / static_cast<double>(options.batch) / 1e9,
          .peak_gflops = communicator.sum(measure_peak_flops(*bench.network().plan().device)) / 1e9,
          .disturbed = disturbed};
}

void print_json(const Result& r, const std::optional<OtherPrecision>& other) {
  nlohmann::ordered_json json = {
      {"model", r.model},
      {"global_batch", r.batch},
      {"threads", r.threads},
      {"workers", r.workers},
      {"precision", name_of(r.precision)},
      {"params", r.parameters},
      {"steps", r.rate.count},
      {"warm_up_steps", kWarmUpSteps},
      {"samples_per_second", r.rate.median},
      {"mean", r.rate.mean},
      {"cv", r.rate.cv},
      {"peak_rss_mb", r.peak_rss_mb},
      {"compile_seconds", r.compile_seconds},
      {"exposed_communication_seconds", r.exposed_seconds},
      {"exposed_communication_share", r.exposed_seconds * r.rate.median / static_cast<double>(r.batch)},
      {"gflops", r.gflops},
      {"peak_gflops", r.peak_gflops},
      {"share_of_peak", r.gflops / r.peak_gflops},
      {"disturbed", r.disturbed}};
  if (other) {
    json["other_precision"] = {
        {"precision", name_of(other->precision)}, {"times_as_fast", other->ratio}, {"measured", other->day}};
  }
  fmt::print("{}\n", json.dump());
}

void print_table(const Result& r, const std::optional<OtherPrecision>& other) {
  fmt::print("{:<22}{}, {} parameters\n", "model", r.model, grouped_text(r.parameters));
  fmt::print("{:<22}batch {}, {}{} thread{}, {}\n", "setting", r.batch,
             r.workers == 1 ? "" : fmt::format("{} workers of ", r.workers), r.threads, r.threads == 1 ? "" : "s",
             name_of(r.precision));
  fmt::print("{:<22}{:.1f} samples/s (median of {} steps; mean {:.1f}, CV {:.1f} %)\n", "throughput", r.rate.median,
             r.rate.count, r.rate.mean, 100 * r.rate.cv);
  fmt::print("{:<22}{:.2f} ms\n", "step", 1e3 * static_cast<double>(r.batch) / r.rate.median);
  fmt::print("{:<22}{:.0f} GFLOP/s, {:.0f} % of the {:.0f} GFLOP/s measured for a matrix product\n", "arithmetic",
             r.gflops, 100 * r.gflops / r.peak_gflops, r.peak_gflops);
  if (r.workers > 1) {
    fmt::print("{:<22}{:.2f} ms of a step not hidden, waiting for other workers included\n", "communication",
               1e3 * r.exposed_seconds);
  }
  fmt::print("{:<22}{:.0f} MB at most{}\n", "memory", r.peak_rss_mb, r.workers > 1 ? ", the largest worker" : "");
  fmt::print("{:<22}{:.2f} s, choosing kernels included\n", "compiled in", r.compile_seconds);
  if (other) {
    fmt::print("{:<22}{:.2f} times as fast as this when it was measured here on {}\n",
               fmt::format("--precision {}", name_of(other->precision)), other->ratio, other->day);
  }
  fmt::print(
      "\nThe first {} steps warm up and are left out. Arithmetic: two operations for each multiply-add of "
      "convolutions\n"
      "and dense layers, forward and backward, counted as direct arithmetic; winograd needs fewer and can pass 100 "
      "%.\n",
      kWarmUpSteps);
}

}  // namespace

void bench_train(const std::string& model, const Graph& graph, const BenchOptions& options, bool json) {
  // A long deadline, because one rank measures kernels while the others wait.
  constexpr std::chrono::minutes kDeadline{10};
  in_world(kDeadline, [&](World& world) {
    if (options.batch < world.size()) {
      throw UserError("a batch of {} cannot be shared by {} workers; raise --batch", options.batch, world.size());
    }
    Communicator communicator(world.transport());
    const Result result = measure(model, graph, options, communicator);
    if (!world.is_first()) return;
    const std::optional<OtherPrecision> other = compare_precisions(graph, result, options);
    json ? print_json(result, other) : print_table(result, other);
  });
}

}  // namespace convoy::cli
