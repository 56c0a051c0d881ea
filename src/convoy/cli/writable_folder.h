// Asks whether a folder can be written, by trying.
#pragma once

#include <filesystem>

namespace convoy::cli {

// Whether files can be made in `folder` or, when it does not exist yet, in the nearest folder above that does. Leaves
// nothing behind.
[[nodiscard]] bool is_writable_folder(const std::filesystem::path& folder);

}  // namespace convoy::cli
