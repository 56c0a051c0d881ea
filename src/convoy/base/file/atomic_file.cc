#include "convoy/base/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/sync_folder.h"
#include "convoy/base/reason_text.h"

namespace convoy {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* what) {
  const int reason = errno;
  throw SystemError(fmt::format("cannot {} {}: {}", what, path.string(), reason_text(reason)));
}

// A temporary file that is gone at the end of its scope unless it was renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    // open and not mkstemp, whose files nobody else may read. A name that is taken belongs to another writer.
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      name_ = fmt::format("{}.{}-{}.tmp", target.string(), getpid(), attempt);
      descriptor_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) {
        name_.clear();
        refuse(target_, "create a file beside");
      }
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
    if (!name_.empty()) {
      unlink(name_.c_str());
    }
  }

  void write(std::string_view contents) const {
    while (!contents.empty()) {
      const ssize_t written = ::write(descriptor_, contents.data(), contents.size());
      if (written < 0 && errno != EINTR) {
        refuse(target_, "write");
      }
      contents.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
  }

  void move_into_place() {
    if (fsync(descriptor_) != 0) {
      refuse(target_, "sync");
    }
    if (std::rename(name_.c_str(), target_.c_str()) != 0) {
      refuse(target_, "replace");
    }
    name_.clear();
  }

 private:
  const std::filesystem::path& target_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  TemporaryFile file(path);
  file.write(contents);
  file.move_into_place();
  sync_folder(folder_of(path));
}

}  // namespace convoy
