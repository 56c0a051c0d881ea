// Options for opening a source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace convoy::data {

// What to do about packs (pack_file.h) of image files.
enum class PackUse : std::uint8_t {
  never,       // decode the files
  if_present,  // use one from the cache if it exists and matches the files
  automatic,   // also make one if that is worthwhile
};

struct SourceOptions {
  // Named data sets are in data_dir/NAME.
  std::filesystem::path data_dir;
  // Where the system keeps data sets, each in a folder of its own name: Debian's place.
  std::filesystem::path system_dir = "/usr/share/datasets";
  // Packs and statistics are cached here; empty: nowhere.
  std::filesystem::path cache_dir;
  // Height and width in pixels; 0: the source's own: 28, 32, 64 for Tiny ImageNet, 224 for folders.
  std::int64_t image_size = 0;
  // The share of each class that is kept for testing, in [0, 1), where the data has no split of its own.
  double val_fraction = 0.2;
  // The seed for drawing that share.
  std::uint64_t seed = 0;
  // Leave out unreadable images instead of throwing.
  bool skip_corrupt = false;
  PackUse pack = PackUse::if_present;
  // How many threads read data when the source is opened and measure statistics.
  int threads = 1;
  // Receives remarks for the user, one line each: samples left out, batches missing.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
  // Reports how many images are already in the pack that is being made.
  std::function<void(std::int64_t done, std::int64_t total)> on_progress = [](std::int64_t, std::int64_t) {};
};

}  // namespace convoy::data
