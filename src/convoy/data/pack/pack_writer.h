// Makes packs (pack_file.h) from sources.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

// A pack could not be stored: the disk is full, or the folder is read-only.
class StorageError : public DataError {
 public:
  using DataError::DataError;
};

struct PackOptions {
  std::uint64_t fingerprint = 0;  // of the source's files
  bool skip_corrupt = false;      // leave out images that cannot be read, instead of throwing
  int threads = 1;
  std::function<void(std::int64_t done, std::int64_t total)> on_progress = [](std::int64_t, std::int64_t) {};
};

struct PackResult {
  std::uint64_t file_bytes = 0;
  std::int64_t samples = 0;
  std::vector<std::string> skipped;  // the reason for each image that was left out
};

// Reads every image of `source` once and writes them to `path`, whose folder is created if missing. The file appears
// complete or not at all. Throws DataError when an image cannot be read, StorageError when the pack cannot be written.
PackResult write_pack(const std::filesystem::path& path, const Source& source, const PackOptions& options);

}  // namespace convoy::data
