// Copies files and folders, for data sets that are installed from local files.
#pragma once

#include <filesystem>

namespace convoy::data {

// Copies the contents of a file; refuses a symbolic link at `to`. Throws DataError when `from` cannot be read and
// WriteError with the system's reason. (The standard library's copy_file() reports a full disk as an input/output
// error.)
void copy_contents(const std::filesystem::path& from, const std::filesystem::path& to);

// The same for all files below a folder, at any depth. Links to files are copied as files; other links are skipped.
void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace convoy::data
