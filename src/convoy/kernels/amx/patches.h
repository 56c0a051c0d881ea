// Where the pixels of small images read what the taps of a convolution multiply: the geometry of convolutions as plain
// products, with a row for each pixel of the whole batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/kernels/amx/tap_plan.h"

namespace convoy::kernels {

class Patches {
 public:
  // For a forward pass, or a pass for the source's gradient, which reads the result's gradient; the gradient of weights
  // uses the geometry of the forward pass.
  Patches(const ConvolutionProblem& problem, Pass pass);

  // Whether there is a geometry: places are numbers of 32 bits, and a gradient with a stride would be mostly zeros.
  [[nodiscard]] static bool exist(const ConvolutionProblem& problem, Pass pass);

  [[nodiscard]] const BlockedImages& source() const { return source_; }
  [[nodiscard]] const BlockedImages& result() const { return result_; }
  [[nodiscard]] int taps() const { return taps_; }
  [[nodiscard]] std::int64_t pixels() const { return batch_ * result_.height * result_.width; }

  // What each pixel reads for the tap, in elements from the first channel on; -1 beyond the image, and for pixels
  // beyond the last one, up to whole steps of 32.
  [[nodiscard]] const std::int32_t* places(int tap, std::int64_t pixel) const {
    return places_.data() + tap * padded_pixels() + pixel;
  }
  // Where the pixels themselves are in the result, in the same way.
  [[nodiscard]] const std::int32_t* own_places(std::int64_t pixel) const { return own_places_.data() + pixel; }

 private:
  [[nodiscard]] std::int64_t padded_pixels() const {
    return (pixels() + simd::kTileDepth - 1) / simd::kTileDepth * simd::kTileDepth;
  }
  void find_places(const ConvolutionProblem& problem, bool backwards, int tap_row, int tap_column,
                   std::span<std::int32_t> places) const;

  std::int64_t batch_;
  int taps_;
  BlockedImages source_, result_;
  std::vector<std::int32_t> places_, own_places_;
};

}  // namespace convoy::kernels
