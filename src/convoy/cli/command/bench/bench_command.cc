#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/cli/command/bench/bench_commands.h"
#include "convoy/cli/launch/launch.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/run/fair_threads.h"

namespace convoy::cli {
namespace {

struct BenchFlags {
  ModelFlags model;
  BenchOptions options;
  LaunchFlags launch;
  const CLI::Option* threads = nullptr;
  std::string precision = name_of(DataType::fp32);
  bool no_cache = false;
  bool json = false;
};

void add_bench_flags(CLI::App& command, BenchFlags& flags) {
  flags.options.threads = read_machine().usable_cores;
  add_model_flags(command, flags.model);
  command.add_option("--batch", flags.options.batch, "Samples per step")->capture_default_str();
  flags.threads = command.add_option("--threads", flags.options.threads,
                                     "Threads to compute with; the cores of this machine if left out");
  command.add_option("--seconds", flags.options.seconds, "How long to measure, after compiling and warming up")
      ->capture_default_str();
  add_precision_flag(command, flags.precision);
  command.add_flag("--exact", flags.options.exact, "Direct arithmetic only: no winograd convolutions");
  command.add_flag("--no-cache", flags.no_cache, "Measure kernels again and keep nothing on disk");
  command.add_flag("--json", flags.json, "Print one JSON object instead of a table");
}

void check(const BenchOptions& options) {
  if (options.batch < 1) throw UserError("--batch must be at least 1, got {}", options.batch);
  require_threads(options.threads);
  if (!(options.seconds > 0)) throw UserError("--seconds must be above 0, got {}", options.seconds);
  const int cores = read_machine().usable_cores;
  if (options.threads > cores) {
    say("note: {} threads on {} cores slow each other down\n", options.threads, cores);
  }
}

using Run = void (*)(const std::string& model, const Graph& graph, const BenchOptions& options, bool json);

struct Bench {
  std::string name;
  std::string description;
  std::string example;
  Run run;
  bool on_workers = false;  // whether it takes --workers
};

bool bench_on_workers(const BenchFlags& flags) {
  if (flags.threads->count() == 0) return launch(flags.launch, {});
  return launch(flags.launch, {.exactly = flags.options.threads});
}

void add_bench(CLI::App& bench, const Bench& what) {
  CLI::App* const command = bench.add_subcommand(what.name, what.description);
  const auto flags = std::make_shared<BenchFlags>();
  add_bench_flags(*command, *flags);
  if (what.on_workers) add_launch_flags(*command, flags->launch);
  command->footer("Example:\n  " + what.example);
  command->callback([flags, run = what.run] {
    flags->options.use_cache = !flags->no_cache;
    flags->options.precision = data_type_named(flags->precision);
    check(flags->options);
    const Graph graph = build_model(flags->model);
    if (!is_loss(graph.layer(graph.output()).op)) {
      throw UserError("{} has no loss and cannot be trained; `convoy summary` shows it", flags->model.model);
    }
    if (bench_on_workers(*flags)) return;
    run(flags->model.model, graph, flags->options, flags->json);
  });
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* const bench = app.add_subcommand("bench", "Measure training, and the making of its samples");
  bench->require_subcommand(1);
  bench->footer("Example:\n  convoy bench train --model resnet20 --batch 128");
  add_bench(*bench,
            {.name = "train",
             .description = "Measure training throughput, memory and arithmetic rate",
             .example = "convoy bench train --model resnet20 --input 3x32x32 --classes 10 --batch 128 --seconds 5",
             .run = bench_train,
             .on_workers = true});
  add_bench(*bench, {.name = "ops",
                     .description = "Measure each layer and pass of a training step: time, rate, implementation chosen",
                     .example = "convoy bench ops --model vgg16 --input 3x64x64 --classes 200 --batch 64",
                     .run = bench_ops});
  add_bench_data(*bench);
  add_bench_allreduce(*bench);
}

}  // namespace convoy::cli
