#include "convoy/cli/settings/study_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/cli/launch/hosts.h"
#include "convoy/study/plan/price.h"
#include "convoy/study/plan/study_plan.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {
namespace {

// The heading of the settings that a kind of study usually varies.
constexpr const char* kVaried = "Varied (values with commas between; other settings vary likewise)";

// Not a setting of studies: the study decides where its runs are kept.
constexpr const char* kRunDir = "run-dir";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : text + separator) {
    if (c != separator) {
      if (c != ' ' || !part.empty()) part += c;
      continue;
    }
    while (!part.empty() && part.back() == ' ') part.pop_back();
    if (!part.empty()) parts.push_back(part);
    part.clear();
  }
  return parts;
}

// Settings whose values may themselves contain commas.
bool may_have_commas(const std::string& key) {
  static const std::set<std::string> keys = {"data",          "data-dir", "network",        "init",   "freeze",
                                             "lr-milestones", "hosts",    "dense-exchange", "choices"};
  return keys.contains(key);
}

// Whether "a,b" makes a setting vary that usually does not.
bool is_several(const std::string& key, const std::string& text) {
  return !may_have_commas(key) && split(text, ',').size() > 1;
}

int hosts_in(const std::map<std::string, std::string>& settings) {
  const auto hosts = settings.find("hosts");
  return hosts == settings.end() ? 1 : static_cast<int>(read_hosts(hosts->second).size());
}

std::int64_t most_workers(const study::StudySpec& spec) {
  std::int64_t most = 1;
  for (const study::Axis& axis : spec.axes) {
    if (axis.key != "workers") continue;
    for (const std::string& value : axis.values) most = std::max<std::int64_t>(most, std::stoll(value));
  }
  const auto fixed = spec.settings.find("workers");
  return fixed == spec.settings.end() ? most : std::max<std::int64_t>(most, std::stoll(fixed->second));
}

void require_cores(const study::StudySpec& spec) {
  for (const study::PlannedRun& run : study::plan_runs(spec)) {
    if (!run.oversubscribed) continue;
    throw UserError(
        "{}: workers times threads ({} x {}) are more than the {} core{} there are, and would measure the lack of "
        "cores; leave such points out, or give --oversubscribe to run them all the same, marked as such",
        study::point_text(run.point), study::value_at(spec, run.point, "workers", "1"),
        study::value_at(spec, run.point, "threads", "1"), spec.cores, spec.cores == 1 ? "" : "s");
  }
}

}  // namespace

StudySettings::StudySettings(const StudyForm& form)
    : form_(form), repeats_(form.repeats), skipped_epochs_(form.skipped_epochs) {
  add_own_settings();
  add_train_settings();
}

const Setting& StudySettings::train_setting(const std::string& key) const {
  const auto found = std::ranges::find(train_list_, key, &Setting::key);
  if (found != train_list_.end() && key != kRunDir) return *found;
  std::vector<std::string> keys;
  for (const Setting& setting : train_list_) keys.push_back(setting.key);
  const auto nearest = nearest_name(key, keys);
  throw UserError("'{}' is not a setting of `convoy train` that a study can vary{}", key,
                  nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

void StudySettings::take_value(const Setting& setting, const std::string& text) {
  if (is_several(setting.key, text)) return take_list(setting, text);
  setting.parse(text);
  values_[setting.key] = text;
}

void StudySettings::take_list(const Setting& setting, const std::string& text) {
  const std::vector<std::string> values = split(text, ',');
  if (values.empty()) throw UserError("{} needs a value, or several with commas between", setting.key);
  for (const std::string& value : values) setting.parse(value);
  setting.parse(values.front());  // used by estimates
  if (!axes_.contains(setting.key)) axis_order_.push_back(setting.key);
  axes_[setting.key] = values;
}

void StudySettings::take_varied(const std::string& text) {
  for (const std::string& part : split(text, ';')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) throw UserError("vary takes KEY=VALUE,VALUE; got '{}'", part);
    const std::vector<std::string> names = split(part.substr(0, equals), ' ');
    if (names.size() != 1) throw UserError("vary takes KEY=VALUE,VALUE; got '{}'", part);
    const Setting& setting = train_setting(names.front());
    if (!varied_keys_.insert(setting.key).second)
      throw UserError("vary names {} twice; give all its values at once", setting.key);
    take_list(setting, part.substr(equals + 1));
  }
}

// Which of the two would count depends on their order, which the user did not mean to say anything by.
void StudySettings::require_given_once() const {
  for (const std::string& key : varied_keys_) {
    if (flag_keys_.contains(key)) throw UserError("--vary and --{} both set {}; give one of them", key, key);
  }
}

void StudySettings::add_own_settings() {
  SettingGroup group("Study", list_);
  group
      .add("repeats", repeats_, "N",
           "Runs of each point, with seeds of their own; 0: 3, or 1 where that takes over an hour")
      .add("skip-epochs", skipped_epochs_, "N", "Epochs at the start of a run that throughput leaves out")
      .add("price", price_, "PRICE", "Of a worker-hour, for the cost: 0.45, or \"0.45 USD\"; 0: unknown")
      .add("oversubscribe", oversubscribe_, "", "Run points with more threads than cores too, marked as such")
      .add("order-seed", order_seed_, "N", "Of the shuffled order of runs")
      .add("study-dir", study_dir_, "DIR", "Where the study is kept; a dated folder under studies/ if left out");
  if (study::kind_row(form_.kind).picks_points) {
    group.add("random", random_points_, "N", "Draw so many points from the grid; 0: all")
        .add("halving", halving_, "ETA", "Train all points a little, the best 1/ETA of them ETA times as long, ...")
        .add("first-epochs", first_epochs_, "N", "halving: epochs that all points are trained for")
        .add("retrain-best", retrain_epochs_, "EPOCHS",
             "In the end train the best for each number of workers once more, for so many epochs; 0: do not");
  }
  if (study::kind_row(form_.kind).has_target) {
    group.add("target", target_percent_, "PERCENT", "Test accuracy to find the time of; runs go on beyond it")
        .add("stable-within", stable_points_, "POINTS", "How close to its best a stable accuracy stays");
  }
  list_.push_back({.key = "vary",
                   .type_name = "KEY=V,V;...",
                   .help = "Vary other settings, as several values of their flags do: \"cutout=0,8; lr=0.1,0.2\"",
                   .group = "Study",
                   .parse = [this](const std::string& text) { take_varied(varied_ = text); },
                   .toml = [this] { return toml_value(varied_); },
                   .joined_by = ';'});
}

void StudySettings::add_train_settings() {
  std::set<std::string> lists(form_.axes.begin(), form_.axes.end());
  lists.insert(form_.main_axis);
  for (const Setting& setting : train_list_) {
    if (setting.key == kRunDir) continue;
    Setting own = setting;
    if (lists.contains(setting.key)) {
      own.type_name = "LIST";
      own.is_list = true;
      own.group = kVaried;
      own.parse = [this, &setting](const std::string& text) {
        flag_keys_.insert(setting.key);
        take_list(setting, text);
      };
      own.toml = [] { return std::string(); };
    } else {
      own.is_list = !may_have_commas(setting.key);
      own.parse = [this, &setting](const std::string& text) {
        flag_keys_.insert(setting.key);
        take_value(setting, text);
      };
    }
    if (const auto value = form_.defaults.find(setting.key); value != form_.defaults.end()) {
      own.toml = [text = value->second] { return toml_value(text); };
    }
    list_.push_back(std::move(own));
  }
  // The settings of the study itself come before those that its runs share.
  std::stable_partition(list_.begin(), list_.end(),
                        [](const Setting& setting) { return setting.group == kVaried || setting.group == "Study"; });
}

void StudySettings::fill_defaults() {
  for (const auto& [key, text] : form_.defaults) {
    if (values_.contains(key) || axes_.contains(key)) continue;
    const Setting& setting = train_setting(key);
    const bool is_list = key == form_.main_axis || std::ranges::find(form_.axes, key) != form_.axes.end();
    is_list ? take_list(setting, text) : take_value(setting, text);
  }
}

// Workers must have the same number of threads at every point; otherwise more than the number of workers would differ.
void StudySettings::fill_threads(study::StudySpec& spec) const {
  if (spec.settings.contains("threads") || axes_.contains("threads")) return;
  spec.settings["threads"] = fmt::format("{}", std::max<std::int64_t>(1, spec.cores / most_workers(spec)));
}

study::StudySpec StudySettings::spec(int cores, std::vector<std::string> command) {
  require_given_once();
  fill_defaults();
  study::StudySpec spec{.kind = form_.kind, .settings = values_};
  for (const std::string& key : axis_order_) {
    const std::vector<std::string>& values = axes_.at(key);
    if (values.size() > 1 || key == form_.main_axis) {
      spec.axes.push_back({key, values});
    } else {
      spec.settings[key] = values.front();
    }
  }
  if (spec.axes.empty()) {
    throw UserError("nothing varies: give one setting several values, such as --{} with commas between",
                    form_.axes.front());
  }
  const study::Price price = study::price_from(price_);
  if (skipped_epochs_ < 0) throw UserError("--skip-epochs must be at least 0, got {}", skipped_epochs_);
  if (halving_ == 1 || halving_ < 0) throw UserError("--halving must be at least 2, or 0 for none, got {}", halving_);
  if (first_epochs_ < 1) throw UserError("--first-epochs must be at least 1, got {}", first_epochs_);
  spec.repeats = repeats_are_open() ? kUsualRepeats : repeats_;
  spec.order_seed = order_seed_;
  spec.random_points = random_points_;
  const auto epochs = spec.settings.find("epochs");
  if (halving_ > 0 && epochs != spec.settings.end() && first_epochs_ > std::stoll(epochs->second)) {
    throw UserError("--first-epochs must be at most --epochs, got {} and {}", first_epochs_, epochs->second);
  }
  if (halving_ > 0) spec.halving = {.first_epochs = first_epochs_, .eta = halving_};
  if (retrain_epochs_ < 0) throw UserError("--retrain-best must be at least 0, got {}", retrain_epochs_);
  spec.retrain_epochs = retrain_epochs_;
  spec.skipped_epochs = skipped_epochs_;
  spec.price = price.amount;
  spec.currency = price.currency;
  spec.target_accuracy = target_percent_ / 100;
  spec.stable_within = stable_points_ / 100;
  spec.cores = cores * hosts_in(spec.settings);
  spec.command = std::move(command);
  fill_threads(spec);
  if (!oversubscribe_) require_cores(spec);
  return spec;
}

}  // namespace convoy::cli
