#include "convoy/data/source/data_file.h"

#include <algorithm>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> places(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  found.insert(found.begin(), folder);
  return found;
}

std::vector<std::string> spellings(const std::string& name) {
  std::vector<std::string> found{name};
  if (const auto dash = name.find("-idx"); dash != std::string::npos) {
    found.push_back(name);
    found.back()[dash] = '.';
  }
  return found;
}

}  // namespace

std::optional<fs::path> find_data_file(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  for (const fs::path& place : places(folder)) {
    for (const std::string& spelling : spellings(name)) {
      for (const char* const ending : {"", ".gz"}) {
        if (const fs::path path = place / (spelling + ending); fs::is_regular_file(path, ignored)) return path;
      }
    }
  }
  return std::nullopt;
}

fs::path require_data_file(const fs::path& folder, const std::string& name) {
  if (auto path = find_data_file(folder, name)) return *path;
  throw DataError("{}: there is no file {} or {}.gz", folder.string(), name, name);
}

std::vector<std::string> mnist_classes() { return {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}; }

std::vector<std::string> fashion_mnist_classes() {
  return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
}

std::vector<std::string> cifar10_classes() {
  return {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
}

std::vector<std::string> cifar100_classes() {
  return {"apple",      "aquarium_fish", "baby",         "bear",       "beaver",      "bed",         "bee",
          "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
          "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
          "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
          "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
          "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn_mower",
          "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple_tree",  "motorcycle",
          "mountain",   "mouse",         "mushroom",     "oak_tree",   "orange",      "orchid",      "otter",
          "palm_tree",  "pear",          "pickup_truck", "pine_tree",  "plain",       "plate",       "poppy",
          "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
          "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
          "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet_pepper",
          "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
          "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow_tree", "wolf",
          "woman",      "worm"};
}

}  // namespace convoy::data
