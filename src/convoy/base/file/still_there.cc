#include "convoy/base/file/still_there.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "convoy/base/error.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_missing(const fs::path& path, const char* what) {
  throw SystemError(
      fmt::format("{} was {} while the run was being written; leave the folder of a run alone until the run has ended",
                  path.string(), what));
}

// For a path that does not exist: the topmost missing folder, or the file itself.
fs::path missing_part(fs::path path) {
  std::error_code ignored;
  while (path.has_parent_path() && !fs::exists(path.parent_path(), ignored)) path = path.parent_path();
  return path;
}

struct stat look_at(const fs::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) return found;
  if (errno == ENOENT || errno == ENOTDIR) refuse_missing(missing_part(path), "deleted or moved");
  throw SystemError(fmt::format("cannot find {} again: {}", path.string(), std::strerror(errno)));
}

}  // namespace

void require_still_there(const fs::path& path, int descriptor) {
  const struct stat found = look_at(path);
  struct stat open {};
  if (fstat(descriptor, &open) != 0) return;
  if (found.st_dev != open.st_dev || found.st_ino != open.st_ino) refuse_missing(path, "replaced");
}

void require_still_there(const fs::path& path) { (void)look_at(path); }

}  // namespace convoy
