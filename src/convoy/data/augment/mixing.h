// Training images that are mixed of two samples, and belong to both classes: blended (mixup), or with a rectangle of
// the other one in their place (cutmix).
#pragma once

#include <cstdint>
#include <span>

#include "convoy/base/rng.h"
#include "convoy/tensor/shape.h"

namespace convoy::data {

// How much of the other sample an image gets is drawn from a Beta distribution with this parameter, twice: 0 never, 0.2
// mostly a little or nearly all, 1 any share alike. With both, each image goes one of the two ways.
struct MixOptions {
  float mixup = 0;
  float cutmix = 0;

  [[nodiscard]] bool any() const { return mixup > 0 || cutmix > 0; }
};

// Throws UserError naming the attribute that is out of its range.
void validate(const MixOptions& options);

struct Mixture {
  float share = 0;  // of the other sample
  // Where it takes the place of the image: rows and columns, the last excluded. Empty: both are blended everywhere.
  int top = 0, bottom = 0, left = 0, right = 0;

  [[nodiscard]] bool is_blend() const { return top == bottom || left == right; }
};

// Rectangles have the image's proportions and any place; what lies outside is cut off, and the share follows.
[[nodiscard]] Mixture draw_mixture(const MixOptions& options, int height, int width, Rng& rng);

// Values of CxHxW: those of the image, which become those of the mixture.
void mix(const Mixture& mixture, const Shape& shape, std::span<const float> other, std::span<float> values);

// Of a Beta distribution with both parameters `alpha`, which is above 0.
[[nodiscard]] float draw_beta(float alpha, Rng& rng);

}  // namespace convoy::data
