#include "convoy/kernels/sample_norm.h"

#include <cmath>

#include "convoy/base/check.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels {
namespace {

// Where elements are in memory: channels in blocks, or one after the other.
struct SampleGrid {
  std::int64_t channels;
  std::int64_t pixels;
  std::int64_t block = 1;
  std::int64_t blocks;
  std::int64_t channels_of_group;

  explicit SampleGrid(const SampleNormProblem& problem)
      : channels(problem.channels()),
        pixels(problem.pixels()),
        blocks(channels),
        channels_of_group(channels / problem.groups) {
    if (problem.layout.dims().size() != 4) return;
    CONVOY_CHECK(problem.layout == Layout::blocked(problem.layout.dims(), problem.layout.type()));
    const PlaneGrid grid = PlaneGrid::of(problem.layout);
    block = grid.block;
    blocks = grid.blocks;
  }

  [[nodiscard]] std::int64_t elements() const { return blocks * block * pixels; }  // of a sample, including padding
  // The index of a channel's first pixel; the next pixels are `block` apart.
  [[nodiscard]] std::int64_t at(std::int64_t sample, std::int64_t channel) const {
    return sample * elements() + channel / block * block * pixels + channel % block;
  }
};

struct GroupStatistics {
  float mean;
  float inverse_deviation;
};

// Calls visit(index of the element, channel, pixel) for the elements of a group, in a fixed order.
template <typename Visit>
void each_of_group(const SampleGrid& grid, std::int64_t sample, std::int64_t group, const Visit& visit) {
  for (std::int64_t c = group * grid.channels_of_group; c < (group + 1) * grid.channels_of_group; ++c) {
    std::int64_t at = grid.at(sample, c);
    for (std::int64_t p = 0; p < grid.pixels; ++p, at += grid.block) visit(at, c, p);
  }
}

template <typename Element>
void zero_padding(const SampleGrid& grid, std::int64_t sample, Element* to) {
  for (std::int64_t c = grid.channels; c < grid.blocks * grid.block; ++c) {
    std::int64_t at = grid.at(sample, c);
    for (std::int64_t p = 0; p < grid.pixels; ++p, at += grid.block) to[at] = from_float<Element>(0);
  }
}

template <typename Element>
GroupStatistics statistics_of(const SampleGrid& grid, std::int64_t sample, std::int64_t group, const Element* x,
                              float epsilon) {
  const auto count = static_cast<double>(grid.channels_of_group * grid.pixels);
  double sum = 0;
  each_of_group(grid, sample, group, [&](std::int64_t at, auto, auto) { sum += to_float(x[at]); });
  const double mean = sum / count;
  double squares = 0;
  each_of_group(grid, sample, group, [&](std::int64_t at, auto, auto) {
    const double off = to_float(x[at]) - mean;
    squares += off * off;
  });
  return {static_cast<float>(mean), static_cast<float>(1 / std::sqrt(squares / count + epsilon))};
}

// The index of an element's scale and shift.
std::int64_t factor_of(const SampleNormProblem& problem, std::int64_t pixels, std::int64_t c, std::int64_t p) {
  return problem.per_element ? c * pixels + p : c;
}

template <typename Element>
void normalise(const SampleNormProblem& problem, const Bindings& memory) {
  const SampleGrid grid(problem);
  const auto* const x = memory.as<const Element>(Role::source);
  const auto* const scale = memory.as<const float>(Role::weights);
  const auto* const shift = memory.as<const float>(Role::bias);
  auto* const y = memory.as<Element>(Role::destination);
  auto* const kept = memory.as<GroupStatistics>(Role::workspace);
  parallel_for(problem.batch(), [&](std::int64_t n) {
    for (std::int64_t group = 0; group < problem.groups; ++group) {
      const GroupStatistics s = kept[n * problem.groups + group] = statistics_of(grid, n, group, x, problem.epsilon);
      each_of_group(grid, n, group, [&](std::int64_t at, std::int64_t c, std::int64_t p) {
        const std::int64_t factor = factor_of(problem, grid.pixels, c, p);
        y[at] = from_float<Element>((to_float(x[at]) - s.mean) * s.inverse_deviation * scale[factor] + shift[factor]);
      });
    }
    zero_padding(grid, n, y);
  });
}

// With g = dy * scale and x^ the normalised x: dx = (g - mean of g - x^ * mean of g x^) / deviation.
template <typename Element>
void gradient_of_source(const SampleNormProblem& problem, const Bindings& memory) {
  const SampleGrid grid(problem);
  const auto* const x = memory.as<const Element>(Role::source);
  const auto* const dy = memory.as<const Element>(Role::diff_destination);
  const auto* const scale = memory.as<const float>(Role::weights);
  const auto* const kept = memory.as<const GroupStatistics>(Role::workspace);
  auto* const dx = memory.as<Element>(Role::diff_source);
  const auto count = static_cast<double>(grid.channels_of_group * grid.pixels);
  parallel_for(problem.batch(), [&](std::int64_t n) {
    for (std::int64_t group = 0; group < problem.groups; ++group) {
      const GroupStatistics s = kept[n * problem.groups + group];
      const auto g = [&](std::int64_t at, std::int64_t c, std::int64_t p) {
        return to_float(dy[at]) * scale[factor_of(problem, grid.pixels, c, p)];
      };
      const auto normal = [&](std::int64_t at) { return (to_float(x[at]) - s.mean) * s.inverse_deviation; };
      double sum = 0;
      double product = 0;
      each_of_group(grid, n, group, [&](std::int64_t at, std::int64_t c, std::int64_t p) {
        sum += g(at, c, p);
        product += static_cast<double>(g(at, c, p)) * normal(at);
      });
      const auto mean = static_cast<float>(sum / count);
      const auto mean_product = static_cast<float>(product / count);
      each_of_group(grid, n, group, [&](std::int64_t at, std::int64_t c, std::int64_t p) {
        dx[at] = from_float<Element>((g(at, c, p) - mean - normal(at) * mean_product) * s.inverse_deviation);
      });
    }
    zero_padding(grid, n, dx);
  });
}

// Threads divide the channels, so that sums over the batch are always in the order of the batch.
template <typename Element>
void gradients_of_factors(const SampleNormProblem& problem, const Bindings& memory) {
  const SampleGrid grid(problem);
  const auto* const x = memory.as<const Element>(Role::source);
  const auto* const dy = memory.as<const Element>(Role::diff_destination);
  const auto* const kept = memory.as<const GroupStatistics>(Role::workspace);
  auto* const diff_scale = memory.as<float>(Role::diff_weights);
  auto* const diff_shift = memory.as<float>(Role::diff_bias);
  parallel_for(problem.channels(), [&](std::int64_t c) {
    const std::int64_t of_channel = problem.per_element ? grid.pixels : 1;
    for (std::int64_t factor = 0; factor < of_channel; ++factor) {
      double scale_sum = 0;
      double shift_sum = 0;
      for (std::int64_t n = 0; n < problem.batch(); ++n) {
        const GroupStatistics s = kept[n * problem.groups + c / grid.channels_of_group];
        const std::int64_t first = problem.per_element ? factor : 0;
        const std::int64_t last = problem.per_element ? factor + 1 : grid.pixels;
        for (std::int64_t p = first; p < last; ++p) {
          const std::int64_t at = grid.at(n, c) + p * grid.block;
          scale_sum += static_cast<double>(to_float(dy[at])) * (to_float(x[at]) - s.mean) * s.inverse_deviation;
          shift_sum += to_float(dy[at]);
        }
      }
      diff_scale[c * of_channel + factor] = static_cast<float>(scale_sum);
      diff_shift[c * of_channel + factor] = static_cast<float>(shift_sum);
    }
  });
}

std::size_t workspace_bytes(const SampleNormProblem& problem) {
  return static_cast<std::size_t>(problem.batch() * problem.groups) * sizeof(GroupStatistics);
}

}  // namespace

std::int64_t SampleNormProblem::pixels() const {
  const Layout::Dims dims = layout.dims();
  return dims.size() == 4 ? dims[2] * dims[3] : 1;
}

PreparedPtr prepare_sample_norm(const SampleNormProblem& problem) {
  return with_element(problem.layout.type(), [&]<typename Element>() {
    const Layout factors = Layout::plain({problem.factors()});
    return std::make_shared<LoopOperator>(
        "convoy:sample_norm",
        std::vector<std::pair<Role, Layout>>{{Role::source, problem.layout},
                                             {Role::weights, factors},
                                             {Role::bias, factors},
                                             {Role::destination, problem.layout}},
        std::vector<std::pair<Role, std::size_t>>{{Role::workspace, workspace_bytes(problem)}},
        [problem](const Bindings& memory) { normalise<Element>(problem, memory); });
  });
}

PreparedPtr prepare_sample_norm_backward(const SampleNormProblem& problem) {
  return with_element(problem.layout.type(), [&]<typename Element>() {
    const Layout factors = Layout::plain({problem.factors()});
    return std::make_shared<LoopOperator>(
        "convoy:sample_norm_backward",
        std::vector<std::pair<Role, Layout>>{{Role::source, problem.layout},
                                             {Role::weights, factors},
                                             {Role::diff_destination, problem.layout},
                                             {Role::diff_source, problem.layout},
                                             {Role::diff_weights, factors},
                                             {Role::diff_bias, factors}},
        std::vector<std::pair<Role, std::size_t>>{{Role::workspace, workspace_bytes(problem)}},
        [problem](const Bindings& memory) {
          gradients_of_factors<Element>(problem, memory);
          gradient_of_source<Element>(problem, memory);
        });
  });
}

}  // namespace convoy::kernels
