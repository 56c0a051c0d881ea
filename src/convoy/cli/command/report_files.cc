#include "convoy/cli/command/report_files.h"

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// The mark is near the beginning of the file.
bool has_mark(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string beginning(2048, '\0');
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(stream.gcount()));
  return beginning.find(report::kGeneratorMark) != std::string::npos;
}

std::set<std::string> written_names(const fs::path& folder) {
  std::ifstream stream(folder / kWrittenNames);
  std::set<std::string> names;
  for (std::string name; std::getline(stream, name);) names.insert(name);
  return names;
}

void write_one(const fs::path& file, const std::string& content) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  write_file_atomically(file, content);
}

bool is_marked(const report::NamedFile& file) { return file.content.find(report::kGeneratorMark) != std::string::npos; }

// Called before the files are written: a name without a file does no harm.
void note_names(const fs::path& folder, const std::vector<report::NamedFile>& files) {
  std::map<fs::path, std::set<std::string>> names;
  for (const report::NamedFile& file : files) {
    const fs::path path = folder / file.name;
    if (!is_marked(file)) names[path.parent_path()].insert(path.filename().string());
  }
  for (auto& [parent, own] : names) {
    own.merge(written_names(parent));
    std::string text;
    for (const std::string& name : own) text += name + "\n";
    write_one(parent / kWrittenNames, text);
  }
}

}  // namespace

bool is_foreign(const fs::path& file) {
  if (!fs::exists(fs::symlink_status(file))) return false;
  return !has_mark(file) && !written_names(file.parent_path()).contains(file.filename().string());
}

void write_report_files(const fs::path& folder, const std::vector<report::NamedFile>& files) {
  for (const report::NamedFile& file : files) {
    const fs::path path = folder / file.name;
    if (!is_foreign(path)) continue;
    throw UserError(
        "{} is there already and was not written by Convoy; it stays as it is: give another --out, or move it away",
        path.string());
  }
  note_names(folder, files);
  for (const report::NamedFile& file : files) write_one(folder / file.name, file.content);
}

}  // namespace convoy::cli
