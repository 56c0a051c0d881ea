// Notices that a file was deleted, moved or replaced while it was being written. The system keeps accepting bytes for a
// file that no longer has a name, and nobody can ever read them.
#pragma once

#include <filesystem>

namespace convoy {

// Throws SystemError unless `path` leads to the file or folder that is open as `descriptor`.
void require_still_there(const std::filesystem::path& path, int descriptor);

// Throws SystemError unless something exists at `path`: for files that were written and closed.
void require_still_there(const std::filesystem::path& path);

}  // namespace convoy
