#include "convoy/kernels/amx/tap_plan.h"

#include <algorithm>

namespace convoy::kernels {
namespace {

std::int64_t blocks_of(std::int64_t channels) { return (channels + 15) / 16; }

// Quotient and remainder; the remainder is never negative.
struct Divided {
  int quotient, rest;
};
Divided divide(int value, int by) {
  const int rest = (value % by + by) % by;
  return {(value - rest) / by, rest};
}

int phase_size(int size, int first, int stride) { return size <= first ? 0 : (size - first + stride - 1) / stride; }

}  // namespace

TapPlan::TapPlan(const ConvolutionProblem& p, Pass pass)
    : transposed_(pass == Pass::backward_data),
      stride_{static_cast<int>(p.stride_h), static_cast<int>(p.stride_w)},
      kernel_taps_(static_cast<int>(p.kernel_h * p.kernel_w)),
      source_{blocks_of(p.in_channels), static_cast<int>(p.in_h), static_cast<int>(p.in_w)},
      result_{blocks_of(p.out_channels), static_cast<int>(p.out_h), static_cast<int>(p.out_w)} {
  if (transposed_) std::swap(source_, result_);
  const ImageStride stride = result_stride();
  for (int row = 0; row < stride.rows; ++row) {
    for (int column = 0; column < stride.columns; ++column) {
      ResultPhase phase{{row, column},
                        phase_size(result_.height, row, stride.rows),
                        phase_size(result_.width, column, stride.columns),
                        {}};
      add_taps(p, phase);
      result_phases_.push_back(phase);
    }
  }
  fit();
}

int TapPlan::phase_index(ImagePhase phase) {
  for (std::size_t i = 0; i < source_phases_.size(); ++i) {
    if (source_phases_[i].row == phase.row && source_phases_[i].column == phase.column) return static_cast<int>(i);
  }
  source_phases_.push_back(phase);
  return static_cast<int>(source_phases_.size()) - 1;
}

// Forward, pixel o of the result reads pixel o * stride + tap - padding of the source. Backward, pixel i of the source
// reads all pixels o of the result for which this is i.
void TapPlan::add_taps(const ConvolutionProblem& p, ResultPhase& phase) {
  for (int r = 0; r < p.kernel_h; ++r) {
    for (int s = 0; s < p.kernel_w; ++s) {
      const int down = static_cast<int>(r * p.dilation_h - p.pad_top);
      const int right = static_cast<int>(s * p.dilation_w - p.pad_left);
      const int weight = static_cast<int>(r * p.kernel_w + s);
      if (!transposed_) {
        const Divided row = divide(down, stride_.rows);
        const Divided column = divide(right, stride_.columns);
        phase.taps.push_back({phase_index({row.rest, column.rest}), row.quotient, column.quotient, weight});
        continue;
      }
      const Divided row = divide(phase.place.row - down, stride_.rows);
      const Divided column = divide(phase.place.column - right, stride_.columns);
      if (row.rest != 0 || column.rest != 0) continue;
      phase.taps.push_back({phase_index({0, 0}), row.quotient, column.quotient, weight});
    }
  }
}

// Makes the strips of all phases the same size.
void TapPlan::fit() {
  bool first = true;
  int last_row = 0;
  int last_column = 0;
  for (const ResultPhase& phase : result_phases_) {
    for (const PhaseTap& tap : phase.taps) {
      first_row_ = first ? tap.row : std::min(first_row_, tap.row);
      last_row = first ? tap.row : std::max(last_row, tap.row);
      first_column_ = first ? tap.column : std::min(first_column_, tap.column);
      last_column = first ? tap.column : std::max(last_column, tap.column);
      first = false;
    }
    most_rows_ = std::max(most_rows_, phase.height);
    strip_width_ = std::max(strip_width_, phase.width);
  }
  extra_rows_ = last_row - first_row_;
  strip_width_ += last_column - first_column_;
  for (ResultPhase& phase : result_phases_) {
    for (PhaseTap& tap : phase.taps) {
      tap.row -= first_row_;
      tap.column -= first_column_;
    }
  }
}

Strip TapPlan::strip(std::int64_t number, int rows) const {
  const std::int64_t per_image = strips_of(rows);
  const int first_row = static_cast<int>(number % per_image) * rows;
  return {number / per_image, first_row, std::min(rows, most_rows_ - first_row)};
}

}  // namespace convoy::kernels
