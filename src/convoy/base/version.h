// What this build of Convoy is: printed by `convoy --version` and kept in every record.
#pragma once

#include <string>

namespace convoy {

struct BuildInfo {
  std::string version;     // "0.1.0"
  std::string git_id;      // abbreviated commit, "-dirty" when files differed from it; "unknown" outside git
  std::string build_type;  // "Release", "Debug", "RelWithDebInfo+address,undefined"
  std::string compiler;    // "GNU 12.2.0"
};

[[nodiscard]] BuildInfo build_info();

}  // namespace convoy
