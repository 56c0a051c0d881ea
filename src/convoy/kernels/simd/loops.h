// Convoy's own vector loops, for what oneDNN does not have or does not fuse. loops.cc is compiled once for each
// instruction set; loops() returns the table for this machine.
//
// A plane is the part of a blocked tensor that belongs to one sample and one block of channels: `pixels` vectors of
// `block` elements, one after another. Pointers to per-channel values point to the `block` values of that plane.
//
// Elements in memory are float or BFloat16; per-channel values are floats, and so is everything in registers.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

// The geometry of a pooling window over one plane. Windows are cut at the image's borders.
struct PoolWindow {
  int in_h, in_w, out_h, out_w;
  int kernel_h, kernel_w, stride_h, stride_w, pad_top, pad_left;
  // For averages: divide by the window's area inside the padded image instead of that inside the image.
  bool count_padding;
  int pad_bottom, pad_right;
};

// Instead of a place in a window, which has far fewer pixels.
inline constexpr std::uint16_t kNowhere = 0xffff;

// y = act(a x + b (+ shortcut))
template <typename Element>
struct BatchNormApply {
  const Element* x;
  const Element* shortcut;  // may be null
  Element* y;
  std::int64_t pixels;
  const float* a;
  const float* b;
  Activation activation;
};

// g = (gradient + gradient2) where the activation let the value through, otherwise 0. The mask is taken from y if it is
// given, otherwise from a x + b.
template <typename Element>
struct BatchNormGradient {
  const Element* x;
  const Element* y;  // may be null
  const Element* gradient;
  const Element* gradient2;  // may be null
  Element* masked;           // g is stored here unless null
  std::int64_t pixels;
  const float* a;
  const float* b;
  Activation activation;
};

template <typename Element>
struct Loops {
  int block;

  // Mean and sum of squared deviations from it, for each channel of a plane.
  void (*moments)(const Element* x, std::int64_t pixels, float* mean, float* m2);
  void (*batch_norm_apply)(const BatchNormApply<Element>& arguments);
  // sum_g = sum of g, sum_gx = sum of g (x - mean), over one plane.
  void (*batch_norm_sums)(const BatchNormGradient<Element>& arguments, const float* mean, float* sum_g, float* sum_gx);
  // dx = p g + q x + r
  void (*batch_norm_gradient)(const BatchNormGradient<Element>& arguments, const float* p, const float* q,
                              const float* r, Element* dx);

  // For flat arrays of any length; outputs may be one of the inputs.
  void (*activate)(const Element* x, Element* y, std::int64_t count, Activation activation);
  void (*activate_gradient)(const Element* y, const Element* dy, Element* dx, std::int64_t count,
                            Activation activation);
  void (*add)(const Element* a, const Element* b, Element* y, std::int64_t count, Activation activation);

  void (*to_floats)(const Element* x, float* y, std::int64_t count);
  void (*from_floats)(const float* x, Element* y, std::int64_t count);

  // index: the place of the maximum in its window, for the gradient; kNowhere if `activation`, which x is the result
  // of, stops the gradient there.
  void (*max_pool)(const PoolWindow& window, const Element* x, Element* y, std::uint16_t* index, Activation activation);
  void (*max_pool_gradient)(const PoolWindow& window, const Element* dy, const std::uint16_t* index, Element* dx);
  void (*average_pool)(const PoolWindow& window, const Element* x, Element* y);
  void (*average_pool_gradient)(const PoolWindow& window, const Element* dy, Element* dx);
};

// The loops for the widest instruction set that oneDNN also uses here.
template <typename Element>
[[nodiscard]] const Loops<Element>& loops();
template <>
[[nodiscard]] const Loops<float>& loops();
template <>
[[nodiscard]] const Loops<BFloat16>& loops();

}  // namespace convoy::kernels::simd
