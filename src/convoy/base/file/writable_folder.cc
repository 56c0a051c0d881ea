#include "convoy/base/file/writable_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/file/descriptor.h"
#include "convoy/base/number_text.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

fs::path nearest_existing(const fs::path& folder) {
  std::error_code error;
  fs::path nearest = fs::absolute(folder, error);
  while (!fs::exists(nearest, error) && nearest != nearest.parent_path()) {
    nearest = nearest.parent_path();
  }
  return nearest;
}

// An empty file that is deleted at the end of its scope.
class TrialFile {
 public:
  // Creates a file rather than asking access(), which tells root that everything is writable.
  explicit TrialFile(const fs::path& folder)
      : name_((folder / ".convoy-XXXXXX").string()), file_(mkstemp(name_.data())), reason_(errno) {}
  TrialFile(const TrialFile&) = delete;
  TrialFile& operator=(const TrialFile&) = delete;
  ~TrialFile() {
    if (file_.is_open()) unlink(name_.c_str());
  }

  [[nodiscard]] bool exists() const { return file_.is_open(); }
  [[nodiscard]] int reason() const { return reason_; }  // why it does not exist

  // Tries to reserve the space, where the file system supports that: the free space of a disk does not show the user's
  // quota. Nothing is reserved in a file system that lives in memory: it would take real memory, and there are no
  // quotas.
  [[nodiscard]] bool can_grow_to(std::int64_t bytes) const {
    return is_in_memory() || bytes <= 0 || fallocate(file_.get(), 0, 0, bytes) == 0 ||
           (errno != ENOSPC && errno != EDQUOT && errno != EFBIG);
  }

 private:
  [[nodiscard]] bool is_in_memory() const {
    struct statfs system {};
    return fstatfs(file_.get(), &system) == 0 && system.f_type == TMPFS_MAGIC;
  }

  std::string name_;
  Descriptor file_;
  int reason_;
};

// The largest size that this process may give a file (`ulimit -f`).
std::int64_t file_limit_bytes() {
  rlimit limit{};
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMost;
  return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, kMost));
}

std::int64_t free_bytes(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return error ? kMost : static_cast<std::int64_t>(std::min<std::uintmax_t>(space.available, kMost));
}

std::string text_of(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

void require_file_size(const fs::path& folder, const RoomNeeded& room) {
  if (room.largest_file_bytes <= file_limit_bytes()) return;
  throw UserError("the folder {} is to hold a file of {}, and no file may be larger than {} here: raise `ulimit -f`",
                  folder.string(), text_of(room.largest_file_bytes), text_of(file_limit_bytes()));
}

std::string need_text(const RoomNeeded& room) {
  return room.what.empty() ? text_of(room.bytes) : fmt::format("{} ({})", text_of(room.bytes), room.what);
}

}  // namespace

bool is_writable_folder(const fs::path& folder) { return TrialFile(nearest_existing(folder)).exists(); }

void require_writable_folder(const fs::path& folder, const RoomNeeded& room) {
  const fs::path nearest = nearest_existing(folder);
  const TrialFile trial(nearest);
  if (!trial.exists()) {
    throw UserError("cannot write to the folder {}: {}: {}; choose another one", folder.string(), nearest.string(),
                    std::strerror(trial.reason()));
  }
  require_file_size(folder, room);
  if (free_bytes(nearest) < room.bytes) {
    throw UserError("the folder {} has no room for another {}: {} are free; free some or choose another one",
                    folder.string(), need_text(room), text_of(free_bytes(nearest)));
  }
  if (!trial.can_grow_to(std::min(room.bytes, file_limit_bytes()))) {
    throw UserError(
        "the folder {} has no room for another {} within your share of the disk: free some or choose another one",
        folder.string(), need_text(room));
  }
}

}  // namespace convoy
