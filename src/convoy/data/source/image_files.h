// A list of labelled image files: what folders and Tiny ImageNet are before anything is decoded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "convoy/data/image/image_decoder.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

struct ImageFile {
  std::string path;  // below the root
  std::int32_t label = 0;
};

struct ImageFiles {
  std::filesystem::path root;
  std::vector<std::string> classes;
  std::vector<ImageFile> train;
  std::vector<ImageFile> test;
  // What of the files that were found became no sample, for the user to know: one line each.
  std::vector<std::string> notes;

  [[nodiscard]] const std::vector<ImageFile>& of(Split split) const { return split == Split::train ? train : test; }
};

// Changes when a file is added, removed, renamed, written again or moved to another class or split. Files that cannot
// be asked count with their names. Looks at every file, not into it.
[[nodiscard]] std::uint64_t fingerprint(const ImageFiles& files);

// What the files of an image list look like before they are resized.
struct ImageSurvey {
  ImageSize smallest;  // by area, as are the others
  ImageSize median;
  ImageSize largest;
  std::int64_t jpeg = 0;
  std::int64_t png = 0;
};

// Reads the header of every file; those that cannot be read are left out.
[[nodiscard]] ImageSurvey survey_images(const ImageFiles& files, int threads);

}  // namespace convoy::data
