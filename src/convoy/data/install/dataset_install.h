// Puts a data set into the data folder: fetched from its mirrors or taken from files at hand, checked, and there whole
// or not at all.
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
  // An archive, a file of the data set, or a folder that has them; empty to fetch.
  std::filesystem::path from;
  // Instead of the catalogue's mirrors; for sites that keep copies of their own.
  std::vector<std::string> mirrors;
  // Asked when no mirror answers: puts the data set, or an archive of it, into the given empty folder and returns true,
  // or false when it cannot.
  std::function<bool(const std::filesystem::path& folder)> fallback;
  bool skip_corrupt = false;  // installs data with unreadable samples too
  int threads = 1;            // for checking images
  // What is going on with which file.
  std::function<void(const std::string& file, std::int64_t done, std::int64_t total)> on_progress =
      [](const std::string&, std::int64_t, std::int64_t) {};
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

// Installs to data_dir/NAME, replacing what is there, and returns that folder. Downloads that were broken off are gone
// on with at the next call. Throws DataError when the data cannot be had, has another checksum, is corrupt, or the disk
// is full; data_dir/NAME is then as it was before.
std::filesystem::path install_dataset(const Dataset& dataset, const InstallOptions& options);

}  // namespace convoy::data
