// Folders: making them, and making the names in them durable.
#pragma once

#include <filesystem>

namespace convoy {

// Makes the folder, and those above it, where they are not there. Throws WriteError.
void make_folder(const std::filesystem::path& path);

// Syncs the folder at `path` to the disk: a file that was made, renamed or removed is so after a power cut only then.
// Does nothing on file systems that cannot: what is in the files is safe anyway.
void sync_folder(const std::filesystem::path& path);

// The folder that holds `path`: "." for a bare name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace convoy
