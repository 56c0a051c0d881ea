// Winograd convolutions whose values at points are bf16, compared with their twins in doubles.
//
// Both factors of each product are rounded, each by at most 2^-8 of itself. These roundings are independent, so the
// variance of a product is at most 2/3 of (2^-8 times the product) squared, and a twin of the transforms in doubles
// adds up what that makes of each result. That is the allowance: its root over all results for their errors together,
// six times its root for a single one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/operator_run_test.h"
#include "convoy/kernels/winograd/candidates.h"

namespace convoy::kernels {
namespace {

using namespace reference;

using Matrix = std::vector<Values>;

Matrix matrix(std::size_t rows, std::size_t columns) { return {rows, Values(columns)}; }

// The matrices of Toom and Cook for results y = C (E w * B x): weights w as a polynomial at the points, and at
// infinity.
struct Transforms {
  Matrix e, b, c;

  Transforms(const Values& points, std::size_t taps, std::size_t outputs)
      : e(matrix(points.size() + 1, taps)),
        b(matrix(points.size() + 1, points.size() + 1)),
        c(matrix(outputs, points.size() + 1)) {
    const std::size_t last = points.size();
    for (std::size_t i = 0; i < last; ++i) {
      for (std::size_t k = 0; k < taps; ++k) e[i][k] = std::pow(points[i], static_cast<double>(k));
      for (std::size_t k = 0; k < outputs; ++k) c[k][i] = std::pow(points[i], static_cast<double>(k));
      b[i] = polynomial(points, i);
    }
    e[last][taps - 1] = 1;
    c[outputs - 1][last] = 1;
    b[last] = polynomial(points, last);
  }

  // The coefficients of the product of (z - p) over all points but one, which is 1 at that one.
  static Values polynomial(const Values& points, std::size_t without) {
    Values result(points.size() + 1);
    result[0] = 1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == without) continue;
      for (std::size_t k = points.size(); k > 0; --k) result[k] = result[k - 1] - points[i] * result[k];
      result[0] *= -points[i];
      if (without == points.size()) continue;
      for (double& one : result) one /= points[without] - points[i];
    }
    return result;
  }
};

// a x a^T, with `get(i, j)` for x. Of squares of a, if squared.
template <typename Get>
Matrix both_sides(const Matrix& a, bool transposed, bool squared, std::size_t size, const Get& get) {
  const std::size_t rows = transposed ? a[0].size() : a.size();
  const auto factor = [&](std::size_t row, std::size_t k) {
    const double value = transposed ? a[k][row] : a[row][k];
    return squared ? value * value : value;
  };
  Matrix half = matrix(rows, size);
  Matrix result = matrix(rows, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < size; ++k) half[i][j] += factor(i, k) * get(k, j);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t k = 0; k < size; ++k) result[i][j] += half[i][k] * factor(j, k);
    }
  }
  return result;
}

constexpr double kProductVariance = 2.0 / 3 * kHalfUnit * kHalfUnit;

// A winograd convolution in doubles: its results and how much their variance is allowed to be.
class Twin {
 public:
  Twin(const ConvolutionProblem& problem, std::size_t outputs)
      : p_(problem),
        outputs_(outputs),
        taps_(static_cast<std::size_t>(problem.kernel_h)),
        points_(outputs + taps_ - 1),
        t_(points_ == 4 ? Values{0, 1, -1} : Values{0, 0.625, -0.625, 1.5, -1.5}, taps_, outputs) {}

  struct Results {
    Values values, variances;
  };

  [[nodiscard]] Results forward(const Values& x, const Values& w) const {
    const Image to{p_.batch, p_.out_channels, p_.out_h, p_.out_w};
    Results results{to.zeros(), to.zeros()};
    for_tiles([&](std::int64_t n, std::int64_t top, std::int64_t left) {
      for (std::int64_t o = 0; o < p_.out_channels; ++o) {
        Matrix sum = matrix(points_, points_);
        Matrix variance = matrix(points_, points_);
        for (std::int64_t c = 0; c < p_.in_channels; ++c)
          add(at_points(x, n, c, top, left), weights(w, o, c), sum, variance);
        store(sum, false, results.values, to, n, o, top, left);
        store(variance, true, results.variances, to, n, o, top, left);
      }
    });
    return results;
  }

  [[nodiscard]] Results backward_weights(const Values& x, const Values& dy) const {
    const Image to{p_.out_channels, p_.in_channels, p_.kernel_h, p_.kernel_w};
    Results results{to.zeros(), to.zeros()};
    for (std::int64_t o = 0; o < p_.out_channels; ++o) {
      for (std::int64_t c = 0; c < p_.in_channels; ++c) {
        Matrix sum = matrix(points_, points_);
        Matrix variance = matrix(points_, points_);
        for_tiles([&](std::int64_t n, std::int64_t top, std::int64_t left) {
          add(at_points(x, n, c, top, left), gradient(dy, n, o, top, left), sum, variance);
        });
        const auto put = [&](const Matrix& at_points, bool squared, Values& values) {
          const Matrix square =
              both_sides(t_.e, true, squared, points_, [&](std::size_t i, std::size_t j) { return at_points[i][j]; });
          for (std::size_t i = 0; i < taps_ * taps_; ++i) {
            values[to.at(o, c, 0, 0) + i] = square[i / taps_][i % taps_];
          }
        };
        put(sum, false, results.values);
        put(variance, true, results.variances);
      }
    }
    return results;
  }

 private:
  static void add(const Matrix& a, const Matrix& b, Matrix& sum, Matrix& variance) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        const double product = a[i][j] * b[i][j];
        sum[i][j] += product;
        variance[i][j] += kProductVariance * product * product;
      }
    }
  }

  template <typename Body>
  void for_tiles(const Body& body) const {
    const auto step = static_cast<std::int64_t>(outputs_);
    for (std::int64_t n = 0; n < p_.batch; ++n) {
      for (std::int64_t top = 0; top < p_.out_h; top += step) {
        for (std::int64_t left = 0; left < p_.out_w; left += step) body(n, top, left);
      }
    }
  }

  [[nodiscard]] Matrix at_points(const Values& x, std::int64_t n, std::int64_t c, std::int64_t top,
                                 std::int64_t left) const {
    const Image from{p_.batch, p_.in_channels, p_.in_h, p_.in_w};
    return both_sides(t_.b, false, false, points_, [&](std::size_t i, std::size_t j) {
      const std::int64_t y = top - p_.pad_top + static_cast<std::int64_t>(i);
      const std::int64_t z = left - p_.pad_left + static_cast<std::int64_t>(j);
      return from.inside(y, z) ? x[from.at(n, c, y, z)] : 0.0;
    });
  }

  [[nodiscard]] Matrix gradient(const Values& dy, std::int64_t n, std::int64_t o, std::int64_t top,
                                std::int64_t left) const {
    const Image from{p_.batch, p_.out_channels, p_.out_h, p_.out_w};
    return both_sides(t_.c, true, false, outputs_, [&](std::size_t i, std::size_t j) {
      const std::int64_t y = top + static_cast<std::int64_t>(i);
      const std::int64_t z = left + static_cast<std::int64_t>(j);
      return from.inside(y, z) ? dy[from.at(n, o, y, z)] : 0.0;
    });
  }

  [[nodiscard]] Matrix weights(const Values& w, std::int64_t o, std::int64_t c) const {
    const Image from{p_.out_channels, p_.in_channels, p_.kernel_h, p_.kernel_w};
    return both_sides(t_.e, false, false, taps_, [&](std::size_t i, std::size_t j) {
      return w[from.at(o, c, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j))];
    });
  }

  void store(const Matrix& at_points, bool squared, Values& values, const Image& to, std::int64_t n, std::int64_t o,
             std::int64_t top, std::int64_t left) const {
    const Matrix tile =
        both_sides(t_.c, false, squared, points_, [&](std::size_t i, std::size_t j) { return at_points[i][j]; });
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(outputs_); ++i) {
      for (std::int64_t j = 0; j < static_cast<std::int64_t>(outputs_); ++j) {
        if (!to.inside(top + i, left + j)) continue;
        values[to.at(n, o, top + i, left + j)] = tile[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      }
    }
  }

  ConvolutionProblem p_;
  std::size_t outputs_, taps_, points_;
  Transforms t_;
};

// The convolution that computes the gradient of the source.
ConvolutionProblem turned(ConvolutionProblem p) {
  std::swap(p.in_channels, p.out_channels);
  std::swap(p.in_h, p.out_h);
  std::swap(p.in_w, p.out_w);
  p.pad_top = p.kernel_h - 1 - p.pad_top;
  p.pad_left = p.kernel_w - 1 - p.pad_left;
  return p;
}

Values turned_weights(const ConvolutionProblem& p, const Values& w) {
  const Image from{p.out_channels, p.in_channels, p.kernel_h, p.kernel_w};
  const Image to{p.in_channels, p.out_channels, p.kernel_h, p.kernel_w};
  Values result = to.zeros();
  for (std::int64_t o = 0; o < from.batch; ++o) {
    for (std::int64_t c = 0; c < from.channels; ++c) {
      for (std::int64_t i = 0; i < from.h * from.w; ++i) {
        result[to.at(c, o, i / from.w, i % from.w)] =
            w[from.at(o, c, from.h - 1 - i / from.w, from.w - 1 - i % from.w)];
      }
    }
  }
  return result;
}

// `rounded_results`: whether results are stored in bf16, too.
void expect_close(const Values& actual, const Values& expected, const Values& variances, bool rounded_results) {
  ASSERT_EQ(actual.size(), expected.size());
  constexpr double kSums = 1e-5;  // of floats
  double errors = 0;
  double allowed = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double rounding = rounded_results ? kHalfUnit * std::abs(expected[i]) : 0;
    const double error = actual[i] - expected[i];
    ASSERT_LE(std::abs(error), 6 * std::sqrt(variances[i]) + rounding + kSums * largest(expected)) << "element " << i;
    errors += error * error;
    allowed += variances[i] + rounding * rounding / 3;
  }
  EXPECT_LE(errors, allowed);
  // A kernel that is much better does not round what this test is about.
  EXPECT_GE(errors, allowed / 100);
}

class WinogradPairs : public testing::TestWithParam<ConvolutionCase> {
 protected:
  void SetUp() override {
    if (!has_bf16_instructions()) GTEST_SKIP() << "this processor has no bf16 instructions";
    if (has_matrix_registers()) GTEST_SKIP() << "matrix registers are used instead of pairs on this processor";
  }

  // Calls body with each implementation by pairs of a pass, and a twin with tiles of the same size.
  template <typename Body>
  void for_all(const Device& device, Pass pass, const Body& body) const {
    int seen = 0;
    for (const PreparedPtr& candidate : winograd_candidates(device, problem_, pass)) {
      const std::string name = candidate->implementation();
      if (!name.ends_with("_bf16")) continue;
      SCOPED_TRACE(name);
      const std::size_t outputs = name.starts_with("convoy:winograd_2x2") ? 2 : 4;
      body(candidate, Twin(pass == Pass::backward_data ? turned(problem_) : problem_, outputs));
      ++seen;
    }
    EXPECT_GE(seen, 1);
  }

  [[nodiscard]] static ConvolutionProblem in_bf16(ConvolutionProblem problem) {
    problem.type = kBf16;
    return problem;
  }

  const ConvolutionProblem problem_ = in_bf16(GetParam().problem());
  const Values x_ = random_bf16(problem_.source_dims(), 1, 2.0F);
  const Values w_ = random_bf16(problem_.weights_dims(), 2);
  const Values b_ = random_values(problem_.out_channels, 3);
  const Values dy_ = random_bf16(problem_.destination_dims(), 4);
};

TEST_P(WinogradPairs, Forward) {
  const Values expected = convolution(problem_, x_, w_, b_);
  for_all(test_device(), Pass::forward, [&](const PreparedPtr& candidate, const Twin& twin) {
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_);
    if (problem_.bias) run.give(Role::bias, b_);
    expect_close(run.run().take(Role::destination), expected, twin.forward(x_, w_).variances, true);
  });
}

TEST_P(WinogradPairs, BackwardData) {
  const Values expected = convolution_backward_data(problem_, dy_, w_);
  for_all(test_device(), Pass::backward_data, [&](const PreparedPtr& candidate, const Twin& twin) {
    const Twin::Results twins = twin.forward(dy_, turned_weights(problem_, w_));
    ASSERT_TRUE(close(twins.values, expected, 1e-12)) << "the twin is wrong";
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_);
    expect_close(run.run().take(Role::diff_source), expected, twins.variances, true);
  });
}

// On one thread and on several, which may have an odd number of tiles each.
TEST_P(WinogradPairs, BackwardWeights) {
  const Values expected = convolution_backward_weights(problem_, x_, dy_);
  const Values expected_bias = convolution_backward_bias(problem_, dy_);
  for (const int threads : {1, 3}) {
    const Device device(threads);
    for_all(device, Pass::backward_weights, [&](const PreparedPtr& candidate, const Twin& twin) {
      const Twin::Results twins = twin.backward_weights(x_, dy_);
      ASSERT_TRUE(close(twins.values, expected, 1e-12)) << "the twin is wrong";
      OperatorRun run(candidate);
      run.give(Role::source, x_).give(Role::diff_destination, dy_);
      expect_close(run.run().take(Role::diff_weights), expected, twins.variances, false);
      if (problem_.bias) {
        EXPECT_TRUE(close(run.take(Role::diff_bias), expected_bias, 1e-5));
      }
    });
  }
  test_device().use();
}

INSTANTIATE_TEST_SUITE_P(Cases, WinogradPairs,
                         testing::Values(ConvolutionCase("few_channels", {2, 17, 7, 6}, 24, {3, 3}).pad(1).no_bias(),
                                         ConvolutionCase("a_bias", {3, 32, 8, 8}, 16, {3, 3}).pad(1),
                                         ConvolutionCase("one_sided", {1, 16, 5, 5}, 16, {3, 3}).pad(2, 0, 0, 1),
                                         ConvolutionCase("tiny_images", {21, 16, 2, 2}, 48, {3, 3}).pad(1),
                                         ConvolutionCase("unpadded", {1, 48, 13, 13}, 33, {3, 3}).no_bias(),
                                         ConvolutionCase("of_5x5", {3, 32, 9, 8}, 17, {5, 5}).pad(2),
                                         ConvolutionCase("of_5x5_unpadded", {2, 16, 10, 9}, 32, {5, 5}).no_bias(),
                                         ConvolutionCase("more_weights_than_tiles", {1, 64, 4, 4}, 48, {3, 3}).pad(1)),
                         [](const auto& row) { return row.param.name(); });

}  // namespace
}  // namespace convoy::kernels
