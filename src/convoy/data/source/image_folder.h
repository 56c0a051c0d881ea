// Finds the images of a folder and their classes.
#pragma once

#include <cstdint>
#include <filesystem>

#include "convoy/data/source/image_files.h"

namespace convoy::data {

// A folder that has one sub-folder per class. Classes are sorted by the bytes of their names; their images are found at
// any depth, also through symbolic links. Names that begin with a dot are skipped. If `root` has train/, that is the
// training set, and the first of val/, valid/, validation/ and test/ that exists is the test set, with the same
// classes. Otherwise a share `val_fraction` of each class, drawn by `seed`, is kept for testing. Files that end in
// .jpg, .jpeg or .png are taken as images, and others if they begin like one.
//
// Throws DataError when the folder does not exist or has no classes, a class has no images, or links lead in a circle.
[[nodiscard]] ImageFiles scan_image_folder(const std::filesystem::path& root, double val_fraction, std::uint64_t seed);

// The images below root/folder at any depth, as sorted paths relative to `root`. Adds the number of files that are not
// images to `ignored`. Throws DataError.
[[nodiscard]] std::vector<std::string> find_images(const std::filesystem::path& root,
                                                   const std::filesystem::path& folder, std::int64_t& ignored);

// Tiny ImageNet in its official layout: wnids.txt, words.txt, train/WNID/images, val/images with val_annotations.txt.

// The validation images are the test set, because the test images have no labels. A folder with only some of the
// classes works too: the classes are those of wnids.txt that have a training folder. Throws DataError with file and
// line.
[[nodiscard]] ImageFiles scan_tiny_imagenet(const std::filesystem::path& folder);

}  // namespace convoy::data
