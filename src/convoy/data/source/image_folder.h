// Finds the images of a folder and their classes.
#pragma once

#include <cstdint>
#include <filesystem>

#include "convoy/data/source/image_files.h"

namespace convoy::data {

// A folder that has a sub-folder for each class. Classes are the sub-folders, sorted by the bytes of their names; their
// images are found at any depth, through symbolic links too. Names that begin with a dot are passed over. When `root`
// has train/, that is the training set, and val/, valid/, validation/ or test/ (the first that is there) the test set,
// with the same classes; otherwise a share `val_fraction` of each class, drawn by `seed`, is kept for testing. Files
// ending in .jpg, .jpeg or .png are taken as images; others when they begin like one.
//
// Throws DataError when the folder does not exist, has no classes, a class has no images, or links lead in a circle.
[[nodiscard]] ImageFiles scan_image_folder(const std::filesystem::path& root, double val_fraction, std::uint64_t seed);

// The images below root/folder at any depth, as paths below `root`, sorted. Adds to `ignored` the number of files that
// are no images. Throws DataError.
[[nodiscard]] std::vector<std::string> find_images(const std::filesystem::path& root,
                                                   const std::filesystem::path& folder, std::int64_t& ignored);

// Tiny ImageNet in its official layout: wnids.txt, words.txt, train/WNID/images, val/images with val_annotations.txt.

// The validation images are the test set, as the test images have no labels. A folder with some of the classes will do:
// the classes are those of wnids.txt that have a training folder. Throws DataError with file and line.
[[nodiscard]] ImageFiles scan_tiny_imagenet(const std::filesystem::path& folder);

}  // namespace convoy::data
