#include "convoy/cli/command/commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/machine.h"
#include "convoy/cli/command/lr_curve.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/settings/setting_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/cli/terminal/terminal.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/optim/lr_range.h"
#include "convoy/run/session.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/train/trainer.h"

namespace convoy::cli {
namespace {

struct LrFindFlags {
  TrainSettings settings;
  std::vector<Setting> list = train_setting_list(settings);
  std::unique_ptr<SettingFlags> flags;
  std::string config;
  LrRangeOptions range;
  std::string out;
  bool json = false;
};

// Drives a range test: gives it the loss of each step and takes the next rate from it.
class RangeTestDriver : public Observer {
 public:
  RangeTestDriver(LrRangeTest& test, int steps) : test_(test), steps_(steps) {}

  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    test_.add(event.record.loss);
    progress_.show("range test",
                   fmt::format("step {}, rate {:.2g}, loss {:.4f}", event.record.step, event.record.learning_rate,
                               event.record.loss),
                   event.record.step, steps_);
  }

 private:
  LrRangeTest& test_;
  int steps_;
  ProgressLine progress_;
};

// Makes the training long enough that the test ends first.
TrainerOptions long_training(TrainerOptions options, std::int64_t samples, int steps) {
  const std::int64_t steps_per_epoch = (samples + options.batch - 1) / options.batch;
  options.epochs = steps / steps_per_epoch + 2;
  options.evaluate_every = options.epochs;
  options.stop = {};
  return options;
}

void run_test(const TrainingPlan& plan, Session& session, const LrRangeOptions& options, LrRangeTest& test) {
  Trainer trainer({session.trained.network, *session.trained.optimizer, [&](std::int64_t) { return test.next_rate(); },
                   *plan.source, session.evaluator, &session.trained.replica},
                  long_training(plan.trainer, plan.source->size(data::Split::train), options.steps));
  RangeTestDriver driver(test, options.steps);
  trainer.add(driver);
  try {
    (void)trainer.run([&] { return test.done() || Interrupt::signal() != 0; });
  } catch (const DivergedError&) {
    // The range test ends here too: the rate is too high.
  }
}

void print_text(const LrRangeTest& test) {
  fmt::print("{}\n", lr_curve_text(test.points(), test.suggestion()));
  if (test.suggestion()) {
    fmt::print("suggestion     --lr {:.2g}: there the loss falls fastest\n", *test.suggestion());
  } else {
    fmt::print(
        "no suggestion  the loss did not fall at any of these rates; try other --from and --to, or more --steps\n");
  }
}

void print_json(const LrRangeTest& test) {
  nlohmann::ordered_json json = {{"suggestion", nullptr}, {"points", nlohmann::json::array()}};
  if (test.suggestion()) json["suggestion"] = *test.suggestion();
  for (const LrRangePoint& point : test.points()) {
    json["points"].push_back(
        nlohmann::ordered_json{{"rate", point.rate}, {"loss", point.loss}, {"smoothed", point.smoothed}});
  }
  fmt::print("{}\n", json.dump());
}

// Writes the picture, and its values beside it.
void write_files(const LrFindFlags& flags, const LrRangeTest& test) {
  std::filesystem::path path = flags.out;
  const std::string title = fmt::format("{} on {}, batch {}, {}", flags.settings.model, flags.settings.data,
                                        flags.settings.batch, flags.settings.optimizer);
  write_file_atomically(path, lr_curve_svg(test.points(), test.suggestion(), title));
  const std::filesystem::path table = path.replace_extension(".csv");
  write_file_atomically(table, lr_curve_csv(test.points()));
  say("curve in {}, values in {}\n", flags.out, table.string());
}

void run_lr_find(LrFindFlags& flags) {
  outlive_readers();
  if (!flags.config.empty()) {
    read_settings_file(flags.config, flags.list, [&](const std::string& key) { return flags.flags->overrides(key); });
  }
  if (!flags.settings.threads) flags.settings.threads = read_machine().usable_cores;
  const Remarks remarks = terminal_remarks();
  LrRangeTest test(flags.range);
  const TrainingPlan plan = plan_training(flags.settings, 1, remarks);
  const Interrupt interrupt;
  SoloTransport alone;
  Communicator communicator(alone);
  Session session(plan, flags.settings, {}, communicator, remarks);
  if (!flags.settings.init.empty()) session.start_from(flags.settings.init);
  run_test(plan, session, flags.range, test);
  if (Interrupt::signal() != 0) throw Interrupted{Interrupt::signal()};
  flags.json ? print_json(test) : print_text(test);
  if (!flags.out.empty()) write_files(flags, test);
}

}  // namespace

void add_lr_find_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("lr-find", "Find a learning rate: train briefly at ever higher rates");
  const auto flags = std::make_shared<LrFindFlags>();
  flags->flags = std::make_unique<SettingFlags>(*command, flags->list);
  command->add_option("--config", flags->config, "Settings from a TOML file, as for `convoy train`")->type_name("FILE");
  command->add_option("--from", flags->range.first_rate, "First rate")->capture_default_str();
  command->add_option("--to", flags->range.last_rate, "Last rate")->capture_default_str();
  command->add_option("--steps", flags->range.steps, "Steps between them")->capture_default_str();
  command->add_option("--out", flags->out, "Draw the curve into this SVG file, its values beside it as CSV")
      ->type_name("FILE");
  command->add_flag("--json", flags->json, "Print one JSON object instead of a curve");
  command->footer("Example:\n  convoy lr-find --data fashion-mnist --model resnet20 --out lr.svg");
  command->callback([flags] { run_lr_find(*flags); });
}

}  // namespace convoy::cli
