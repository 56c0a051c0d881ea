// Asks whether a folder can be written, by trying: before hours of work are spent on what cannot be kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace convoy {

// Whether files can be made in `folder` or, when it does not exist yet, in the nearest folder above that does. Leaves
// nothing behind.
[[nodiscard]] bool is_writable_folder(const std::filesystem::path& folder);

// What is to be written into a folder.
struct RoomNeeded {
  std::int64_t bytes = 0;               // in all, beside what is there
  std::int64_t largest_file_bytes = 0;  // of one file
  std::string what;                     // "2 checkpoints of 3 MiB"; for the message
};

// Throws UserError with the folder and the reason unless files can be made in it (as above) and there is room: on the
// disk, in the user's share of it, and within the limit for one file (`ulimit -f`). Leaves nothing behind.
void require_writable_folder(const std::filesystem::path& folder, const RoomNeeded& room);

}  // namespace convoy
