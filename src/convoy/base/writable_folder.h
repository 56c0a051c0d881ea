// Asks whether a folder can be written, by trying: before hours of work are spent on what cannot be kept.
#pragma once

#include <cstdint>
#include <filesystem>

namespace convoy {

// Whether files can be made in `folder` or, when it does not exist yet, in the nearest folder above that does. Leaves
// nothing behind.
[[nodiscard]] bool is_writable_folder(const std::filesystem::path& folder);

// Throws UserError with the folder and the reason unless files can be made in it (as above) and the disk, or the user's
// share of it, has room for that many bytes more. Leaves nothing behind.
void require_writable_folder(const std::filesystem::path& folder, std::int64_t bytes);

}  // namespace convoy
