#include "convoy/run/settings/kept_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/record/json_fields.h"
#include "convoy/record/run_info.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSettings = "settings";
constexpr const char* kChoices = "choices";
constexpr const char* kData = "data";

constexpr std::array kMayChange = {"epochs",
                                   "max-time",
                                   "target-accuracy",
                                   "patience",
                                   "checkpoint-every",
                                   "keep",
                                   "threads",
                                   "data-dir",
                                   "loader-threads",
                                   "workers",
                                   "hosts",
                                   "tensorboard",
                                   "tensorboard-histograms",
                                   "metrics"};

// Other places than resolved.toml that say what the settings of a run were. Null where there is none.
struct Witnesses {
  Json checkpoint;                // the newest checkpoint
  Json record;                    // run.json, which each sitting writes anew
  bool is_older_version = false;  // there is a checkpoint, but of a version that did not keep settings
};

Json settings_in_record(const fs::path& folder) {
  try {
    const Json json = read_json_file(folder / kRunFile);
    const Json& configuration = json_field(json, "configuration");
    return configuration.is_object() ? configuration : Json();
  } catch (const DataError&) {
    return {};  // read_run_to_continue() reports the damage
  }
}

Witnesses find_witnesses(const fs::path& folder) {
  Witnesses witnesses{.checkpoint = {}, .record = settings_in_record(folder)};
  const std::optional<Checkpoint> state = CheckpointStore(folder / kCheckpointsFolder).latest_state();
  if (!state) return witnesses;
  const Json& kept = state->run;
  if (kept.is_object() && kept.contains(kSettings)) witnesses.checkpoint = kept.at(kSettings);
  witnesses.is_older_version = !witnesses.checkpoint.is_object();
  return witnesses;
}

// The value of a setting, or null if it has none.
Json value_of(const Json& settings, const std::string& key) {
  const auto found = settings.is_object() ? settings.find(key) : settings.end();
  return settings.is_object() && found != settings.end() ? *found : Json();
}

Json default_settings() {
  TrainSettings settings;
  return settings_json(train_setting_list(settings));
}

// The value that a setting had according to the checkpoint or run.json. If it is not listed there, a later version
// added it or it had no value; in both cases it is the default.
Json value_before(const Witnesses& witnesses, const std::string& key) {
  static const Json defaults = default_settings();
  const Json& word = witnesses.checkpoint.is_object() ? witnesses.checkpoint : witnesses.record;
  return word.contains(key) ? word.at(key) : value_of(defaults, key);
}

// The value as a user would write it, so that true and "true" are equal: a yes-or-no setting may have become a word in
// a later version.
std::string written(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string shown(const Json& value) { return value.is_null() ? "not set" : value.dump(); }

// One text such as "lr is 0.5 and was 0.1" for each setting that has changed.
std::vector<std::string> differences(const std::vector<Setting>& list, const Witnesses& witnesses,
                                     const std::function<bool(const std::string&)>& is_given) {
  std::vector<std::string> found;
  if (!witnesses.checkpoint.is_object() && !witnesses.record.is_object()) return found;
  const Json now = settings_json(list);
  for (const Setting& setting : list) {
    const std::string& key = setting.key;
    // These say where the run is, not how it trains.
    if (key == "run-dir" || key == "choices" || is_given(key)) continue;
    const Json value = value_of(now, key);
    const Json before = value_before(witnesses, key);
    // A sitting that changed the setting may have ended before its first checkpoint.
    if (written(value) == written(before) || (may_change(key) && value == value_of(witnesses.record, key))) continue;
    found.push_back(fmt::format("{} is {} and was {}", key, shown(value), shown(before)));
  }
  return found;
}

void require_unaltered(const fs::path& file, const std::vector<std::string>& differences, Altered altered,
                       const OnNote& on_note) {
  if (differences.empty()) return;
  const std::string text = fmt::format("{}", fmt::join(differences, ", "));
  if (altered == Altered::accepted) {
    on_note(fmt::format("the run goes on with settings that were altered in {}: {}", file.string(), text));
    return;
  }
  throw DataError(
      "{} was altered since the run wrote it: {}; to go on with the old settings, put them back or delete the file; "
      "--accept-altered goes on with the new ones",
      file.string(), text);
}

// Reads the whole file into settings that are thrown away, so that an error in the middle does not leave half of it
// set. Returns what is wrong, or no value.
std::optional<std::string> damage_of(const fs::path& file, const std::vector<Setting>& scratch) {
  try {
    read_settings_file(file, scratch);
    return std::nullopt;
  } catch (const UserError& error) {
    return error.what();
  }
}

void set_from_witness(const std::string& damage, const Witnesses& witnesses, const std::vector<Setting>& list,
                      const std::function<bool(const std::string&)>& is_given, const OnNote& on_note) {
  const bool by_checkpoint = witnesses.checkpoint.is_object();
  const Json& word = by_checkpoint ? witnesses.checkpoint : witnesses.record;
  if (!word.is_object()) throw DataError("{}; nothing else here says how the run was set up: put a copy back", damage);
  set_from_json(word, list, is_given);
  on_note(fmt::format("{}; settings are taken from {} instead", damage,
                      by_checkpoint ? "the newest checkpoint" : kRunFile));
}

std::string difference(const char* file, const Choices& now, const Choices& before) {
  for (const auto& [layer, choice] : before) {
    const auto found = now.find(layer);
    if (found == now.end()) return fmt::format("{} lacks layer {}", file, layer);
    if (found->second != choice) return fmt::format("{} has other kernels for layer {}", file, layer);
  }
  return now == before ? "" : fmt::format("{} has layers that the run did not have", file);
}

std::optional<RunChoices> kept_choices(const std::optional<Checkpoint>& start) {
  if (!start || !start->run.is_object() || !start->run.contains(kChoices)) return std::nullopt;
  const Json& kept = start->run.at(kChoices);
  return RunChoices{.training = choices_from_json(json_field(kept, "training").dump(), "the checkpoint"),
                    .evaluation = choices_from_json(json_field(kept, "evaluation").dump(), "the checkpoint")};
}

void require_unaltered(const fs::path& folder, const RunChoices& now, const RunChoices& before, bool accepted,
                       const OnNote& on_note) {
  std::string text = difference("training.json", now.training, before.training);
  if (text.empty()) text = difference("evaluation.json", now.evaluation, before.evaluation);
  if (text.empty()) return;
  if (!accepted) {
    throw DataError(
        "the kernels in {} were altered since the run wrote them: {}; delete the folder and the run goes on with those "
        "it had; --accept-altered goes on with these",
        folder.string(), text);
  }
  on_note(fmt::format("the run goes on with kernels that were altered in {}: {}", folder.string(), text));
}

RunChoices choices_instead(const std::string& damage, const std::optional<Checkpoint>& start,
                           const std::optional<RunChoices>& kept, bool accepts_altered, const OnNote& on_note) {
  if (kept) {
    on_note(fmt::format("{}; kernels are taken from the checkpoint instead", damage));
    return *kept;
  }
  if (start && !accepts_altered) {
    throw DataError(
        "{}; the checkpoint, of an earlier version, does not keep them: put a copy back, or measure kernels anew with "
        "--accept-altered, which rounds otherwise",
        damage);
  }
  on_note(fmt::format("{}; kernels are measured anew", damage));
  return {};
}

}  // namespace

bool may_change(const std::string& key) { return std::ranges::find(kMayChange, key) != kMayChange.end(); }

Json kept_json(const std::vector<Setting>& list, const RunChoices& choices, const data::SourceDigest& data) {
  return {{kSettings, settings_json(list)},
          {kChoices,
           {{"training", Json::parse(choices_to_json(choices.training))},
            {"evaluation", Json::parse(choices_to_json(choices.evaluation))}}},
          {kData, {{"train", data.train}, {"test", data.test}, {"classes", data.classes}, {"hash", data.hash}}}};
}

void read_run_settings(const fs::path& folder, const std::vector<Setting>& list,
                       const std::function<bool(const std::string&)>& is_given, Altered altered,
                       const OnNote& on_note) {
  const fs::path file = folder / kResolvedFile;
  const Witnesses witnesses = find_witnesses(folder);
  TrainSettings settings;
  const std::vector<Setting> scratch = train_setting_list(settings);
  if (const auto damage = damage_of(file, scratch)) {
    set_from_witness(*damage, witnesses, list, is_given, on_note);
    return;
  }
  if (altered != Altered::not_looked_for) {
    require_unaltered(file, differences(scratch, witnesses, is_given), altered, on_note);
    if (witnesses.is_older_version) {
      on_note(
          fmt::format("checkpoints of {} are of an earlier version and keep no settings: {} was compared with {} only",
                      folder.string(), kResolvedFile, kRunFile));
    }
  }
  read_settings_file(file, list, is_given);
}

RunChoices choices_to_continue(const fs::path& folder, const std::optional<Checkpoint>& start, bool accepts_altered,
                               const OnNote& on_note) {
  const fs::path path = folder / kChoicesFolder;
  const std::optional<RunChoices> kept = kept_choices(start);
  RunChoices choices;
  try {
    choices = read_choices(path);
  } catch (const DataError& error) {
    return choices_instead(error.what(), start, kept, accepts_altered, on_note);
  }
  if (kept) require_unaltered(path, choices, *kept, accepts_altered, on_note);
  return choices;
}

void require_same_data(const data::SourceDigest& now, const std::string& name, const std::optional<Checkpoint>& start,
                       bool accepts_altered, const OnNote& on_note) {
  if (!start || !start->run.is_object() || !start->run.contains(kData)) return;
  const Json& kept = start->run.at(kData);
  data::SourceDigest before;
  read_field(kept, "train", before.train);
  read_field(kept, "test", before.test);
  read_field(kept, "classes", before.classes);
  read_field(kept, "hash", before.hash);
  const std::string text = difference(now, before);
  if (text.empty()) return;
  if (!accepts_altered) {
    throw DataError(
        "{} is not the data that the run was trained on until step {}: {}; put it back, begin a new run with --init, "
        "or go on with --accept-altered",
        name, start->step, text);
  }
  on_note(fmt::format("the run goes on with other data than before step {}: {}", start->step, text));
}

}  // namespace convoy
