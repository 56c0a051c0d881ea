// Compares the geometry with the definition of a convolution: what each pixel of the result reads through which tap.
#include "convoy/kernels/amx/tap_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "convoy/kernels/reference/convolution_case_test.h"

namespace convoy::kernels {
namespace {

using reference::ConvolutionCase;

// Row and column of the result, row and column of the source, and the tap.
using Read = std::tuple<int, int, int, int, int>;

// For the forward pass; the pass for the source's gradient has the same ones in the other direction.
std::set<Read> by_definition(const ConvolutionProblem& p) {
  std::set<Read> reads;
  for (int h = 0; h < p.out_h; ++h) {
    for (int w = 0; w < p.out_w; ++w) {
      for (int r = 0; r < p.kernel_h; ++r) {
        for (int s = 0; s < p.kernel_w; ++s) {
          const auto y = static_cast<int>(h * p.stride_h + r * p.dilation_h - p.pad_top);
          const auto x = static_cast<int>(w * p.stride_w + s * p.dilation_w - p.pad_left);
          if (y < 0 || x < 0 || y >= p.in_h || x >= p.in_w) continue;
          reads.emplace(h, w, y, x, static_cast<int>(r * p.kernel_w + s));
        }
      }
    }
  }
  return reads;
}

// The source's pixel in each place of a strip, or -1 for zeros.
std::vector<int> pixels_of(const TapPlan& plan, const Strip& strip, const ImagePhase& phase) {
  std::vector<int> pixels(static_cast<std::size_t>((strip.rows + plan.extra_rows() + 1) * plan.strip_width()), -1);
  plan.for_rows(strip, phase, [&](int row, int y, int x, int at, int count) {
    for (int i = 0; i < count; ++i) {
      const int pixel = y * plan.source().width + x + i * plan.source_stride().columns;
      pixels[static_cast<std::size_t>(row * plan.strip_width() + at + i)] = pixel;
    }
  });
  return pixels;
}

void add_reads(const TapPlan& plan, const Strip& strip, const ResultPhase& phase, std::set<Read>& reads) {
  for (const PhaseTap& tap : phase.taps) {
    const auto pixels = pixels_of(plan, strip, plan.source_phases()[static_cast<std::size_t>(tap.source_phase)]);
    for (int row = 0; row < std::min(strip.rows, phase.height - strip.first_row); ++row) {
      for (int column = 0; column < phase.width; ++column) {
        const auto at = row * plan.strip_width() + column + plan.shift(tap);
        const int pixel = pixels[static_cast<std::size_t>(at)];
        if (pixel < 0) continue;
        const int h = (strip.first_row + row) * plan.result_stride().rows + phase.place.row;
        const int w = column * plan.result_stride().columns + phase.place.column;
        reads.emplace(h, w, pixel / plan.source().width, pixel % plan.source().width, tap.weight);
      }
    }
  }
}

std::set<Read> by_plan(const TapPlan& plan, int rows) {
  std::set<Read> reads;
  for (std::int64_t i = 0; i < plan.strips_of(rows); ++i) {
    for (const ResultPhase& phase : plan.result_phases()) add_reads(plan, plan.strip(i, rows), phase, reads);
  }
  return reads;
}

std::set<Read> turned_round(const std::set<Read>& reads) {
  std::set<Read> turned;
  for (const auto& [h, w, y, x, tap] : reads) turned.emplace(y, x, h, w, tap);
  return turned;
}

class TapPlanCases : public testing::TestWithParam<ConvolutionCase> {};

TEST_P(TapPlanCases, ReadsWhatAConvolutionReads) {
  const ConvolutionProblem problem = GetParam().problem();
  for (const int rows : {1, 2, 100}) {
    EXPECT_EQ(by_plan(TapPlan(problem, Pass::forward), rows), by_definition(problem)) << rows << " rows in a strip";
    EXPECT_EQ(by_plan(TapPlan(problem, Pass::backward_data), rows), turned_round(by_definition(problem)))
        << rows << " rows in a strip, backward";
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TapPlanCases,
                         testing::Values(ConvolutionCase("same", {1, 16, 5, 6}, 16, {3, 3}).pad(1),
                                         ConvolutionCase("pointwise", {1, 16, 4, 3}, 16, {1, 1}),
                                         ConvolutionCase("strided", {1, 16, 7, 8}, 16, {3, 3}).stride(2, 2).pad(1),
                                         ConvolutionCase("skipping", {1, 16, 7, 8}, 16, {1, 1}).stride(2, 2),
                                         ConvolutionCase("uneven", {1, 16, 9, 8}, 16, {3, 5}).stride(3, 2).pad(1),
                                         ConvolutionCase("one_sided", {1, 16, 5, 5}, 16, {3, 3}).pad(2, 0, 0, 1),
                                         ConvolutionCase("dilated", {1, 16, 9, 9}, 16, {3, 3}).pad(2).dilation(2, 2),
                                         ConvolutionCase("large", {1, 16, 13, 12}, 16, {7, 7}).stride(2, 2).pad(3)),
                         [](const auto& row) { return row.param.name(); });

}  // namespace
}  // namespace convoy::kernels
