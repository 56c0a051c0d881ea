// How a run goes on whose workers are gone: what its folder holds, and the command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convoy::cli {

// A sentence. `command` goes on with a run when --resume and the run's folder follow its first two words, the program
// and "train". It is given only when it works, and says where it goes on.
[[nodiscard]] std::string how_to_go_on(const std::filesystem::path& folder, std::vector<std::string> command);

// How far the run in `folder` came, by its record; nothing where that cannot be read.
[[nodiscard]] std::string last_step_text(const std::filesystem::path& folder);

}  // namespace convoy::cli
