// The settings and kernels of a run. Its folder has them in resolved.toml and choices/, for people and for repeating
// the run; its checkpoints keep them too, protected by a hash. Damaged files are replaced from there, and altered ones
// are noticed. So is data that is not what it was.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "convoy/checkpoint/checkpoint.h"
#include "convoy/data/source/source_digest.h"
#include "convoy/run/remarks.h"
#include "convoy/run/settings/setting.h"
#include "convoy/train/run_choices.h"

namespace convoy {

// In a run's folder: the settings that repeat the run, and the kernels it uses.
inline constexpr const char* kResolvedFile = "resolved.toml";
inline constexpr const char* kChoicesFolder = "choices";

// Whether a setting may change when a run goes on: those that say where it ends, that do not influence its numbers, or
// that are changed at one's own risk.
[[nodiscard]] bool may_change(const std::string& key);

// The part of a checkpoint that keeps settings, kernels and what the data is known by (Checkpoint::run).
[[nodiscard]] nlohmann::ordered_json kept_json(const std::vector<Setting>& list, const RunChoices& choices,
                                               const data::SourceDigest& data);

// What to do about settings that differ from those of the last checkpoint.
enum class Altered : std::uint8_t { refused, accepted, not_looked_for };

// Sets `list` to the settings of the run in `folder`, except keys that `is_given`, which the user wants to change. If
// resolved.toml cannot be read, the newest checkpoint or run.json is used instead, with a note. Throws DataError when
// none of them can be read, and for altered values, naming each with its old value.
void read_run_settings(const std::filesystem::path& folder, const std::vector<Setting>& list,
                       const std::function<bool(const std::string&)>& is_given, Altered altered, const OnNote& on_note);

// The kernels of a run that goes on from `start`. If the files cannot be read, those kept in `start` are used, with a
// note. Without `start` any kernels will do, and empty choices mean that they are measured. Throws DataError when the
// kernels are lost, and for altered kernels unless that is accepted.
[[nodiscard]] RunChoices choices_to_continue(const std::filesystem::path& folder,
                                             const std::optional<Checkpoint>& start, bool accepts_altered,
                                             const OnNote& on_note);

// Throws DataError when a run that goes on from `start` would go on with other data, unless that is accepted.
// Checkpoints of earlier versions do not tell.
void require_same_data(const data::SourceDigest& now, const std::string& name, const std::optional<Checkpoint>& start,
                       bool accepts_altered, const OnNote& on_note);

}  // namespace convoy
