// Reads single image files in the form that a network was trained on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "convoy/data/byte_file.h"
#include "convoy/data/image/image_decoder.h"
#include "convoy/data/image/image_resize.h"
#include "convoy/tensor/shape.h"

namespace convoy::data {

class ImageReader {
 public:
  // Images are converted to `shape`, CxHxW with one channel (grey) or three.
  explicit ImageReader(const Shape& shape);

  // Writes planes of CxHxW to `pixels`, resized and cropped like those of image folders. Throws DataError with the
  // path.
  void read(const std::filesystem::path& path, std::span<std::uint8_t> pixels);

 private:
  int channels_, height_, width_;
  Bytes bytes_;
  Image image_;
  ImageResizer resizer_;
  std::vector<std::uint8_t> rgb_;
};

}  // namespace convoy::data
