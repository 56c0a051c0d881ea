// Finds out by trying whether a folder can be written to, before hours of work are spent on results that cannot be
// saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace convoy {

// Whether files can be created in `folder` or, when it does not exist yet, in the nearest existing folder above it.
// Leaves no file behind.
[[nodiscard]] bool is_writable_folder(const std::filesystem::path& folder);

// What is to be written into a folder.
struct RoomNeeded {
  std::int64_t bytes = 0;               // in total, in addition to what is there already
  std::int64_t largest_file_bytes = 0;  // the size of the largest single file
  std::string what;                     // shown in the message, such as "2 checkpoints of 3 MiB"
};

// Throws UserError with the folder and the reason unless files can be created in it (as above) and there is enough
// room: on the disk, in the user's quota, and within the limit for one file (`ulimit -f`). Leaves no file behind.
void require_writable_folder(const std::filesystem::path& folder, const RoomNeeded& room);

}  // namespace convoy
