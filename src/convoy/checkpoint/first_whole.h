// The first of several checkpoints that is whole, with notes about those that are not.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/error.h"

namespace convoy {

// What `read` makes of the first folder for which it does not throw DataError. Throws DataError, with what is wrong
// with the first, when there is none; `folders` is not empty.
template <typename Read>
auto read_first_whole(std::span<const std::filesystem::path> folders, Read read,
                      const std::function<void(const std::string&)>& on_note) {
  std::vector<std::string> damages;
  for (const std::filesystem::path& folder : folders) {
    try {
      auto result = read(folder);
      for (const std::string& damage : damages) {
        on_note(fmt::format("a checkpoint is damaged, so {} is used instead ({})", folder.string(), damage));
      }
      return result;
    } catch (const DataError& error) {
      damages.emplace_back(error.what());
    }
  }
  throw DataError("none of {} checkpoints can be read; the first: {}", damages.size(), damages.at(0));
}

}  // namespace convoy
