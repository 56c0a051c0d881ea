// How a source is opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace convoy::data {

// What to do about packs (pack_file.h) of image files.
enum class PackUse : std::uint8_t {
  never,       // decode the files
  if_present,  // use one in the cache when it is there and fits the files
  automatic,   // and make one when it pays
};

struct SourceOptions {
  // Named data sets are in data_dir/NAME.
  std::filesystem::path data_dir;
  // Where the system keeps data sets, each in a folder of its name: Debian's place.
  std::filesystem::path system_dir = "/usr/share/datasets";
  // Packs and statistics are remembered here; empty for nowhere.
  std::filesystem::path cache_dir;
  // Height and width in pixels; 0 for the source's own: 28, 32, 64 for Tiny ImageNet, 224 for folders.
  std::int64_t image_size = 0;
  // The share of each class that is kept for testing, in [0, 1), where the data has no split of its own.
  double val_fraction = 0.2;
  // Of that split.
  std::uint64_t seed = 0;
  // Leaves unreadable images out, instead of throwing.
  bool skip_corrupt = false;
  PackUse pack = PackUse::if_present;
  // For what is read at opening, and for statistics.
  int threads = 1;
  // Gets remarks that a user should see, one line each: samples left out, batches missing.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
  // How many images of how many are in the pack that is being made.
  std::function<void(std::int64_t done, std::int64_t total)> on_progress = [](std::int64_t, std::int64_t) {};
};

}  // namespace convoy::data
