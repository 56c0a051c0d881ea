#include "convoy/data/install/install_steps.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/output_file.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

class ArchiveReader {
 public:
  explicit ArchiveReader(const fs::path& path) : path_(path), archive_(archive_read_new()) {
    if (!archive_) throw std::bad_alloc();
    archive_read_support_filter_all(archive_.get());
    archive_read_support_format_tar(archive_.get());
    archive_read_support_format_zip(archive_.get());
    constexpr std::size_t kBlockBytes = 1 << 16;
    if (archive_read_open_filename(archive_.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK) fail();
  }

  // Null at the end.
  archive_entry* next() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result < ARCHIVE_WARN) fail();
    return entry;
  }

  void write_entry(const fs::path& target) {
    fs::create_directories(target.parent_path());
    OutputFile file(target, OutputFile::Start::fresh_no_link);
    const void* bytes = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int result = ARCHIVE_OK;
    while ((result = archive_read_data_block(archive_.get(), &bytes, &size, &offset)) == ARCHIVE_OK) {
      file.write_at(static_cast<std::uint64_t>(offset), {static_cast<const std::byte*>(bytes), size});
    }
    if (result != ARCHIVE_EOF) fail();
    file.close();
  }

 private:
  [[noreturn]] void fail() const {
    const char* const reason = archive_error_string(archive_.get());
    throw DataError("{}: cannot be unpacked: {}", path_.string(), reason == nullptr ? "it is corrupt" : reason);
  }

  struct Free {
    void operator()(archive* reader) const { archive_read_free(reader); }
  };
  fs::path path_;
  std::unique_ptr<archive, Free> archive_;
};

// Refuses entries such as ../../.bashrc, which would be written outside the folder.
fs::path safe_target(const fs::path& folder, const fs::path& entry, const fs::path& archive) {
  const bool climbs = std::any_of(entry.begin(), entry.end(), [](const fs::path& part) { return part == ".."; });
  if (entry.is_absolute() || climbs) {
    throw DataError("{}: its entry '{}' would be written outside of the data folder", archive.string(), entry.string());
  }
  return folder / entry;
}

}  // namespace

void extract_archive(const fs::path& archive, const fs::path& folder) {
  ArchiveReader reader(archive);
  while (archive_entry* const entry = reader.next()) {
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr) {
      continue;
    }
    reader.write_entry(safe_target(folder, name, archive));
  }
}

bool has_archive_ending(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::array kEndings{".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar.zst", ".zip"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace convoy::data
