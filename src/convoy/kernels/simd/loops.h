// Convoy's own vector loops, for what oneDNN does not have or does not fuse. loops.cc is compiled once for each
// instruction set; loops() gives the table for this machine.
//
// A plane is the part of a blocked tensor that belongs to one sample and one block of channels: `pixels` vectors of
// `block` floats, one after another. Pointers to per-channel values point at the `block` values of that plane.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"

namespace convoy::kernels::simd {

// The geometry of a pooling window over one plane. Windows are cut at the image's borders.
struct PoolWindow {
  int in_h, in_w, out_h, out_w;
  int kernel_h, kernel_w, stride_h, stride_w, pad_top, pad_left;
  // For averages: divide by the window's area inside the padded image instead of inside the image.
  bool count_padding;
  int pad_bottom, pad_right;
};

// y = act(a x + b (+ shortcut))
struct BatchNormApply {
  const float* x;
  const float* shortcut;  // may be null
  float* y;
  std::int64_t pixels;
  const float* a;
  const float* b;
  Activation activation;
};

// g = (gradient + gradient2) where the activation let the value through, else 0.
// The mask is taken from y where given, else from a x + b.
struct BatchNormGradient {
  const float* x;
  const float* y;  // may be null
  const float* gradient;
  const float* gradient2;  // may be null
  float* masked;           // g is stored here unless null
  std::int64_t pixels;
  const float* a;
  const float* b;
  Activation activation;
};

struct Loops {
  int block;

  // Mean and sum of squared deviations from it, of each channel of a plane.
  void (*moments)(const float* x, std::int64_t pixels, float* mean, float* m2);
  void (*batch_norm_apply)(const BatchNormApply& arguments);
  // sum_g = sum of g, sum_gx = sum of g (x - mean), over one plane.
  void (*batch_norm_sums)(const BatchNormGradient& arguments, const float* mean, float* sum_g, float* sum_gx);
  // dx = p g + q x + r
  void (*batch_norm_gradient)(const BatchNormGradient& arguments, const float* p, const float* q, const float* r,
                              float* dx);

  // Flat arrays of any length; outputs may be one of the inputs.
  void (*activate)(const float* x, float* y, std::int64_t count, Activation activation);
  void (*activate_gradient)(const float* y, const float* dy, float* dx, std::int64_t count, Activation activation);
  void (*add)(const float* a, const float* b, float* y, std::int64_t count, Activation activation);

  // index: where in its window the maximum was, for the gradient.
  void (*max_pool)(const PoolWindow& window, const float* x, float* y, std::uint16_t* index);
  void (*max_pool_gradient)(const PoolWindow& window, const float* dy, const std::uint16_t* index, float* dx);
  void (*average_pool)(const PoolWindow& window, const float* x, float* y);
  void (*average_pool_gradient)(const PoolWindow& window, const float* dy, float* dx);
};

// The loops for the widest instruction set that oneDNN uses here too.
[[nodiscard]] const Loops& loops();

}  // namespace convoy::kernels::simd
