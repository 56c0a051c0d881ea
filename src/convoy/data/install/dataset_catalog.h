// The data sets that can be downloaded: from where, and how to recognise them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::data {

struct HashedFile {
  std::string name;
  std::string sha256;  // in hexadecimal digits; empty: not known
};

struct Dataset {
  std::string name;
  std::string description;
  std::int64_t download_bytes = 0;
  std::vector<std::string> mirrors;  // addresses of folders, ending in a slash, tried one after the other
  std::vector<HashedFile> files;     // what is downloaded: archives, or the contents themselves
  // The files of the installed data set, gzipped or not, with the hashes of what they hold unzipped. Empty for a tree
  // of images, which is recognised by `marker`, a file at its root.
  std::vector<HashedFile> contents;
  std::string marker;
};

[[nodiscard]] const std::vector<Dataset>& dataset_catalog();

// The data set that has a file with this hash among its contents; null if none is known.
[[nodiscard]] const Dataset* find_by_contents(std::string_view sha256);

// Throws UserError that suggests the nearest name.
[[nodiscard]] const Dataset& find_in_catalog(std::string_view name);

}  // namespace convoy::data
