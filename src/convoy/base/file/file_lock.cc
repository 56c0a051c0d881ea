#include "convoy/base/file/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace convoy {
namespace {

namespace fs = std::filesystem;

bool is_temporary_name(std::string_view name, std::string_view beginning, std::string_view ending) {
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return false;
  if (name.size() <= beginning.size() + ending.size()) return false;
  const std::string_view middle = name.substr(beginning.size(), name.size() - beginning.size() - ending.size());
  return middle.find_first_not_of("0123456789-") == std::string_view::npos;
}

}  // namespace

FileLock::FileLock(Descriptor file, Wait wait) : file_(std::move(file)) {
  if (!file_.is_open()) return;
  const int how = LOCK_EX | (wait == Wait::yes ? 0 : LOCK_NB);
  int failed = flock(file_.get(), how);
  while (failed != 0 && errno == EINTR) failed = flock(file_.get(), how);
  state_ = failed == 0 ? State::held : errno == EWOULDBLOCK ? State::taken : State::nothing;
}

FileLock::FileLock(const fs::path& path)
    : FileLock(Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW))) {}

bool FileLock::is_at(const fs::path& path) const {
  struct stat there {};
  struct stat here {};
  return lstat(path.c_str(), &there) == 0 && fstat(file_.get(), &here) == 0 && there.st_dev == here.st_dev &&
         there.st_ino == here.st_ino;
}

void remove_abandoned(const fs::path& folder, const std::string& beginning, const std::string& ending) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (!is_temporary_name(entry.path().filename().string(), beginning, ending)) continue;
    const FileLock lock(entry.path());
    // After the folder was listed and before the lock was taken, the writer may have renamed its file to the target and
    // begun another one of the same name; is_at() notices that.
    if (lock.is_held() && lock.is_at(entry.path())) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace convoy
