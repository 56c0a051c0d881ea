// Makes names durable: a file that was made, renamed or removed is so after a power cut only when its folder was
// synced.
#pragma once

#include <filesystem>

namespace convoy {

// Syncs the folder at `path` to the disk. Does nothing on file systems that cannot: what is in the files is safe
// anyway.
void sync_folder(const std::filesystem::path& path);

// The folder that holds `path`: "." for a bare name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace convoy
