#include "convoy/base/file/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace convoy {

namespace fs = std::filesystem;

Claim::Claim(const fs::path& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)) {
  held_ = descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
}

Claim::~Claim() {
  if (descriptor_ >= 0) (void)close(descriptor_);
}

void remove_abandoned(const fs::path& folder, const std::string& beginning, const std::string& ending) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning) || !name.ends_with(ending)) continue;
    if (const Claim claim(entry.path()); claim.is_held()) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace convoy
