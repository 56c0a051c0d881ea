#include "convoy/base/file/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/still_there.h"
#include "convoy/base/reason_text.h"

namespace convoy {

OutputFile::OutputFile(std::filesystem::path path, Start start) : path_(std::move(path)) {
  const int flags = start == Start::fresh ? O_TRUNC : O_APPEND;
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) refuse("create");
  size_ = lseek(descriptor_, 0, SEEK_END);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  const auto total = static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      const int reason = errno;
      // Half a line in the middle of a file would make all of it unreadable.
      (void)ftruncate(descriptor_, size_);
      errno = reason;
      refuse("write");
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
  size_ += total;
  require_there();
}

void OutputFile::sync() {
  if (fdatasync(descriptor_) != 0) refuse("sync");
}

void OutputFile::require_there() const { require_still_there(path_, descriptor_); }

void OutputFile::refuse(const char* what) const {
  const int reason = errno;
  throw SystemError(fmt::format("cannot {} {}: {}", what, path_.string(), reason_text(reason)));
}

}  // namespace convoy
