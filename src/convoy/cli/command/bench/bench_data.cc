#include "convoy/cli/command/bench/bench_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/base/statistics.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/loader/loader_rate.h"
#include "convoy/data/source/open_source.h"
#include "convoy/run/bench/input_wait.h"

namespace convoy::cli {
namespace {

struct DataBenchFlags {
  std::string data;
  SourceSettings source;
  AugmentSettings augment;
  data::LoaderOptions loader{.global_batch = 128};
  std::string model;  // empty: nothing is trained
  double seconds = 5;
  bool json = false;
};

void check(const DataBenchFlags& flags) {
  if (flags.loader.threads < 0) throw UserError("--threads must not be negative, got {}", flags.loader.threads);
  if (flags.loader.global_batch < 1) throw UserError("--batch must be at least 1, got {}", flags.loader.global_batch);
  if (!(flags.seconds > 0)) throw UserError("--seconds must be above 0, got {}", flags.seconds);
}

void print_json(const DataBenchFlags& flags, const data::LoaderRate& measured, const Summary& rate) {
  const nlohmann::ordered_json json = {{"data", flags.data},
                                       {"augment", augment_text(flags.augment)},
                                       {"global_batch", flags.loader.global_batch},
                                       {"instances", flags.loader.instances},
                                       {"threads", flags.loader.threads},
                                       {"samples", measured.rows},
                                       {"seconds", measured.seconds},
                                       {"samples_per_second", rate.median},
                                       {"mean", rate.mean},
                                       {"cv", rate.cv}};
  fmt::print("{}\n", json.dump());
}

void print_table(const DataBenchFlags& flags, const Summary& rate) {
  fmt::print("{:<22}{}, augment {}\n", "data", flags.data, augment_text(flags.augment));
  fmt::print("{:<22}batch {}, {} thread{}\n", "setting", flags.loader.global_batch, flags.loader.threads,
             flags.loader.threads == 1 ? "" : "s");
  fmt::print("{:<22}{:.0f} samples/s (median of {} stretches; mean {:.0f}, CV {:.1f} %)\n", "rate", rate.median,
             rate.count, rate.mean, 100 * rate.cv);
}

// Builds the network for this data and trains it.
InputWait train_on(const data::Source& source, const DataBenchFlags& flags) {
  const Graph graph = build_model({.model = flags.model,
                                   .input = source.shape().to_string(),
                                   .classes = static_cast<int>(source.classes().size())});
  BenchOptions options{.batch = flags.loader.global_batch * flags.loader.instances, .seconds = flags.seconds};
  options.threads = read_machine().usable_cores;
  if (source.size(data::Split::train) < flags.loader.global_batch) {
    throw UserError("{} has {} training images, fewer than a batch of {}", flags.data, source.size(data::Split::train),
                    flags.loader.global_batch);
  }
  return measure_input_wait(graph, options, source, flags.loader);
}

void print_json(const DataBenchFlags& flags, const InputWait& wait) {
  const nlohmann::ordered_json json = {{"data", flags.data},
                                       {"augment", augment_text(flags.augment)},
                                       {"model", flags.model},
                                       {"global_batch", flags.loader.global_batch},
                                       {"instances", flags.loader.instances},
                                       {"loader_threads", wait.loader_threads},
                                       {"compute_threads", wait.compute_threads},
                                       {"steps", wait.steps},
                                       {"step_seconds", wait.step_seconds},
                                       {"input_seconds", wait.input_seconds},
                                       {"input_share", wait.input_seconds / wait.step_seconds}};
  fmt::print("{}\n", json.dump());
}

void print_table(const DataBenchFlags& flags, const InputWait& wait) {
  fmt::print("{:<22}{}, augment {}\n", "data", flags.data, augment_text(flags.augment));
  fmt::print("{:<22}{}, batch {}, {} of {} cores make samples\n", "training", flags.model, flags.loader.global_batch,
             wait.loader_threads, wait.loader_threads + wait.compute_threads);
  fmt::print("{:<22}{:.2f} ms (median of {} steps)\n", "step", 1e3 * wait.step_seconds, wait.steps);
  fmt::print("{:<22}{:.2f} ms, {:.2f} % of the step\n", "input", 1e3 * wait.input_seconds,
             100 * wait.input_seconds / wait.step_seconds);
}

void bench_data(DataBenchFlags flags) {
  check(flags);
  flags.loader.augment = augment_options(flags.augment);
  const auto source = data::open_source(flags.data, source_options(flags.source, terminal_remarks()));
  if (!flags.model.empty()) {
    const InputWait wait = train_on(*source, flags);
    flags.json ? print_json(flags, wait) : print_table(flags, wait);
    return;
  }
  const data::LoaderRate measured = data::measure_loader(*source, flags.loader, flags.seconds);
  const Summary rate = summarize(measured.rates);
  flags.json ? print_json(flags, measured, rate) : print_table(flags, rate);
}

}  // namespace

void add_bench_data(CLI::App& bench) {
  CLI::App* const command = bench.add_subcommand("data", "Measure how fast samples are read, augmented and normalised");
  const auto flags = std::make_shared<DataBenchFlags>();
  command->add_option("--data", flags->data, "Data set, image folder or pack; `convoy data list` shows the known ones")
      ->required()
      ->type_name("NAME");
  add_source_flags(*command, flags->source);
  add_pack_flag(*command, flags->source);
  add_augment_flags(*command, flags->augment);
  command->add_option("--batch", flags->loader.global_batch, "Samples per batch")->capture_default_str();
  command->add_option("--instances", flags->loader.instances, "Times each sample is in its batch")
      ->capture_default_str();
  command->add_option("--threads", flags->loader.threads, "Threads that make batches; 0: the main thread")
      ->capture_default_str();
  command
      ->add_option("--model", flags->model,
                   "Train this network on the samples, with all cores, and measure how long it waits for them")
      ->type_name("NAME");
  command->add_option("--seconds", flags->seconds, "How long to measure, after filling the queue")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->footer("Example:\n  convoy bench data --data cifar10 --augment cifar --threads 1");
  command->callback([flags] { bench_data(*flags); });
}

}  // namespace convoy::cli
