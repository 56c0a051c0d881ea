#include "convoy/kernels/batch_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "convoy/base/check.h"
#include "convoy/kernels/batch_norm_memory.h"
#include "convoy/kernels/batch_norm_sweeps.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels {
namespace {

// Arrays in the scratchpad: sums per channel that are exchanged with other ranks, two values per channel and
// plane from the first sweep, then coefficients per channel.
struct NormScratch {
  std::span<double> sums;  // a count, then two values for each channel
  float* first;            // [planes][block]
  float* second;           // [planes][block]
  float* coefficients[3];

  NormScratch(const PlaneGrid& grid, void* memory)
      : sums(static_cast<double*>(memory), sums_of(grid)), first(reinterpret_cast<float*>(sums.data() + sums.size())) {
    const std::int64_t per_plane = grid.planes() * grid.block;
    second = first + per_plane;
    for (int i = 0; i < 3; ++i) coefficients[i] = second + per_plane + i * grid.channels();
  }

  static std::size_t bytes(const PlaneGrid& grid) {
    return sums_of(grid) * sizeof(double) +
           static_cast<std::size_t>(2 * grid.planes() * grid.block + 3 * grid.channels()) * sizeof(float);
  }

 private:
  static std::size_t sums_of(const PlaneGrid& grid) { return static_cast<std::size_t>(1 + 2 * grid.channels()); }
};

// What forward leaves for backward, per channel: the mean, 1 / deviation, and a and b of y = a x + b.
struct Saved {
  float* mean;
  float* inverse;
  float* a;
  float* b;

  Saved(const PlaneGrid& grid, void* memory)
      : mean(static_cast<float*>(memory)),
        inverse(mean + grid.channels()),
        a(inverse + grid.channels()),
        b(a + grid.channels()) {}

  static std::size_t bytes(const PlaneGrid& grid) {
    return static_cast<std::size_t>(4 * grid.channels()) * sizeof(float);
  }
};

// Some channels of a block, which are summed up together: their sums do not wait for each other.
constexpr std::int64_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

// Calls visit(c, found) for each channel c of a block. together(c) finds what belongs to kLanes channels from c on.
template <typename Together, typename Visit>
void for_channels(const PlaneGrid& grid, std::int64_t block, const Together& together, const Visit& visit) {
  for (std::int64_t c = block * grid.block; c < (block + 1) * grid.block; c += kLanes) {
    const auto found = together(c);
    for (std::int64_t lane = 0; lane < kLanes; ++lane) visit(c + lane, found[static_cast<std::size_t>(lane)]);
  }
}

struct Moments {
  double mean;
  double m2;
};

// The moments of channels from those of their planes, all of which have the same number of pixels.
std::array<Moments, kLanes> combine(const PlaneGrid& grid, const float* means, const float* m2s, std::int64_t channel) {
  const std::int64_t stride = grid.channels();
  Lanes mean{};
  Lanes m2{};
  for (std::int64_t n = 0; n < grid.batch; ++n) {
    for (std::size_t l = 0; l < mean.size(); ++l) mean[l] += (means + channel + n * stride)[l];
  }
  for (double& one : mean) one /= static_cast<double>(grid.batch);
  for (std::int64_t n = 0; n < grid.batch; ++n) {
    for (std::size_t l = 0; l < mean.size(); ++l) {
      const double offset = (means + channel + n * stride)[l] - mean[l];
      m2[l] += (m2s + channel + n * stride)[l] + offset * offset * static_cast<double>(grid.pixels);
    }
  }
  std::array<Moments, kLanes> moments;
  for (std::size_t l = 0; l < mean.size(); ++l) moments[l] = {mean[l], m2[l]};
  return moments;
}

// Sums over all ranks, per channel. A rank without samples adds zeros, but takes part in the exchange.
class RankSums {
 public:
  RankSums(const PlaneGrid& grid, std::span<double> values, const StepInfo& info)
      : channels_(grid.channels()),
        values_(values),
        info_(info),
        own_count_(info.counts ? static_cast<double>(grid.batch * grid.pixels) : 0) {
    std::ranges::fill(values_, 0.0);
    values_[0] = own_count_;
  }

  // Null if every rank uses only its own samples.
  static const StepInfo* wanted(const Bindings& memory) {
    const auto* info = memory.as<const StepInfo>(Role::step_info);
    return info != nullptr && info->sum_over_ranks != nullptr ? info : nullptr;
  }

  [[nodiscard]] double own_count() const { return own_count_; }
  double& first(std::int64_t c) { return values_[static_cast<std::size_t>(1 + c)]; }
  double& second(std::int64_t c) { return values_[static_cast<std::size_t>(1 + channels_ + c)]; }
  void exchange() { (*info_.sum_over_ranks)(values_); }
  // The count of all ranks, after the exchange.
  [[nodiscard]] double count() const { return values_[0]; }

 private:
  std::int64_t channels_;
  std::span<double> values_;
  const StepInfo& info_;
  double own_count_;
};

template <typename Element>
class Forward {
 public:
  Forward(const BatchNormProblem& problem, const PlaneGrid& grid) : problem_(problem), grid_(grid) {}

  void operator()(const Bindings& memory) const {
    const NormScratch scratch(grid_, memory[Role::scratchpad]);
    const auto* x = memory.as<const Element>(Role::source);
    const auto measure = [&](std::int64_t plane, std::int64_t) {
      simd::loops<Element>().moments(x + plane * grid_.plane_elements(), grid_.pixels,
                                     scratch.first + plane * grid_.block, scratch.second + plane * grid_.block);
    };
    const auto finish = [&](std::int64_t plane, std::int64_t block) { apply(memory, plane, block); };
    if (const StepInfo* info = RankSums::wanted(memory)) {
      parallel_for(grid_.planes(), [&](std::int64_t plane) { measure(plane, plane % grid_.blocks); });
      settle_over_ranks(memory, scratch, *info);
      parallel_for(grid_.planes(), [&](std::int64_t plane) { finish(plane, plane % grid_.blocks); });
      return;
    }
    two_sweeps(
        grid_, (problem_.shortcut ? 3 : 2) * sizeof(Element), measure,
        [&](std::int64_t block) { settle(memory, scratch, block); }, finish);
  }

 private:
  void settle(const Bindings& memory, const NormScratch& scratch, std::int64_t block) const {
    const double count = static_cast<double>(grid_.batch * grid_.pixels);
    for_channels(
        grid_, block, [&](std::int64_t c) { return combine(grid_, scratch.first, scratch.second, c); },
        [&](std::int64_t c, const Moments& moments) { settle_channel(memory, c, moments, count); });
  }

  // Ranks add up sums of squares, not of squared deviations, whose mean is not known yet; in doubles the variance keeps
  // enough digits.
  void settle_over_ranks(const Bindings& memory, const NormScratch& scratch, const StepInfo& info) const {
    RankSums sums(grid_, scratch.sums, info);
    const double own = sums.own_count();
    for (std::int64_t block = 0; block < grid_.blocks && own > 0; ++block) {
      for_channels(
          grid_, block, [&](std::int64_t c) { return combine(grid_, scratch.first, scratch.second, c); },
          [&](std::int64_t c, const Moments& moments) {
            sums.first(c) = own * moments.mean;
            sums.second(c) = moments.m2 + own * moments.mean * moments.mean;
          });
    }
    sums.exchange();
    for (std::int64_t c = 0; c < grid_.channels(); ++c) {
      const double mean = sums.first(c) / sums.count();
      const double m2 = std::max(0.0, sums.second(c) - sums.first(c) * mean);
      settle_channel(memory, c, {mean, m2}, sums.count());
    }
  }

  // From moments to coefficients and running statistics.
  void settle_channel(const Bindings& memory, std::int64_t c, const Moments& moments, double count) const {
    auto* running_mean = memory.as<float>(Role::running_mean);
    auto* running_variance = memory.as<float>(Role::running_variance);
    const double inverse = 1.0 / std::sqrt(moments.m2 / count + problem_.epsilon);
    const double a = memory.as<const float>(Role::weights)[c] * inverse;
    const Saved saved(grid_, memory[Role::workspace]);
    saved.mean[c] = static_cast<float>(moments.mean);
    saved.inverse[c] = static_cast<float>(inverse);
    saved.a[c] = static_cast<float>(a);
    saved.b[c] = static_cast<float>(memory.as<const float>(Role::bias)[c] - a * moments.mean);
    // The running variance is the unbiased one, as in PyTorch.
    const double unbiased = count > 1 ? moments.m2 / (count - 1) : moments.m2;
    running_mean[c] += problem_.momentum * (static_cast<float>(moments.mean) - running_mean[c]);
    running_variance[c] += problem_.momentum * (static_cast<float>(unbiased) - running_variance[c]);
  }

  void apply(const Bindings& memory, std::int64_t plane, std::int64_t block) const {
    const Saved saved(grid_, memory[Role::workspace]);
    const std::int64_t at = plane * grid_.plane_elements();
    simd::loops<Element>().batch_norm_apply(
        {.x = memory.as<const Element>(Role::source) + at,
         .shortcut = problem_.shortcut ? memory.as<const Element>(Role::source2) + at : nullptr,
         .y = memory.as<Element>(Role::destination) + at,
         .pixels = grid_.pixels,
         .a = saved.a + block * grid_.block,
         .b = saved.b + block * grid_.block,
         .activation = problem_.activation});
  }

  BatchNormProblem problem_;
  PlaneGrid grid_;
};

template <typename Element>
class Backward {
 public:
  Backward(const BatchNormProblem& problem, const BatchNormGradientOptions& options, const PlaneGrid& grid)
      : problem_(problem), options_(options), grid_(grid) {}

  void operator()(const Bindings& memory) const {
    const NormScratch scratch(grid_, memory[Role::scratchpad]);
    const Saved saved(grid_, memory[Role::workspace]);
    const auto measure = [&](std::int64_t plane, std::int64_t block) {
      simd::loops<Element>().batch_norm_sums(gradient(memory, plane, block), saved.mean + block * grid_.block,
                                             scratch.first + plane * grid_.block, scratch.second + plane * grid_.block);
    };
    const auto finish = [&](std::int64_t plane, std::int64_t block) { apply(memory, scratch, plane, block); };
    if (const StepInfo* info = RankSums::wanted(memory)) {
      parallel_for(grid_.planes(), [&](std::int64_t plane) { measure(plane, plane % grid_.blocks); });
      settle_over_ranks(memory, scratch, *info);
      parallel_for(grid_.planes(), [&](std::int64_t plane) { finish(plane, plane % grid_.blocks); });
      return;
    }
    two_sweeps(
        grid_, 3 * sizeof(Element), measure, [&](std::int64_t block) { settle(memory, scratch, block); }, finish);
  }

 private:
  [[nodiscard]] bool mask_from_y() const { return problem_.shortcut && problem_.activation != Activation::none; }

  [[nodiscard]] simd::BatchNormGradient<Element> gradient(const Bindings& memory, std::int64_t plane,
                                                          std::int64_t block) const {
    const Saved saved(grid_, memory[Role::workspace]);
    const std::int64_t at = plane * grid_.plane_elements();
    return {.x = memory.as<const Element>(Role::source) + at,
            .y = mask_from_y() ? memory.as<const Element>(Role::destination) + at : nullptr,
            .gradient = memory.as<const Element>(Role::diff_destination) + at,
            .gradient2 = options_.two_gradients ? memory.as<const Element>(Role::diff_destination2) + at : nullptr,
            .masked = options_.write_shortcut_gradient ? memory.as<Element>(Role::diff_source2) + at : nullptr,
            .pixels = grid_.pixels,
            .a = saved.a + block * grid_.block,
            .b = saved.b + block * grid_.block,
            .activation = problem_.activation};
  }

  // Sums of the gradient g, and of g times the source's deviation from the mean.
  struct Sums {
    double g = 0;
    double gx = 0;
  };

  [[nodiscard]] std::array<Sums, kLanes> sums_of(const NormScratch& scratch, std::int64_t channel) const {
    Lanes g{};
    Lanes gx{};
    for (std::int64_t n = 0; n < grid_.batch; ++n) {
      const std::int64_t at = n * grid_.channels() + channel;
      for (std::size_t l = 0; l < g.size(); ++l) {
        g[l] += (scratch.first + at)[l];
        gx[l] += (scratch.second + at)[l];
      }
    }
    std::array<Sums, kLanes> sums;
    for (std::size_t l = 0; l < g.size(); ++l) sums[l] = {g[l], gx[l]};
    return sums;
  }

  void settle(const Bindings& memory, const NormScratch& scratch, std::int64_t block) const {
    const double count = static_cast<double>(grid_.batch * grid_.pixels);
    for_channels(
        grid_, block, [&](std::int64_t c) { return sums_of(scratch, c); },
        [&](std::int64_t c, const Sums& sums) {
          write_gradients(memory, c, sums);
          settle_channel(memory, scratch, c, sums, count);
        });
  }

  // Scale and shift get only this rank's part of their gradients, because these are summed over the ranks later, like
  // all others.
  void settle_over_ranks(const Bindings& memory, const NormScratch& scratch, const StepInfo& info) const {
    RankSums all(grid_, scratch.sums, info);
    for (std::int64_t block = 0; block < grid_.blocks; ++block) {
      for_channels(
          grid_, block, [&](std::int64_t c) { return sums_of(scratch, c); },
          [&](std::int64_t c, const Sums& own) {
            write_gradients(memory, c, own);
            all.first(c) = own.g;
            all.second(c) = own.gx;
          });
    }
    all.exchange();
    for (std::int64_t c = 0; c < grid_.channels(); ++c) {
      settle_channel(memory, scratch, c, {all.first(c), all.second(c)}, all.count());
    }
  }

  void write_gradients(const Bindings& memory, std::int64_t c, const Sums& sums) const {
    const Saved saved(grid_, memory[Role::workspace]);
    memory.as<float>(Role::diff_weights)[c] = static_cast<float>(sums.gx * saved.inverse[c]);
    memory.as<float>(Role::diff_bias)[c] = static_cast<float>(sums.g);
  }

  // dx = scale * inverse * (g - mean(g) - xhat * mean(g xhat)), written as p g + q x + r.
  void settle_channel(const Bindings& memory, const NormScratch& scratch, std::int64_t c, const Sums& sums,
                      double count) const {
    const Saved saved(grid_, memory[Role::workspace]);
    const double inverse = saved.inverse[c];
    const double p = memory.as<const float>(Role::weights)[c] * inverse;
    const double q = -p * inverse * inverse * sums.gx / count;
    scratch.coefficients[0][c] = static_cast<float>(p);
    scratch.coefficients[1][c] = static_cast<float>(q);
    scratch.coefficients[2][c] = static_cast<float>(-p * sums.g / count - q * saved.mean[c]);
  }

  void apply(const Bindings& memory, const NormScratch& scratch, std::int64_t plane, std::int64_t block) const {
    simd::BatchNormGradient<Element> arguments = gradient(memory, plane, block);
    if (arguments.masked != nullptr) {  // the first sweep has left g ready to use
      arguments.gradient = arguments.masked;
      arguments.gradient2 = nullptr;
      arguments.masked = nullptr;
      arguments.y = nullptr;
      arguments.activation = Activation::none;
    }
    simd::loops<Element>().batch_norm_gradient(arguments, scratch.coefficients[0] + block * grid_.block,
                                               scratch.coefficients[1] + block * grid_.block,
                                               scratch.coefficients[2] + block * grid_.block,
                                               memory.as<Element>(Role::diff_source) + plane * grid_.plane_elements());
  }

  BatchNormProblem problem_;
  BatchNormGradientOptions options_;
  PlaneGrid grid_;
};

}  // namespace

PreparedPtr prepare_batch_norm(const BatchNormProblem& problem) {
  const Layout layout = problem.layout();
  const PlaneGrid grid = PlaneGrid::of(layout);
  auto needs = channel_needs(problem, {Role::weights, Role::bias, Role::running_mean, Role::running_variance});
  needs.emplace_back(Role::workspace, Saved::bytes(grid));
  needs.emplace_back(Role::scratchpad, NormScratch::bytes(grid));
  std::vector<std::pair<Role, Layout>> operands = {{Role::source, layout}, {Role::destination, layout}};
  if (problem.shortcut) operands.emplace_back(Role::source2, layout);
  return with_element(problem.type, [&]<typename Element>() {
    return std::make_shared<LoopOperator>("convoy:batch_norm", operands, needs, Forward<Element>(problem, grid));
  });
}

PreparedPtr prepare_batch_norm_backward(const BatchNormProblem& problem, const BatchNormGradientOptions& options) {
  const Layout layout = problem.layout();
  const PlaneGrid grid = PlaneGrid::of(layout);
  auto needs = channel_needs(problem, {Role::weights, Role::bias, Role::diff_weights, Role::diff_bias});
  needs.emplace_back(Role::workspace, Saved::bytes(grid));
  needs.emplace_back(Role::scratchpad, NormScratch::bytes(grid));
  std::vector<std::pair<Role, Layout>> operands = {
      {Role::source, layout}, {Role::diff_destination, layout}, {Role::diff_source, layout}};
  if (problem.shortcut && problem.activation != Activation::none) operands.emplace_back(Role::destination, layout);
  if (options.two_gradients) operands.emplace_back(Role::diff_destination2, layout);
  if (options.write_shortcut_gradient) operands.emplace_back(Role::diff_source2, layout);
  return with_element(problem.type, [&]<typename Element>() {
    return std::make_shared<LoopOperator>("convoy:batch_norm_backward", operands, needs,
                                          Backward<Element>(problem, options, grid));
  });
}

}  // namespace convoy::kernels
