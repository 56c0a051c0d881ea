#include "convoy/record/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/still_there.h"

namespace convoy {

RunLock::RunLock(const std::filesystem::path& folder) {
  // The folder itself: its files are replaced now and then, and a lock would go with the old one.
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(descriptor_);
    throw UserError("{}: another process is writing this run; wait for its end or choose another folder",
                    folder.string());
  }
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

void RunLock::require_there(const std::filesystem::path& folder) const {
  descriptor_ >= 0 ? require_still_there(folder, descriptor_) : require_still_there(folder);
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace convoy
