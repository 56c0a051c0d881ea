// How a run goes on whose workers are gone: what its folder holds, and the command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace convoy::cli {

// A sentence. `command` goes on with a run when --resume and the run's folder follow its first two words, the program
// and "train". It is given only when it works, and says where it goes on.
[[nodiscard]] std::string how_to_go_on(const std::filesystem::path& folder, std::vector<std::string> command);

// How far the run in `folder` came, by its record; nothing where that cannot be read.
[[nodiscard]] std::string last_step_text(const std::filesystem::path& folder);

// What to tell the user of a run that a signal ended after `step` steps: what there is, and the command that goes on.
// `newest` is the step of the newest checkpoint, if there is one.
[[nodiscard]] std::string interruption_text(const std::filesystem::path& folder, std::int64_t step,
                                            std::optional<std::int64_t> newest);

}  // namespace convoy::cli
