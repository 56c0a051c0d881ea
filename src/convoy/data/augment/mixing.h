// Training images that are mixed from two samples and belong to both classes: blended (mixup), or with a rectangle
// replaced by the same part of the other one (cutmix).
#pragma once

#include <cstdint>
#include <span>

#include "convoy/base/rng.h"
#include "convoy/tensor/shape.h"

namespace convoy::data {

// How much of the other sample an image gets is drawn from a Beta distribution whose two parameters both have this
// value: with 0 it gets none, with 0.2 mostly very little or nearly all, with 1 all shares are equally likely. If both
// options are set, each image uses one of them at random.
struct MixOptions {
  float mixup = 0;
  float cutmix = 0;

  [[nodiscard]] bool any() const { return mixup > 0 || cutmix > 0; }
};

// Throws UserError that names the attribute that is out of range.
void validate(const MixOptions& options);

struct Mixture {
  float share = 0;  // how much of the result is the other sample
  // The rows and columns (last ones excluded) that come from the other sample. Empty: both are blended everywhere.
  int top = 0, bottom = 0, left = 0, right = 0;

  [[nodiscard]] bool is_blend() const { return top == bottom || left == right; }
};

// Rectangles have the image's proportions and may be anywhere; parts outside the image are cut off, and the share is
// that of the rest.
[[nodiscard]] Mixture draw_mixture(const MixOptions& options, int height, int width, Rng& rng);

// `values` are those of an image of CxHxW and become those of the mixture.
void mix(const Mixture& mixture, const Shape& shape, std::span<const float> other, std::span<float> values);

// Draws from a Beta distribution whose two parameters are both `alpha`, which is above 0.
[[nodiscard]] float draw_beta(float alpha, Rng& rng);

}  // namespace convoy::data
