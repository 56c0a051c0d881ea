// Notices that a file was deleted, moved or replaced while it was being written. The system goes on taking bytes for a
// file that has lost its name, and nobody can ever read them.
#pragma once

#include <filesystem>

namespace convoy {

// Throws SystemError with the path unless it leads to the file or folder that is open as `descriptor`.
void require_still_there(const std::filesystem::path& path, int descriptor);

// Throws SystemError with the path unless something is there: for what was written and closed.
void require_still_there(const std::filesystem::path& path);

}  // namespace convoy
