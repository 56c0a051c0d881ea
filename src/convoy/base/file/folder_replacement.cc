#include "convoy/base/file/folder_replacement.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "convoy/base/file/folder.h"
#include "convoy/base/file/write_error.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

fs::path with_ending(fs::path path, const char* ending) { return path += ending; }
fs::path new_name(const fs::path& target) { return with_ending(target, ".tmp"); }
fs::path old_name(const fs::path& target) { return with_ending(target, ".old"); }

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw WriteError("rename", fmt::format("{} to {}", from.string(), to.filename().string()), error.message());
  }
}

void remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw WriteError("delete", path, error.message());
}

}  // namespace

void replace_folder(const fs::path& made, const fs::path& target, const fs::path& old) {
  const bool replaces = is_there(target);
  if (replaces) rename_folder(target, old);
  try {
    rename_folder(made, target);
  } catch (const WriteError&) {
    if (replaces) rename_folder(old, target);
    throw;
  }
  sync_folder(folder_of(target));
}

NewFolder::NewFolder(fs::path target) : target_(std::move(target)), path_(new_name(target_)) {}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void NewFolder::put_in_place() {
  replace_folder(path_, target_, old_name(target_));
  path_.clear();
  // An old folder that cannot be deleted does no harm; the next writer tries again.
  std::error_code ignored;
  fs::remove_all(old_name(target_), ignored);
}

std::optional<fs::path> find_folder(const fs::path& target) {
  if (is_there(target)) return target;
  if (is_there(old_name(target))) return old_name(target);
  return std::nullopt;
}

void tidy_folder(const fs::path& target) {
  if (is_there(old_name(target))) {
    if (is_there(target)) {
      remove_folder(old_name(target));
    } else {
      rename_folder(old_name(target), target);
    }
  }
  remove_folder(new_name(target));
}

void delete_folder(const fs::path& target) {
  rename_folder(target, new_name(target));
  remove_folder(new_name(target));
}

fs::path target_of(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".tmp" || ending == ".old" ? fs::path(path).replace_extension() : path;
}

}  // namespace convoy
