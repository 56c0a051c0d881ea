// Files that are there whole or not at all: a reader, or a run after a crash, never sees half of one.
#pragma once

#include <filesystem>
#include <string_view>

namespace convoy {

// Replaces the file at `path` by `contents`: writes a temporary file beside it, syncs it to the disk and renames it.
// Throws SystemError with the path and the reason, leaving the old file as it was and no temporary behind. Two writers
// at once are safe; one of them wins.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace convoy
