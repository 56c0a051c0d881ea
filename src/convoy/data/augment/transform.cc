#include "convoy/data/augment/transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace convoy::data {
namespace {

struct Size {
  float height, width;
};

// The part of the image that fills the result: its size, and its centre relative to the image's centre.
struct Window {
  float height, width;
  float x = 0, y = 0;
};

float either_way(float limit, Rng& rng) { return limit > 0 ? rng.uniform(-limit, limit) : 0; }

float around_one(float limit, Rng& rng) { return 1 + either_way(limit, rng); }

int pixels_either_way(int limit, Rng& rng) {
  return limit > 0 ? static_cast<int>(rng.below(static_cast<std::uint32_t>(2 * limit + 1))) - limit : 0;
}

// Draws area and proportions, and cuts sides that are longer than the image's. Drawing again in that case, as others
// do, would need an unknown number of draws and a rule for giving up.
Window draw_window(const ResizedCrop& crop, Size size, Rng& rng) {
  if (crop.smallest_area >= 1) return {.height = size.height, .width = size.width};
  const float side = std::sqrt(rng.uniform(crop.smallest_area, 1));
  const float log_stretch = std::log(crop.largest_stretch);
  const float stretch = std::exp(0.5F * either_way(log_stretch, rng));
  Window window{.height = std::min(size.height, size.height * side / stretch),
                .width = std::min(size.width, size.width * side * stretch)};
  window.x = either_way((size.width - window.width) / 2, rng);
  window.y = either_way((size.height - window.height) / 2, rng);
  return window;
}

// Combines window, zoom, rotation and shift around the image's centre with flip and crop, which come first, in whole
// pixels.
AffineMap draw_map(const AugmentOptions& options, const Transform& whole, Size size, Rng& rng) {
  const Window window = draw_window(options.resized_crop, size, rng);
  const float magnification = around_one(options.zoom, rng);
  const float angle = 2 * std::numbers::pi_v<float> * either_way(options.rotation, rng);
  const float shift_x = size.width * either_way(options.shift, rng);
  const float shift_y = size.height * either_way(options.shift, rng);

  const float scale_x = window.width / size.width / magnification;
  const float scale_y = window.height / size.height / magnification;
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);
  const float mirror = whole.flip ? -1.0F : 1.0F;
  const float centre_x = (size.width - 1) / 2;
  const float centre_y = (size.height - 1) / 2;

  AffineMap map{
      .xx = cosine * scale_x * mirror, .xy = -sine * scale_y, .yx = sine * scale_x * mirror, .yy = cosine * scale_y};
  // The result's centre maps to the window's centre, moved by the shift and, along the rotated axes, by the crop.
  const auto dx = static_cast<float>(whole.dx);
  const auto dy = static_cast<float>(whole.dy);
  map.x0 = centre_x + window.x + shift_x + cosine * scale_x * dx - sine * scale_y * dy -
           (map.xx * centre_x + map.xy * centre_y);
  map.y0 = centre_y + window.y + shift_y + sine * scale_x * dx + cosine * scale_y * dy -
           (map.yx * centre_x + map.yy * centre_y);
  return map;
}

bool interpolates(const AugmentOptions& options) {
  return options.shift > 0 || options.zoom > 0 || options.rotation > 0 || options.resized_crop.smallest_area < 1;
}

void draw_holes(const AugmentOptions& options, int height, int width, Rng& rng, std::vector<Hole>& holes) {
  if (options.cutout_size == 0) return;
  // Centres are anywhere in the image, so that its corners are hit as often as its middle; holes may extend beyond the
  // image.
  for (int i = 0; i < options.cutout_count; ++i) {
    const int x = static_cast<int>(rng.below(static_cast<std::uint32_t>(width)));
    const int y = static_cast<int>(rng.below(static_cast<std::uint32_t>(height)));
    holes.push_back(
        {.left = x - options.cutout_size / 2, .top = y - options.cutout_size / 2, .size = options.cutout_size});
  }
}

}  // namespace

Transform draw_transform(const AugmentOptions& options, int height, int width, Rng& rng) {
  Transform transform;
  transform.dx = pixels_either_way(options.crop_padding, rng);
  transform.dy = pixels_either_way(options.crop_padding, rng);
  transform.flip = options.flip && rng.below(2) == 1;
  if (interpolates(options)) {
    transform.whole_pixels = false;
    const Size size{.height = static_cast<float>(height), .width = static_cast<float>(width)};
    transform.map = draw_map(options, transform, size, rng);
  }
  transform.brightness = around_one(options.brightness, rng);
  transform.contrast = around_one(options.contrast, rng);
  draw_holes(options, height, width, rng, transform.holes);
  return transform;
}

}  // namespace convoy::data
