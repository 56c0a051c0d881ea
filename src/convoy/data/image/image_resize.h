// Images brought to an asked size: resampled with antialiasing so that the asked frame is just covered, then cropped
// at the centre.
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

// Keeps its working memory from image to image. Thread rule: one per thread.
class ImageResizer {
 public:
  // Writes planes of channels x height x width to `planes`, which has exactly that size.
  //
  // The image is scaled by max(height / image.height, width / image.width), each side rounded, with a triangle filter
  // as wide as the larger of the two pixels, and the middle is cut out: what Pillow and torchvision call antialiased
  // bilinear. An image that has the size already is only taken apart into planes.
  void resize_and_crop(const PixelView& image, int height, int width, std::span<std::uint8_t> planes);

 private:
  // Which source pixels make up an output pixel: `weights` from `first` on.
  struct Taps {
    int first = 0;
    int count = 0;
    std::size_t weights = 0;
  };
  // One direction's taps of all output pixels.
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
