// A list of labelled image files: what image folders and Tiny ImageNet are before anything is decoded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "convoy/data/image/image_decoder.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

struct ImageFile {
  std::string path;  // relative to the root
  std::int32_t label = 0;
};

struct ImageFiles {
  std::filesystem::path root;
  std::vector<std::string> classes;
  std::vector<ImageFile> train;
  std::vector<ImageFile> test;
  // Lines for the user about files that were found but are not samples.
  std::vector<std::string> notes;

  [[nodiscard]] const std::vector<ImageFile>& of(Split split) const { return split == Split::train ? train : test; }
};

// Changes when a file is added, removed, renamed, rewritten or moved to another class or split. For files whose
// attributes cannot be read only the name counts. Looks at every file's attributes, not at its contents.
[[nodiscard]] std::uint64_t fingerprint(const ImageFiles& files);

// What the images of a list look like before they are resized.
struct ImageSurvey {
  ImageSize smallest;  // by area, like the others
  ImageSize median;
  ImageSize largest;
  std::int64_t jpeg = 0;
  std::int64_t png = 0;
};

// Reads the header of every file, leaving out those that cannot be read.
[[nodiscard]] ImageSurvey survey_images(const ImageFiles& files, int threads);

}  // namespace convoy::data
