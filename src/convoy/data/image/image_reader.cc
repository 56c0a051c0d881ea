#include "convoy/data/image/image_reader.h"

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy::data {
namespace {

// The weights of ITU-R BT.601, in thousandths: how bright each colour appears to the eye.
std::uint8_t grey(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  return static_cast<std::uint8_t>((299 * red + 587 * green + 114 * blue + 500) / 1000);
}

}  // namespace

ImageReader::ImageReader(const Shape& shape)
    : channels_(static_cast<int>(shape[0])), height_(static_cast<int>(shape[1])), width_(static_cast<int>(shape[2])) {
  if (channels_ != 1 && channels_ != 3) {
    throw UserError("images have one channel or three, the network takes {}", shape.to_string());
  }
}

void ImageReader::read(const std::filesystem::path& path, std::span<std::uint8_t> pixels) {
  const auto plane = static_cast<std::size_t>(height_) * static_cast<std::size_t>(width_);
  if (pixels.size() != plane * static_cast<std::size_t>(channels_)) {
    throw UserError("an image of {}x{}x{} does not fit into {} bytes", channels_, height_, width_, pixels.size());
  }
  read_bytes(path, bytes_);
  decode_image(bytes_, path.string(), height_, width_, image_);
  if (channels_ == 3) return resizer_.resize_and_crop(image_.view(), height_, width_, pixels);
  rgb_.resize(3 * plane);
  resizer_.resize_and_crop(image_.view(), height_, width_, rgb_);
  for (std::size_t i = 0; i < plane; ++i) pixels[i] = grey(rgb_[i], rgb_[plane + i], rgb_[2 * plane + i]);
}

}  // namespace convoy::data
