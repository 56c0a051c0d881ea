#include "convoy/data/install/copy_tree.h"

#include <span>

#include "convoy/base/file/mapped_file.h"
#include "convoy/base/file/output_file.h"

namespace convoy::data {

namespace fs = std::filesystem;

void copy_contents(const fs::path& from, const fs::path& to) {
  const MappedFile source(from);
  OutputFile target(to, OutputFile::Start::fresh_no_link);
  target.write_at(0, std::as_bytes(source.bytes()));
  target.close();
}

void copy_tree(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / entry.path().lexically_relative(from);
    if (entry.is_directory() && !entry.is_symlink()) {
      fs::create_directories(target);
    } else if (entry.is_regular_file()) {
      copy_contents(entry.path(), target);
    }
  }
}

}  // namespace convoy::data
