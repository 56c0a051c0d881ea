#include "convoy/cli/bench_data.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/statistics.h"
#include "convoy/cli/augment_flags.h"
#include "convoy/cli/source_flags.h"
#include "convoy/data/loader_rate.h"
#include "convoy/data/open_source.h"

namespace convoy::cli {
namespace {

struct DataBenchFlags {
  std::string data;
  SourceFlags source;
  AugmentFlags augment;
  data::LoaderOptions loader{.global_batch = 128};
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

void bench_data(DataBenchFlags flags) {
  check(flags);
  flags.loader.augment = augment_options(flags.augment);
  const auto source = data::open_source(source_spec(flags.data), source_options(flags.source));
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
  command->add_option("--seconds", flags->seconds, "How long to measure, after filling the queue")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print one JSON object instead of a table");
  command->footer("Example:\n  convoy bench data --data cifar10 --augment cifar --threads 1");
  command->callback([flags] { bench_data(*flags); });
}

}  // namespace convoy::cli
