// Installs a data set in the data folder: downloads it from its mirrors or takes it from local files, and checks it. It
// is installed completely or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "convoy/data/install/dataset_catalog.h"
#include "convoy/data/install/install_steps.h"

namespace convoy::data {

struct InstallOptions {
  std::filesystem::path data_dir;
  // An archive, or a folder that contains the archives or files of the data set; empty: download it.
  std::filesystem::path from;
  // Used instead of the catalogue's mirrors, for sites that have their own copies.
  std::vector<std::string> mirrors;
  // Called when no mirror answers: puts the data set, or an archive of it, into the given empty folder and returns
  // true, or returns false when it cannot.
  std::function<bool(const std::filesystem::path& folder)> fallback;
  bool skip_corrupt = false;  // install data even if samples are unreadable
  int threads = 1;            // how many threads check images
  // Reports how far the download of a file is.
  std::function<void(const std::string& file, std::int64_t done, std::int64_t total)> on_progress =
      [](const std::string&, std::int64_t, std::int64_t) {};
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

// Installs to data_dir/NAME, replacing what is there, and returns that folder. The next call continues interrupted
// downloads. Throws DataError when the data is not available, has another checksum or is corrupt, or when the disk is
// full; data_dir/NAME is then unchanged.
std::filesystem::path install_dataset(const Dataset& dataset, const InstallOptions& options);

}  // namespace convoy::data
