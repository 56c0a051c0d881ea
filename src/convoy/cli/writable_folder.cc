#include "convoy/cli/writable_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace convoy::cli {

bool is_writable_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path nearest = std::filesystem::absolute(folder, error);
  while (!std::filesystem::exists(nearest, error) && nearest != nearest.parent_path()) {
    nearest = nearest.parent_path();
  }
  // Not access(), which tells root that everything is writable.
  std::string name = (nearest / ".convoy-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) {
    return false;
  }
  close(descriptor);
  unlink(name.c_str());
  return true;
}

}  // namespace convoy::cli
