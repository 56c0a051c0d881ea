#include "convoy/data/install/dataset_install.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "convoy/base/error.h"
#include "convoy/base/file/file_lock.h"
#include "convoy/base/file/folder_replacement.h"
#include "convoy/base/file/write_error.h"
#include "convoy/data/byte_file.h"
#include "convoy/data/install/copy_tree.h"
#include "convoy/data/install/install_steps.h"
#include "convoy/data/source/data_file.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/open_source.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

// A folder beside the data sets that is deleted at the end of its scope.
class Staging {
 public:
  Staging(const fs::path& data_dir, const std::string& name) : path_(data_dir / fmt::format(".{}-{}", name, getpid())) {
    remove_abandoned(data_dir, "." + name + "-");
    fs::remove_all(path_);
    fs::create_directories(path_ / "raw");
    fs::create_directories(path_ / "done");
    lock_ = FileLock(path_);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] fs::path raw() const { return path_ / "raw"; }    // unpacked files
  [[nodiscard]] fs::path done() const { return path_ / "done"; }  // what becomes the data set
  [[nodiscard]] fs::path old() const { return path_ / "old"; }

 private:
  fs::path path_;
  FileLock lock_;
};

void check_sum(const fs::path& file, const HashedFile& remote, const std::string& origin) {
  const std::string sum = sha256_of_file(file);
  if (sum != remote.sha256) {
    throw DataError("{}: the checksum does not match: sha256 is {}, expected {}", origin, sum, remote.sha256);
  }
}

class Installer {
 public:
  Installer(const Dataset& dataset, const InstallOptions& options)
      : dataset_(dataset),
        options_(options),
        downloads_(options.data_dir / ".downloads" / dataset.name),
        staging_(options.data_dir, dataset.name) {}

  fs::path install() {
    if (options_.from.empty()) {
      fetch_or_fall_back();
      gather(staging_.raw(), true);
    } else if (fs::is_directory(options_.from)) {
      take_folder(options_.from);
    } else {
      take_file(options_.from);
    }
    validate();
    recognise();
    return put_in_place();
  }

 private:
  void fetch_or_fall_back() {
    try {
      fetch_all();
      return;
    } catch (const DataError& error) {
      if (!options_.fallback) throw;
      options_.on_note(error.what());
      if (!options_.fallback(staging_.raw())) throw;
    }
    unpack_archives(staging_.raw());
  }

  void fetch_all() {
    fs::create_directories(downloads_);
    for (const HashedFile& file : dataset_.files) {
      const fs::path fetched = fetch(file);
      if (has_archive_ending(fetched)) {
        extract_archive(fetched, staging_.raw());
      } else {
        copy_contents(fetched, staging_.raw() / file.name);
      }
    }
  }

  // Takes the file from the first mirror that has the right one. Failures of mirrors become notes, except the last
  // one's, which is thrown.
  [[nodiscard]] fs::path fetch(const HashedFile& file) const {
    fs::path target = downloads_ / file.name;
    const auto& mirrors = options_.mirrors.empty() ? dataset_.mirrors : options_.mirrors;
    for (std::size_t i = 0; i < mirrors.size(); ++i) {
      try {
        fetch_from(mirrors[i], file, target);
        return target;
      } catch (const DataError& error) {
        if (i + 1 == mirrors.size()) throw;
        options_.on_note(error.what());
      }
    }
    throw DataError("{}: no mirror is known for it", file.name);
  }

  void fetch_from(const std::string& mirror, const HashedFile& file, const fs::path& target) const {
    if (fs::exists(target)) return;  // it is complete and its checksum is right
    const std::string url = mirror + (mirror.ends_with('/') ? "" : "/") + file.name;
    const fs::path part = target.string() + ".part";
    download(url, part, [&](std::int64_t done, std::int64_t total) { options_.on_progress(file.name, done, total); });
    try {
      check_sum(part, file, url);
    } catch (const DataError&) {
      fs::remove(part);  // continuing it later would fail again and again
      throw;
    }
    fs::rename(part, target);
  }

  // Prefers archives of the data set, since a folder of downloads may contain many other things.
  void take_folder(const fs::path& folder) {
    bool has_archives = false;
    for (const HashedFile& file : dataset_.files) {
      if (has_archive_ending(file.name) && fs::exists(folder / file.name)) {
        check_sum(folder / file.name, file, (folder / file.name).string());
        extract_archive(folder / file.name, staging_.raw());
        has_archives = true;
      }
    }
    has_archives ? gather(staging_.raw(), true) : gather(folder, false);
  }

  void take_file(const fs::path& file) {
    if (!fs::is_regular_file(file)) throw DataError("{}: there is no such file or folder", file.string());
    if (!has_archive_ending(file)) {
      throw DataError("{}: is not an archive; give the folder that has the files of {}", file.string(), dataset_.name);
    }
    // An archive with the official name must have the official checksum.
    for (const HashedFile& remote : dataset_.files) {
      if (file.filename() == remote.name) check_sum(file, remote, file.string());
    }
    extract_archive(file, staging_.raw());
    gather(staging_.raw(), true);
  }

  static void unpack_archives(const fs::path& folder) {
    std::vector<fs::path> archives;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (has_archive_ending(entry.path())) archives.push_back(entry.path());
    }
    for (const fs::path& archive : archives) {
      extract_archive(archive, folder);
      fs::remove(archive);
    }
  }

  // Brings the data set's files, wherever they are below `root`, to the staging folder.
  void gather(const fs::path& root, bool may_move) {
    dataset_.contents.empty() ? gather_tree(root, may_move) : gather_files(root, may_move);
  }

  void gather_files(const fs::path& root, bool may_move) {
    std::map<std::string, fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied)) {
      if (entry.is_regular_file()) found.emplace(entry.path().filename().string(), entry.path());
    }
    for (const auto& [name, hash] : dataset_.contents) {
      for (const std::string& spelling : {name, name + ".gz"}) {
        const auto file = found.find(spelling);
        if (file == found.end()) continue;
        may_move ? fs::rename(file->second, staging_.done() / spelling)
                 : copy_contents(file->second, staging_.done() / spelling);
        break;
      }
    }
  }

  void gather_tree(const fs::path& root, bool may_move) {
    fs::path tree = root;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (fs::exists(entry.path() / dataset_.marker)) tree = entry.path();
    }
    if (!fs::exists(tree / dataset_.marker)) {
      throw DataError("{}: there is no {}; this is not {}", root.string(), dataset_.marker, dataset_.name);
    }
    fs::remove(staging_.done());
    may_move ? fs::rename(tree, staging_.done()) : copy_tree(tree, staging_.done());
  }

  // Opens the data as training would. In messages the staging folder is replaced by a name that the user knows.
  void validate() const {
    SourceOptions options{.skip_corrupt = options_.skip_corrupt, .pack = PackUse::never, .threads = options_.threads};
    options.on_note = options_.on_note;
    const SourceSpec spec = parse_source_spec(dataset_.name + ":" + staging_.done().string());
    try {
      if (!has_image_files(spec.kind)) {
        (void)open_source(spec.text, options);
        return;
      }
      ImageFiles files = list_image_files(spec, options);
      const auto unreadable = remove_unreadable(files, options_.threads);
      if (!unreadable.empty() && !options_.skip_corrupt) throw DataError("{}", unreadable.front().reason);
      if (!unreadable.empty()) options_.on_note(fmt::format("{} images are unreadable", unreadable.size()));
    } catch (const DataError& error) {
      throw DataError("{}", shown_to_user(error.what()));
    }
  }

  // Files at hand may have the right names and hold another data set: those of MNIST and Fashion-MNIST are called
  // alike.
  void recognise() const {
    for (const auto& [name, hash] : dataset_.contents) {
      const auto file = find_data_file(staging_.done(), name);
      if (!file || hash.empty()) continue;
      const std::string found = sha256_of(read_unzipped_file(*file));
      if (found == hash) continue;
      const Dataset* const other = find_by_contents(found);
      if (other != nullptr) {
        throw DataError("{}: is that of {}, not of {}", shown_to_user(file->string()), other->name, dataset_.name);
      }
      options_.on_note(
          fmt::format("{}: is not the published file of {}", shown_to_user(file->string()), dataset_.name));
    }
  }

  [[nodiscard]] std::string shown_to_user(std::string message) const {
    const std::string hidden = staging_.done().string();
    const std::string shown = options_.from.empty() ? dataset_.name : options_.from.string();
    for (std::size_t at = message.find(hidden); at != std::string::npos; at = message.find(hidden, at + shown.size())) {
      message.replace(at, hidden.size(), shown);
    }
    return message;
  }

  // The old data set is moved to the staging folder and deleted with it.
  [[nodiscard]] fs::path put_in_place() const {
    fs::path target = options_.data_dir / dataset_.name;
    replace_folder(staging_.done(), target, staging_.old());
    fs::remove_all(downloads_);
    std::error_code not_empty;
    fs::remove(downloads_.parent_path(), not_empty);
    return target;
  }

  const Dataset& dataset_;
  const InstallOptions& options_;
  fs::path downloads_;
  Staging staging_;
};

}  // namespace

fs::path install_dataset(const Dataset& dataset, const InstallOptions& options) {
  try {
    return Installer(dataset, options).install();
  } catch (const fs::filesystem_error& error) {
    throw DataError("{} was not installed: {}: {}", dataset.name, error.path1().string(), error.code().message());
  } catch (const WriteError& error) {
    // The path of the staging folder, which is already deleted, would not help the user.
    throw DataError("{} was not installed: {}: {}", dataset.name, options.data_dir.string(), error.reason());
  }
}

}  // namespace convoy::data
