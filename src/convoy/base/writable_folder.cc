#include "convoy/base/writable_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "convoy/base/error.h"
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

// A file without content that is gone at the end of its scope.
class TrialFile {
 public:
  // Not access(), which tells root that everything is writable.
  explicit TrialFile(const fs::path& folder)
      : name_((folder / ".convoy-XXXXXX").string()), descriptor_(mkstemp(name_.data())), reason_(errno) {}
  TrialFile(const TrialFile&) = delete;
  TrialFile& operator=(const TrialFile&) = delete;
  ~TrialFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
      unlink(name_.c_str());
    }
  }

  [[nodiscard]] bool exists() const { return descriptor_ >= 0; }
  [[nodiscard]] int reason() const { return reason_; }  // why it does not exist

  // Asks for the space itself where the file system can promise it: quotas are not seen in what is free on the disk.
  [[nodiscard]] bool can_grow_to(std::int64_t bytes) const {
    return bytes <= 0 || fallocate(descriptor_, 0, 0, bytes) == 0 ||
           (errno != ENOSPC && errno != EDQUOT && errno != EFBIG);
  }

 private:
  std::string name_;
  int descriptor_;
  int reason_;
};

bool has_room(const fs::path& folder, const TrialFile& trial, std::int64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (!error && static_cast<std::int64_t>(space.available) < bytes) {
    return false;
  }
  return trial.can_grow_to(bytes);
}

}  // namespace

bool is_writable_folder(const fs::path& folder) { return TrialFile(nearest_existing(folder)).exists(); }

void require_writable_folder(const fs::path& folder, std::int64_t bytes) {
  const fs::path nearest = nearest_existing(folder);
  const TrialFile trial(nearest);
  if (!trial.exists()) {
    throw UserError("cannot write to the folder {}: {}: {}; choose another one", folder.string(), nearest.string(),
                    std::strerror(trial.reason()));
  }
  if (!has_room(nearest, trial, bytes)) {
    throw UserError("the folder {} has no room for another {}: free some or choose another one", folder.string(),
                    bytes_text(static_cast<double>(bytes)));
  }
}

}  // namespace convoy
