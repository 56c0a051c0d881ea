// Tiny ImageNet in its official layout: wnids.txt, words.txt, train/WNID/images, val/images with val_annotations.txt.
#pragma once

#include <filesystem>

#include "convoy/data/source/image_files.h"

namespace convoy::data {

// The validation images are the test set, as the test images have no labels. A folder with some of the classes will do:
// the classes are those of wnids.txt that have a training folder. Throws DataError with file and line.
[[nodiscard]] ImageFiles scan_tiny_imagenet(const std::filesystem::path& folder);

}  // namespace convoy::data
