// The data sets that can be downloaded: from where, and how to recognise them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::data {

struct RemoteFile {
  std::string name;  // appended to the mirror's address
  std::string sha256;
};

struct Dataset {
  std::string name;
  std::string description;
  std::int64_t download_bytes = 0;
  std::vector<std::string> mirrors;  // addresses of folders, ending in a slash, tried one after the other
  std::vector<RemoteFile> files;     // what is downloaded: archives, or the contents themselves
  // The files of the installed data set, gzipped or not. Empty for a tree of images, which is recognised by `marker`, a
  // file at its root.
  std::vector<std::string> contents;
  std::string marker;
};

[[nodiscard]] const std::vector<Dataset>& dataset_catalog();

// Throws UserError that suggests the nearest name.
[[nodiscard]] const Dataset& find_in_catalog(std::string_view name);

}  // namespace convoy::data
