#include "convoy/kernels/sample_norm.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/operator_run_test.h"
#include "convoy/kernels/reference/sample_norm.h"

namespace convoy::kernels {
namespace {

using namespace reference;

struct NormCase {
  Layout::Dims dims;
  std::int64_t groups;
  bool per_element;
};

class SampleNorms : public testing::TestWithParam<NormCase> {
 protected:
  [[nodiscard]] static SampleNormProblem problem(DataType type) {
    const Layout::Dims& dims = GetParam().dims;
    return {.layout = dims.size() == 4 ? Layout::blocked(dims, type) : Layout::plain(dims, type),
            .groups = GetParam().groups,
            .per_element = GetParam().per_element};
  }
  [[nodiscard]] static SampleNorm twin() {
    const SampleNormProblem p = problem(DataType::fp32);
    return {.batch = static_cast<std::size_t>(p.batch()),
            .channels = static_cast<std::size_t>(p.channels()),
            .pixels = static_cast<std::size_t>(p.pixels()),
            .groups = static_cast<std::size_t>(p.groups),
            .per_element = p.per_element};
  }

  const std::int64_t factors_ = problem(DataType::fp32).factors();
  const Values x_ = random_bf16(GetParam().dims, 1, 3.0F);
  const Values dy_ = random_bf16(GetParam().dims, 2);
  const Values scale_ = random_values(factors_, 3, 2.0F);
  const Values shift_ = random_values(factors_, 4);
};

TEST_P(SampleNorms, ForwardAndBackward) {
  for (const DataType type : {DataType::fp32, kBf16}) {
    const double roundings = type == kBf16 ? 1 : 1e-3;
    OperatorRun run(prepare_sample_norm(problem(type)));
    run.give(Role::source, x_).give(Role::weights, scale_).give(Role::bias, shift_).run();
    EXPECT_TRUE(close_in_bf16(run.take(Role::destination), twin().forward(x_, scale_, shift_), 1e-5, roundings));
    OperatorRun back(prepare_sample_norm_backward(problem(type)));
    back.give(Role::source, x_).give(Role::weights, scale_).give(Role::diff_destination, dy_);
    back.take_over(Role::workspace, run).run();
    const auto expected = twin().backward(x_, scale_, dy_);
    EXPECT_TRUE(close_in_bf16(back.take(Role::diff_source), expected.x, 1e-5, roundings));
    EXPECT_TRUE(close(back.take(Role::diff_weights), expected.scale, 1e-5));
    EXPECT_TRUE(close(back.take(Role::diff_bias), expected.shift, 1e-5));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SampleNorms,
                         testing::Values(NormCase{{2, 6, 3, 3}, 3, false}, NormCase{{3, 32, 4, 4}, 8, false},
                                         NormCase{{2, 20, 2, 3}, 1, false}, NormCase{{2, 5, 3, 2}, 5, false},
                                         NormCase{{3, 9, 2, 2}, 1, true}, NormCase{{4, 17}, 1, true},
                                         NormCase{{1, 1, 5, 5}, 1, false}));

}  // namespace
}  // namespace convoy::kernels
