// The geometry of a convolution as products of shifted rows. Images are copied into strips: some rows of one image,
// padded with zeros and flattened, so that every tap of the kernel reads the same pixels at a fixed distance. With a
// stride, the image that is read (forward) or written (for the source's gradient) is divided into phases: for example,
// every second pixel of every second row.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

using simd::kTileRows;

// A tensor in blocks of 16 channels.
struct BlockedImages {
  std::int64_t blocks;
  int height, width;

  [[nodiscard]] std::int64_t plane_elements() const { return std::int64_t{16} * height * width; }
  [[nodiscard]] std::int64_t offset(std::int64_t sample, std::int64_t block) const {
    return (sample * blocks + block) * plane_elements();
  }
};

// Which pixels of an image belong to the phase: row + k * stride, and the same for columns.
struct ImagePhase {
  int row, column;
};

struct ImageStride {
  int rows, columns;
};

// One tap of the kernel that contributes to a phase of the result.
struct PhaseTap {
  int source_phase;  // index
  int row, column;   // where it reads, relative to the strip's first pixel
  int weight;        // its index in the kernel
};

struct ResultPhase {
  ImagePhase place;
  int height, width;
  std::vector<PhaseTap> taps;
};

// Rows first_row to first_row + rows of every phase of one sample's result.
struct Strip {
  std::int64_t sample;
  int first_row, rows;
};

class TapPlan {
 public:
  // For a forward pass, or a pass for the source's gradient, which reads the result's gradient. The gradient of the
  // weights uses the geometry of the forward pass.
  TapPlan(const ConvolutionProblem& problem, Pass pass);

  [[nodiscard]] const BlockedImages& source() const { return source_; }
  [[nodiscard]] const BlockedImages& result() const { return result_; }
  [[nodiscard]] bool transposed() const { return transposed_; }
  [[nodiscard]] int kernel_taps() const { return kernel_taps_; }
  [[nodiscard]] const std::vector<ImagePhase>& source_phases() const { return source_phases_; }
  [[nodiscard]] const std::vector<ResultPhase>& result_phases() const { return result_phases_; }
  [[nodiscard]] ImageStride source_stride() const { return transposed_ ? ImageStride{1, 1} : stride_; }
  [[nodiscard]] ImageStride result_stride() const { return transposed_ ? stride_ : ImageStride{1, 1}; }

  // The number of pixels in a row of a strip, including padding, and the number of rows that are read beyond those of
  // the result.
  [[nodiscard]] int strip_width() const { return strip_width_; }
  [[nodiscard]] int extra_rows() const { return extra_rows_; }
  [[nodiscard]] int most_rows() const { return most_rows_; }
  // What a tap adds to the index of a pixel in a strip.
  [[nodiscard]] std::int64_t shift(const PhaseTap& tap) const {
    return std::int64_t{tap.row} * strip_width_ + tap.column;
  }

  // For one image: how many strips of at most `rows` rows it has.
  [[nodiscard]] std::int64_t strips_of(int rows) const { return (most_rows_ + rows - 1) / rows; }
  [[nodiscard]] Strip strip(std::int64_t number, int rows) const;

  // Calls body(row of the strip, source row, source column, column of the strip, count) for each row of a phase's
  // strip: `count` pixels are copied from the source to the strip, and the rest of the row is zero. For rows outside
  // the image, count is 0.
  template <typename Body>
  void for_rows(const Strip& strip, const ImagePhase& phase, const Body& body) const;

 private:
  void add_taps(const ConvolutionProblem& problem, ResultPhase& phase);
  int phase_index(ImagePhase phase);
  void fit();

  bool transposed_;
  ImageStride stride_;
  int kernel_taps_;
  BlockedImages source_, result_;
  std::vector<ImagePhase> source_phases_;
  std::vector<ResultPhase> result_phases_;
  int first_row_ = 0, first_column_ = 0;  // of what the taps read, relative to the result's pixel
  int extra_rows_ = 0;
  int strip_width_ = 0, most_rows_ = 0;
};

template <typename Body>
void TapPlan::for_rows(const Strip& strip, const ImagePhase& phase, const Body& body) const {
  const ImageStride stride = source_stride();
  // The columns of the strip whose pixels are inside the image.
  const auto pixel_of = [&](int column) { return (column + first_column_) * stride.columns + phase.column; };
  int begin = 0;
  while (begin < strip_width_ && pixel_of(begin) < 0) ++begin;
  int end = begin;
  while (end < strip_width_ && pixel_of(end) < source_.width) ++end;
  for (int row = 0; row < strip.rows + extra_rows_; ++row) {
    const int y = (strip.first_row + row + first_row_) * stride.rows + phase.row;
    const bool inside = y >= 0 && y < source_.height;
    body(row, y, pixel_of(begin), begin, inside ? end - begin : 0);
  }
}

}  // namespace convoy::kernels
