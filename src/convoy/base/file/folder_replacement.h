// Replaces a folder so that at any moment, even after a crash, either the old or the new one can be found. A folder
// cannot be renamed over another that contains files, so the old one is moved away first:
//
//   1. the new one is written to X.tmp     after a crash: X is as before; X.tmp is useless
//   2. X becomes X.old                     after a crash: X.old is valid; the next writer renames it back to X
//   3. X.tmp becomes X                     after a crash: X is the new one; X.old is useless
//   4. X.old is deleted
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace convoy {

// Does steps 2 and 3 and syncs the names: `made` becomes `target`, and what was at `target` becomes `old`, which must
// not exist before and which the caller deletes. All three are on one file system. Files in `made` that must survive a
// crash have been synced before. Throws WriteError, and then `target` is unchanged.
void replace_folder(const std::filesystem::path& made, const std::filesystem::path& target,
                    const std::filesystem::path& old);

// X.tmp: a folder being written. It is deleted at the end of its scope unless put_in_place() was called.
class NewFolder {
 public:
  // `target` is X, which need not exist. Writes nothing yet.
  explicit NewFolder(std::filesystem::path target);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  // X.tmp, the folder to write to.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Does steps 2 to 4. The files in X.tmp must have been synced. Throws WriteError, and then the old folder is in
  // place.
  void put_in_place();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

// X, or X.old when a writer stopped after step 2. No value when neither exists.
[[nodiscard]] std::optional<std::filesystem::path> find_folder(const std::filesystem::path& target);

// Cleans up after interrupted writers: X.old is renamed back to X or deleted, X.tmp is deleted. Throws SystemError.
void tidy_folder(const std::filesystem::path& target);

// Deletes X in such a way that a half-deleted folder is never mistaken for X. Throws WriteError.
void delete_folder(const std::filesystem::path& target);

// X, given any of X, X.tmp and X.old.
[[nodiscard]] std::filesystem::path target_of(const std::filesystem::path& path);

}  // namespace convoy
