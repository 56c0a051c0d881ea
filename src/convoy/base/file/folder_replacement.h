// Folders that are replaced so that one of old and new can be found at any moment, also after a crash. A folder cannot
// be renamed over another that holds files, so the old one moves out of the way first:
//
//   1. the new one is written to X.tmp     crash: X is as before; X.tmp is worth nothing
//   2. X becomes X.old                     crash: X.old is the one to read; the next writer gives it its name back
//   3. X.tmp becomes X                     crash: X is the new one; X.old is worth nothing any more
//   4. X.old is deleted
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace convoy {

// Steps 2 and 3, and syncs the names: `made` becomes `target`, and what was there becomes `old`, which does not exist
// yet and is the caller's to delete. All are on one file system, and what is in `made` has been synced where it must
// outlive a crash. Throws WriteError, and then `target` is what it was.
void replace_folder(const std::filesystem::path& made, const std::filesystem::path& target,
                    const std::filesystem::path& old);

// X.tmp: a folder being written. It is gone at the end of its scope unless it was put in place.
class NewFolder {
 public:
  // Steps 1 to 4 are for `target`, which need not exist; nothing is written yet.
  explicit NewFolder(std::filesystem::path target);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  // Where to write.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Steps 2 to 4. What is in it must have been synced. Throws WriteError, and then the old one is in place.
  void put_in_place();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

// X, or X.old when step 2 was the last one done. No value when there is neither.
[[nodiscard]] std::optional<std::filesystem::path> find_folder(const std::filesystem::path& target);

// What interrupted writers left of X is put right: X.old gets its name back or is deleted, X.tmp is deleted. Throws
// SystemError.
void tidy_folder(const std::filesystem::path& target);

// Deletes X so that half of it is never taken for X. Throws WriteError.
void delete_folder(const std::filesystem::path& target);

// The X of X, X.tmp and X.old.
[[nodiscard]] std::filesystem::path target_of(const std::filesystem::path& path);

}  // namespace convoy
