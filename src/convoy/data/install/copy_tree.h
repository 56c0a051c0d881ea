// Copies files and folders, for data sets that are taken from files at hand.
#pragma once

#include <filesystem>

namespace convoy::data {

// Copies the contents of a file, not through a symbolic link at `to`. Throws WriteError with the system's reason, where
// the standard library's copy_file() calls a full disk an input/output error, and DataError when `from` cannot be read.
void copy_contents(const std::filesystem::path& from, const std::filesystem::path& to);

// The same for all files below a folder, at any depth. Links to files are copied as files; others are passed over.
void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace convoy::data
