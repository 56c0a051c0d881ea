// How training images are varied: one struct of attributes that compose freely, and named presets of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/tensor/shape.h"

namespace convoy::data {

// What lies around an image where a crop, shift or rotation reaches beyond it.
enum class Border : std::uint8_t { black, mirrored };

// Random crops of any size and proportion, stretched to the whole image. On when smallest_area < 1.
struct ResizedCrop {
  float smallest_area = 1;    // of the image; a crop takes between this and all of it
  float largest_stretch = 1;  // proportions are changed by up to this factor either way
};

// Each attribute is drawn anew for each appearance of a sample. The defaults change nothing.
struct AugmentOptions {
  int crop_padding = 0;      // pixels added on each side before a crop of the old size at a random place
  bool flip = false;         // mirrored left to right, half of the time
  ResizedCrop resized_crop;  // not together with crop_padding
  float shift = 0;           // by up to this part of width and height, each way
  float zoom = 0;            // magnified by 1 - zoom to 1 + zoom; below 1
  float rotation = 0;        // by up to this part of a full turn, each way
  float brightness = 0;      // values times 1 - brightness to 1 + brightness; below 1
  float contrast = 0;        // distances from the image's mean times 1 - contrast to 1 + contrast; below 1
  int cutout_size = 0;       // side of the squares cut out, in pixels; they become the mean of the data
  int cutout_count = 1;      // how many; of no effect without a size
  Border border = Border::black;
};

[[nodiscard]] const std::vector<std::string>& augment_presets();

// none; cifar: pad 4, crop, flip; imagenet: resized crop, flip; gentle: 1 % zoom and shift; strong: 5 % rotation, 20 %
// zoom and shift, flip. Throws UserError that suggests the nearest name.
[[nodiscard]] AugmentOptions augment_preset(std::string_view name);

// Throws UserError naming the attribute that is out of its range.
void validate(const AugmentOptions& options);

// As validate(), and also refuses what does not fit images of CxHxW: squares to be cut out that are larger than they
// are. Throws UserError that names the limit.
void validate_for(const AugmentOptions& options, const Shape& image);

}  // namespace convoy::data
