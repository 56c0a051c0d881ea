// Unpacks archives: tar and zip, however compressed.
#pragma once

#include <filesystem>

namespace convoy::data {

// Writes the files of `archive` below `folder`, which exists. Entries that are neither files nor folders are passed
// over. Throws DataError with the archive's name when it is no archive, is corrupt, would write outside of the folder,
// or the disk is full.
void extract_archive(const std::filesystem::path& archive, const std::filesystem::path& folder);

// Whether the file's name ends as archives' do: .tar, .tar.gz, .tgz, .zip and the like.
[[nodiscard]] bool has_archive_ending(const std::filesystem::path& path);

}  // namespace convoy::data
