#include "convoy/base/file/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "convoy/base/file/still_there.h"
#include "convoy/base/file/write_error.h"

namespace convoy {
namespace {

int flags_of(OutputFile::Start start) {
  switch (start) {
    case OutputFile::Start::fresh:
      return O_TRUNC;
    case OutputFile::Start::fresh_no_link:
      return O_TRUNC | O_NOFOLLOW;
    case OutputFile::Start::at_end:
      return 0;
  }
  return 0;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path, Start start)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags_of(start), 0666)) {
  if (!descriptor_.is_open()) refuse("create");
  size_ = static_cast<std::uint64_t>(std::max<off_t>(lseek(descriptor_.get(), 0, SEEK_END), 0));
}

void OutputFile::write(std::string_view bytes) {
  if (!write_fully(descriptor_, size_, std::as_bytes(std::span(bytes)))) {
    const int reason = errno;
    // Cuts off the part of the line that was written: half a line in the middle would make the whole file unreadable.
    (void)ftruncate(descriptor_.get(), static_cast<off_t>(size_));
    errno = reason;
    refuse("write");
  }
  size_ += bytes.size();
  require_there();
}

void OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!write_fully(descriptor_, offset, bytes)) refuse("write");
  size_ = std::max(size_, offset + bytes.size());
}

void OutputFile::sync() {
  if (fdatasync(descriptor_.get()) != 0) refuse("sync");
}

void OutputFile::close() {
  if (!descriptor_.close()) refuse("write");
}

void OutputFile::require_there() const { require_still_there(path_, descriptor_.get()); }

void OutputFile::refuse(const char* action) const { throw WriteError(action, path_, errno); }

}  // namespace convoy
