#include "convoy/data/source/image_folder.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <string_view>
#include <unordered_map>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

using Labels = std::unordered_map<std::string, std::int32_t>;

std::vector<std::string> read_lines(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw DataError("{}: cannot be read; this is not Tiny ImageNet's layout", file.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// "n01443537<tab>goldfish, Carassius auratus" -> goldfish
std::map<std::string, std::string> read_words(const fs::path& file) {
  std::map<std::string, std::string> words;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return words;
  for (const std::string& line : read_lines(file)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) words[line.substr(0, tab)] = line.substr(tab + 1, line.find(',', tab) - tab - 1);
  }
  return words;
}

// Fills in classes and training files; returns the label of each WordNet id.
Labels read_train(ImageFiles& files) {
  const auto words = read_words(files.root / "words.txt");
  Labels labels;
  std::int64_t ignored = 0;
  for (const std::string& id : read_lines(files.root / "wnids.txt")) {
    std::error_code error;
    if (id.empty() || !fs::is_directory(files.root / "train" / id, error)) continue;
    const auto label = static_cast<std::int32_t>(files.classes.size());
    const std::vector<std::string> images = find_images(files.root, fs::path("train") / id, ignored);
    if (images.empty()) throw DataError("{}: the class has no images", (files.root / "train" / id).string());
    for (const std::string& image : images) {
      files.train.push_back({.path = image, .label = label});
    }
    labels[id] = label;
    const auto word = words.find(id);
    files.classes.push_back(word == words.end() ? id : word->second);
  }
  if (labels.empty()) throw DataError("{}: no class of wnids.txt has a folder in train/", files.root.string());
  return labels;
}

void read_val(ImageFiles& files, const Labels& labels) {
  const fs::path file = files.root / "val" / "val_annotations.txt";
  std::int64_t line_number = 0;
  std::int64_t other_classes = 0;
  for (const std::string& line : read_lines(file)) {
    ++line_number;
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    const std::size_t end = tab == std::string::npos ? tab : line.find('\t', tab + 1);
    if (tab == std::string::npos || tab == 0 || line.substr(0, tab).find('/') != std::string::npos) {
      throw DataError("{}: line {}: is not an image's name and its class, separated by tabs", file.string(),
                      line_number);
    }
    const auto label = labels.find(line.substr(tab + 1, end == std::string::npos ? end : end - tab - 1));
    if (label == labels.end()) {
      ++other_classes;
      continue;
    }
    files.test.push_back({.path = "val/images/" + line.substr(0, tab), .label = label->second});
  }
  if (files.test.empty()) throw DataError("{}: names no image of the training classes", file.string());
  if (other_classes > 0) {
    files.notes.push_back(fmt::format("{}: {} validation images are of classes without training images",
                                      files.root.string(), grouped_text(other_classes)));
  }
}

}  // namespace

ImageFiles scan_tiny_imagenet(const fs::path& folder) {
  std::error_code ignored;
  const fs::path inner = folder / "tiny-imagenet-200";
  ImageFiles files{.root = fs::is_directory(inner, ignored) ? inner : folder};
  const Labels labels = read_train(files);
  read_val(files, labels);
  return files;
}

}  // namespace convoy::data
