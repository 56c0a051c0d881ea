// Brings images to a given size: resamples them with antialiasing so that they just cover the frame, then crops them at
// the centre.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace convoy::data {

// Rows of interleaved pixels (RGBRGB...), without gaps between rows.
struct PixelView {
  std::span<const std::uint8_t> pixels;
  int width = 0;
  int height = 0;
  int channels = 3;
};

// Reuses its working memory from image to image. Thread rule: one per thread.
class ImageResizer {
 public:
  // Writes planes of channels x height x width to `planes`, which has exactly that size.
  //
  // The image is scaled by max(height / image.height, width / image.width), with each side rounded, and the middle is
  // cut out. The filter is a triangle as wide as the larger of a source and a target pixel; Pillow and torchvision call
  // this antialiased bilinear. An image that already has the size is only separated into planes.
  void resize_and_crop(const PixelView& image, int height, int width, std::span<std::uint8_t> planes);

 private:
  // Which source pixels an output pixel is made of; `weights` is the index of the first one's weight.
  struct Taps {
    int first = 0;
    int count = 0;
    std::size_t weights = 0;
  };
  // The taps of all output pixels along one direction.
  struct Axis {
    std::vector<Taps> taps;
    std::vector<float> weights;
  };

  static void plan(int from, int scaled, int to, Axis& axis);
  void blend_rows(const PixelView& image, const Taps& taps);
  void blend_columns(int channels, int width, std::uint8_t* out, std::size_t plane_bytes) const;

  Axis rows_;
  Axis columns_;
  std::vector<float> row_;
};

}  // namespace convoy::data
