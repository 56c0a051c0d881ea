#include "convoy/record/run_lock.h"

#include <fcntl.h>

#include "convoy/base/error.h"
#include "convoy/base/file/still_there.h"

namespace convoy {

RunLock::RunLock(const std::filesystem::path& folder)
    // Locks the folder and not a file in it: files are replaced now and then, and the lock would stay with the old one.
    : lock_(Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))) {
  if (!lock_.is_taken()) return;
  throw UserError("{}: another process is writing this run; wait for its end or choose another folder",
                  folder.string());
}

void RunLock::require_there(const std::filesystem::path& folder) const {
  const Descriptor& open = lock_.descriptor();
  open.is_open() ? require_still_there(folder, open.get()) : require_still_there(folder);
}

}  // namespace convoy
