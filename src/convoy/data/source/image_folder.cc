#include "convoy/data/source/image_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/base/rng.h"
#include "convoy/data/image/image_decoder.h"

namespace convoy::data {
namespace {

struct SplitCandidate {
  std::int32_t label = 0;
  std::uint64_t key = 0;  // a hash of the file's name, which identifies the sample whatever other files there are
};

// An arbitrary stream, so that the split is independent of other uses of the seed.
constexpr std::uint64_t kSplitStream = 0x73706c6974;

std::size_t test_count(std::size_t size, double fraction) {
  if (fraction <= 0 || size < 2) return 0;
  const auto wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(size)));
  return std::clamp<std::size_t>(wanted, 1, size - 1);
}

std::uint64_t lot(const SplitCandidate& sample, std::uint64_t seed) {
  const auto words = philox(seed, kSplitStream, sample.key);
  return std::uint64_t{words[0]} << 32 | words[1];
}

// For each sample, whether it is for testing: the rounded share `fraction` of each class, but at least one (unless the
// fraction is zero) and never all. The draw depends only on the seed and the sample's key, so that a new file changes
// the split of few others.
std::vector<bool> stratified_split(std::span<const SplitCandidate> samples, double fraction, std::uint64_t seed) {
  std::map<std::int32_t, std::vector<std::pair<std::uint64_t, std::size_t>>> lots;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    lots[samples[i].label].emplace_back(lot(samples[i], seed), i);
  }
  std::vector<bool> is_test(samples.size());
  for (auto& [label, drawn] : lots) {
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t k = 0; k < test_count(drawn.size(), fraction); ++k) {
      is_test[drawn[k].second] = true;
    }
  }
  return is_test;
}

}  // namespace

namespace fs = std::filesystem;

namespace {

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// Sorted by name, because the order on disk differs between machines.
std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
    if (!is_hidden(it->path())) found.push_back(it->path());
  }
  if (error) throw DataError("{}: the folder cannot be read: {}", folder.string(), error.message());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
  return found;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool has_image_ending(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

bool begins_like_an_image(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::array<char, 8> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return image_format({reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}) != ImageFormat::other;
}

// Walks through a folder. It remembers which folders it is inside of, because links may lead back to one of them.
class ImageFinder {
 public:
  explicit ImageFinder(const fs::path& root) : root_(root) {}

  void walk(const fs::path& folder) {
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) throw DataError("{}: the folder cannot be read", folder.string());
    const auto identity = std::make_pair(status.st_dev, status.st_ino);
    if (!inside_.insert(identity).second) {
      throw DataError("{}: symbolic links lead in a circle; remove the link", folder.string());
    }
    for (const fs::path& path : entries(folder)) {
      if (is_folder(path)) {
        walk(path);
      } else if (has_image_ending(path) || begins_like_an_image(path)) {
        found_.push_back(path.lexically_relative(root_).string());
      } else {
        ++ignored_;
      }
    }
    inside_.erase(identity);
  }

  [[nodiscard]] std::vector<std::string>& found() { return found_; }
  [[nodiscard]] std::int64_t ignored() const { return ignored_; }

 private:
  fs::path root_;
  std::set<std::pair<dev_t, ino_t>> inside_;
  std::vector<std::string> found_;
  std::int64_t ignored_ = 0;
};

struct ClassFolders {
  std::vector<std::string> names;
  std::vector<ImageFile> files;
  std::int64_t ignored = 0;
};

ClassFolders read_classes(const fs::path& root, const fs::path& folder) {
  ClassFolders found;
  for (const fs::path& path : entries(folder)) {
    if (!is_folder(path)) {
      ++found.ignored;
      continue;
    }
    const std::vector<std::string> images = find_images(root, path.lexically_relative(root), found.ignored);
    if (images.empty()) throw DataError("{}: the class has no images (JPEG or PNG)", path.string());
    for (const std::string& image : images) {
      found.files.push_back({.path = image, .label = static_cast<std::int32_t>(found.names.size())});
    }
    found.names.push_back(path.filename().string());
  }
  if (found.names.empty()) {
    throw DataError("{}: has no sub-folders with images; make one for each class", folder.string());
  }
  return found;
}

// Gives test images the labels of the training classes. A class may be missing from the test set, but not from the
// training set.
std::vector<ImageFile> relabelled(const ClassFolders& test, const std::vector<std::string>& classes,
                                  const fs::path& folder) {
  std::vector<std::int32_t> labels;
  for (const std::string& name : test.names) {
    const auto at = std::lower_bound(classes.begin(), classes.end(), name);
    if (at == classes.end() || *at != name) {
      throw DataError("{}: the class is not among those in train/", (folder / name).string());
    }
    labels.push_back(static_cast<std::int32_t>(at - classes.begin()));
  }
  std::vector<ImageFile> files = test.files;
  for (ImageFile& file : files) {
    file.label = labels[static_cast<std::size_t>(file.label)];
  }
  return files;
}

void split_off_test(ImageFiles& files, double val_fraction, std::uint64_t seed) {
  std::vector<SplitCandidate> candidates;
  for (const ImageFile& file : files.train) {
    candidates.push_back({.label = file.label, .key = XXH3_64bits(file.path.data(), file.path.size())});
  }
  const std::vector<bool> is_test = stratified_split(candidates, val_fraction, seed);
  std::vector<ImageFile> train;
  for (std::size_t i = 0; i < files.train.size(); ++i) {
    (is_test[i] ? files.test : train).push_back(files.train[i]);
  }
  files.train = std::move(train);
}

fs::path find_test_folder(const fs::path& root) {
  for (const char* const name : {"val", "valid", "validation", "test"}) {
    if (is_folder(root / name)) return root / name;
  }
  return {};
}

}  // namespace

std::vector<std::string> find_images(const fs::path& root, const fs::path& folder, std::int64_t& ignored) {
  ImageFinder finder(root);
  finder.walk(root / folder);
  ignored += finder.ignored();
  std::vector<std::string> found = std::move(finder.found());
  std::sort(found.begin(), found.end());
  return found;
}

ImageFiles scan_image_folder(const fs::path& root, double val_fraction, std::uint64_t seed) {
  if (!is_folder(root)) throw DataError("{}: there is no such folder", root.string());
  if (!(val_fraction >= 0 && val_fraction < 1)) {
    throw UserError("the fraction kept for testing has to be in [0, 1), not {}", val_fraction);
  }
  const bool has_train = is_folder(root / "train");
  const fs::path test_folder = has_train ? find_test_folder(root) : fs::path();
  ClassFolders train = read_classes(root, has_train ? root / "train" : root);
  std::int64_t ignored = train.ignored;
  ImageFiles files{.root = root, .classes = std::move(train.names), .train = std::move(train.files)};
  if (test_folder.empty()) {
    split_off_test(files, val_fraction, seed);
  } else {
    const ClassFolders test = read_classes(root, test_folder);
    files.test = relabelled(test, files.classes, test_folder);
    ignored += test.ignored;
  }
  if (ignored > 0) {
    files.notes.push_back(fmt::format("{}: {} files are neither JPEG nor PNG in a class folder and were passed over",
                                      root.string(), grouped_text(ignored)));
  }
  return files;
}

}  // namespace convoy::data
