// Folders: creating them, and making sure that changes of names in them survive a crash.
#pragma once

#include <filesystem>

namespace convoy {

// Creates the folder and all missing folders above it. Throws WriteError.
void make_folder(const std::filesystem::path& path);

// Writes the folder's list of names to the disk. Only then does a file that was created, renamed or deleted stay so
// after a power cut. Does nothing on file systems that cannot do it; the contents of files are safe anyway.
void sync_folder(const std::filesystem::path& path);

// The folder that contains `path`; "." for a bare name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace convoy
