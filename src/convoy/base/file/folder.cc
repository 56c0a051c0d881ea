#include "convoy/base/file/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "convoy/base/file/descriptor.h"
#include "convoy/base/file/write_error.h"

namespace convoy {

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw WriteError("make the folder", path, error.message());
}

void sync_folder(const std::filesystem::path& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) (void)fsync(folder.get());
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace convoy
