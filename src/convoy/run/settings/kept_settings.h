// Settings and kernels of a run, as its folder has them in resolved.toml and choices/ for people and for repetitions,
// and as its checkpoints keep them under their hash. What was damaged is taken from there, what was altered is found.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "convoy/checkpoint/checkpoint.h"
#include "convoy/run/remarks.h"
#include "convoy/run/settings/setting.h"
#include "convoy/train/run_choices.h"

namespace convoy {

// In a run's folder: the settings that repeat it, and the kernels it computes with.
inline constexpr const char* kResolvedFile = "resolved.toml";
inline constexpr const char* kChoicesFolder = "choices";

// Whether a setting may change when a run goes on: where it ends, and what has no influence on its numbers or is
// changed at one's own risk.
[[nodiscard]] bool may_change(const std::string& key);

// What a checkpoint keeps (Checkpoint::run).
[[nodiscard]] nlohmann::ordered_json kept_json(const std::vector<Setting>& list, const RunChoices& choices);

// What to do about settings that are not those of the last checkpoint.
enum class Altered : std::uint8_t { refused, accepted, not_looked_for };

// Sets `list` to the settings of the run in `folder`, but for keys that `is_given`: those are meant. A resolved.toml
// that cannot be read is made up for from the newest checkpoint, or run.json, with a note. Throws DataError when
// nothing helps, and for values that were altered, naming each with what it was.
void read_run_settings(const std::filesystem::path& folder, const std::vector<Setting>& list,
                       const std::function<bool(const std::string&)>& is_given, Altered altered, const OnNote& on_note);

// The kernels of a run that goes on from `start`. Those that cannot be read are made up for from it, with a note; with
// none there is nothing yet that others would not fit, and the empty choices mean measuring. Throws DataError when
// nothing helps, and for kernels that were altered, unless that is accepted.
[[nodiscard]] RunChoices choices_to_continue(const std::filesystem::path& folder,
                                             const std::optional<Checkpoint>& start, bool accepts_altered,
                                             const OnNote& on_note);

}  // namespace convoy
