// Says how a run whose workers are gone can go on: what its folder contains, and the command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace convoy::cli {

// A sentence. `command` resumes a run if --resume and the run's folder are inserted after its first two words, the
// program and "train". The command is shown only if it will work, together with the step where it goes on.
[[nodiscard]] std::string how_to_go_on(const std::filesystem::path& folder, std::vector<std::string> command);

// How far the run in `folder` came, according to its record; empty if that cannot be read.
[[nodiscard]] std::string last_step_text(const std::filesystem::path& folder);

// What to tell the user about a run that a signal ended after `step` steps: what there is, and the command to go on.
// `newest` is the step of the newest checkpoint, if there is one.
[[nodiscard]] std::string interruption_text(const std::filesystem::path& folder, std::int64_t step,
                                            std::optional<std::int64_t> newest);

}  // namespace convoy::cli
