#include "convoy/base/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/write_error.h"

namespace convoy {

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  // Renaming a file over a device, a pipe or a socket would take it away from everybody else.
  std::error_code unknown;
  if (std::filesystem::is_other(std::filesystem::status(target_, unknown))) {
    throw UserError("cannot write {}: it is a device, a pipe or a socket; name a file", target_.string());
  }
  remove_abandoned(folder_of(target_), target_.filename().string() + ".", ".tmp");
  create();
  // Another writer that cleans up may remove the file before it is locked; then a new one is made. The number of
  // attempts is limited because on some file systems is_at() never recognises the file.
  constexpr int kMostOften = 10;
  for (int again = 0; again < kMostOften && !file_.is_at(temporary_); ++again) create();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::create() {
  for (int attempt = 0;; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}.tmp", target_.string(), getpid(), attempt);
    // Uses open() rather than mkstemp(), which would create a file that only its owner can read. A name that exists
    // belongs to another writer.
    Descriptor file(open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.is_open()) {
      file_ = FileLock(std::move(file), FileLock::Wait::yes);
      return;
    }
    if (errno == EEXIST) continue;
    const int reason = errno;
    temporary_.clear();
    throw WriteError("create a file beside", target_, reason);
  }
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  overwrite(size_bytes_, bytes);
  size_bytes_ += bytes.size();
}

void AtomicFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!write_fully(file_.descriptor(), offset, bytes)) refuse("write");
}

void AtomicFile::commit() {
  if (fsync(file_.descriptor().get()) != 0) refuse("sync");
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) refuse("replace");
  temporary_.clear();
  sync_folder(folder_of(target_));
}

void AtomicFile::refuse(const char* action) const { throw WriteError(action, target_, errno); }

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  AtomicFile file(path);
  file.append(std::as_bytes(std::span(contents)));
  file.commit();
}

}  // namespace convoy
