// How training images are varied: one struct of attributes that can be combined freely, and named presets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/tensor/shape.h"

namespace convoy::data {

// What a crop, shift or rotation sees outside the image.
enum class Border : std::uint8_t { black, mirrored };

// Random crops of varying area and proportions, stretched to the whole image. On when smallest_area < 1.
struct ResizedCrop {
  float smallest_area = 1;    // as a share of the image; a crop takes between this and all of it
  float largest_stretch = 1;  // proportions change by up to this factor in either direction
};

// Each attribute is drawn anew for each appearance of a sample. With the defaults nothing changes.
struct AugmentOptions {
  int crop_padding = 0;      // pixels added on each side; then a crop of the original size is taken at a random place
  bool flip = false;         // mirror left to right, half of the time
  ResizedCrop resized_crop;  // cannot be combined with crop_padding
  float shift = 0;           // up to this share of width and height, in either direction
  float zoom = 0;            // magnify by 1 - zoom to 1 + zoom; below 1
  float rotation = 0;        // up to this share of a full turn, in either direction
  float brightness = 0;      // multiply values by 1 - brightness to 1 + brightness; below 1
  float contrast = 0;        // multiply distances from the image's mean by 1 - contrast to 1 + contrast; below 1
  int cutout_size = 0;       // side of the squares that are cut out, in pixels; they get the mean of the data
  int cutout_count = 1;      // how many squares; no effect when cutout_size is 0
  Border border = Border::black;
};

[[nodiscard]] const std::vector<std::string>& augment_presets();

// none; cifar: pad 4, crop, flip; imagenet: resized crop, flip; gentle: 1 % zoom and shift; strong: 5 % rotation, 20 %
// zoom and shift, flip. Throws UserError that suggests the nearest name.
[[nodiscard]] AugmentOptions augment_preset(std::string_view name);

// Throws UserError that names the attribute that is out of range.
void validate(const AugmentOptions& options);

// As validate(), and also throws UserError, with the limit, when the squares to be cut out are larger than images of
// CxHxW.
void validate_for(const AugmentOptions& options, const Shape& image);

}  // namespace convoy::data
