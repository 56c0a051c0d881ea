#include "convoy/kernels/winograd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/winograd_plan.h"

namespace convoy::kernels {
namespace {

using simd::TilePlace;

// Hands out pieces of the scratchpad, or only counts them, each beginning at a cache line.
class Scratch {
 public:
  explicit Scratch(float* memory) : memory_(memory) {}

  float* take(std::int64_t floats) {
    constexpr std::int64_t kLine = 16;
    float* piece = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (floats + kLine - 1) / kLine * kLine;
    return piece;
  }

  PointMatrices take_matrices(std::int64_t rows, std::int64_t blocks, const WinogradPlan& plan) {
    PointMatrices matrices{nullptr, rows, blocks, plan.loops().block};
    matrices.at = take(matrices.floats(plan.loops().points));
    return matrices;
  }

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(used_) * sizeof(float); }

 private:
  float* memory_;
  std::int64_t used_ = 0;
};

void source_to_points(const WinogradPlan& plan, const float* source, std::int64_t block, std::int64_t first,
                      std::int64_t count, const PointMatrices& values) {
  const auto& loops = plan.loops();
  plan.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace place, TilePlace /*result*/) {
    loops.source_tile(source + plan.source().offset(sample, block, loops.block), place, values.row(block, k),
                      values.point());
  });
}

// ---- forward, and the gradient of the source -----------------------------------------------------------------------

// The product of some tiles with blocks of weights at points, and its way back into the image.
class WinogradConvolution {
 public:
  WinogradConvolution(const WinogradPlan& plan, Activation activation, std::int64_t biases)
      : plan_(plan), activation_(activation), biases_(biases) {}

  [[nodiscard]] std::size_t scratch_bytes() const {
    Scratch scratch(nullptr);
    lay_out(scratch);
    return scratch.bytes();
  }

  // bias is null without one.
  void run(const float* source, const float* weights, const float* bias, float* result, float* scratchpad) const {
    Scratch scratch(scratchpad);
    const Parts parts = lay_out(scratch);
    const Operands operands{source, weights, result, padded(bias, parts.bias)};
    if (plan_.order() == WinogradOrder::by_tiles) {
      run_by_tiles(operands, parts);
    } else {
      run_by_weights(operands, parts);
    }
  }

 private:
  // Blocks of input channels whose weights are at points at a time, and of output channels, when going by weights.
  static constexpr std::int64_t kDepth = 4;
  static constexpr std::int64_t kColumns = 2;

  struct Operands {
    const float* source;
    const float* weights;
    float* result;
    const float* bias;
  };
  // Each thread has its own part of values, products and (by weights) weights.
  struct Parts {
    float* bias;
    float* weights;
    PointMatrices values;
    PointMatrices products;
    std::int64_t weights_floats, values_floats, products_floats;
  };

  Parts lay_out(Scratch& scratch) const {
    const bool by_tiles = plan_.order() == WinogradOrder::by_tiles;
    const int points = plan_.loops().points;
    const std::int64_t rows = plan_.block_tiles();
    Parts parts{};
    parts.bias = scratch.take(biases_ > 0 ? plan_.result().blocks * plan_.loops().block : 0);
    parts.weights_floats =
        plan_.point_weights_floats() * (by_tiles ? plan_.source().blocks * plan_.result().blocks : kDepth * kColumns);
    parts.weights = scratch.take(parts.weights_floats * (by_tiles ? 1 : plan_.threads()));
    parts.values = {nullptr, rows, plan_.source().blocks, plan_.loops().block};
    parts.values_floats = parts.values.floats(points);
    parts.values.at = scratch.take(parts.values_floats * (by_tiles ? plan_.threads() : 1));
    parts.products = {nullptr, rows, by_tiles ? plan_.result().blocks : kColumns, plan_.loops().block};
    parts.products_floats = parts.products.floats(points);
    parts.products.at = scratch.take(parts.products_floats * plan_.threads());
    return parts;
  }

  const float* padded(const float* bias, float* copy) const {
    if (bias == nullptr) return nullptr;
    const std::int64_t all = plan_.result().blocks * plan_.loops().block;
    std::copy(bias, bias + biases_, copy);
    std::fill(copy + biases_, copy + all, 0.0F);
    return copy;
  }

  void weights_to_points(const float* weights, std::int64_t result_block, std::int64_t source_block, float* to) const {
    const float* from = weights + plan_.weights_block(result_block, source_block) * plan_.weights_floats();
    const auto transform = plan_.turned() ? plan_.loops().turned_weights : plan_.loops().weights;
    transform(from, to, plan_.weights_point());
  }

  void results_from_points(const Operands& operands, const PointMatrices& products, std::int64_t column,
                           std::int64_t result_block, std::int64_t first, std::int64_t count) const {
    const auto& loops = plan_.loops();
    const float* bias = operands.bias == nullptr ? nullptr : operands.bias + result_block * loops.block;
    plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
      loops.result_tile(products.row(column, k), products.point(), place, bias, activation_,
                        operands.result + plan_.result().offset(sample, result_block, loops.block));
    });
  }

  void run_by_tiles(const Operands& operands, const Parts& parts) const {
    const std::int64_t depth = plan_.source().blocks;
    const std::int64_t columns = plan_.result().blocks;
    const std::int64_t weights_block = plan_.point_weights_floats();
    parallel_for(columns * depth, [&](std::int64_t i) {
      weights_to_points(operands.weights, i / depth, i % depth, parts.weights + i * weights_block);
    });
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      PointMatrices values = parts.values;
      PointMatrices products = parts.products;
      values.at += thread * parts.values_floats;
      products.at += thread * parts.products_floats;
      const auto [begin, end] = share_of(plan_.tile_blocks(), thread, plan_.threads());
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * plan_.block_tiles();
        const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
        for (std::int64_t b = 0; b < depth; ++b) source_to_points(plan_, operands.source, b, first, count, values);
        for (int point = 0; point < plan_.points(); ++point) {
          plan_.loops().multiply({.v = values.at + point * values.point(),
                                  .u = parts.weights + point * plan_.weights_point(),
                                  .m = products.at + point * products.point(),
                                  .v_block = values.block(),
                                  .u_block = weights_block,
                                  .u_column = depth * weights_block,
                                  .m_column = products.block(),
                                  .rows = static_cast<int>(count),
                                  .blocks = static_cast<int>(depth),
                                  .columns = static_cast<int>(columns),
                                  .accumulate = false});
        }
        for (std::int64_t b = 0; b < columns; ++b) results_from_points(operands, products, b, b, first, count);
      }
    });
  }

  void run_by_weights(const Operands& operands, const Parts& parts) const {
    const std::int64_t depth = plan_.source().blocks;
    const std::int64_t pairs = (plan_.result().blocks + kColumns - 1) / kColumns;
    parallel_for(depth,
                 [&](std::int64_t b) { source_to_points(plan_, operands.source, b, 0, plan_.tiles(), parts.values); });
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      PointMatrices products = parts.products;
      products.at += thread * parts.products_floats;
      float* weights = parts.weights + thread * parts.weights_floats;
      const auto [begin, end] = share_of(pairs, thread, plan_.threads());
      for (std::int64_t pair = begin; pair < end; ++pair) {
        const std::int64_t columns = std::min(kColumns, plan_.result().blocks - pair * kColumns);
        for (std::int64_t from = 0; from < depth; from += kDepth) {
          add_products(operands, parts.values, pair * kColumns, columns, from, weights, products);
        }
        for (std::int64_t c = 0; c < columns; ++c) {
          results_from_points(operands, products, c, pair * kColumns + c, 0, plan_.tiles());
        }
      }
    });
  }

  // Of the blocks of input channels from `from` on, as many as there is room for.
  void add_products(const Operands& operands, const PointMatrices& values, std::int64_t first_column,
                    std::int64_t columns, std::int64_t from, float* weights, const PointMatrices& products) const {
    const std::int64_t depth = std::min(kDepth, plan_.source().blocks - from);
    const std::int64_t weights_block = plan_.point_weights_floats();
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t k = 0; k < depth; ++k) {
        weights_to_points(operands.weights, first_column + c, from + k, weights + (c * kDepth + k) * weights_block);
      }
    }
    for (int point = 0; point < plan_.points(); ++point) {
      plan_.loops().multiply({.v = values.row(from, 0) + point * values.point(),
                              .u = weights + point * plan_.weights_point(),
                              .m = products.at + point * products.point(),
                              .v_block = values.block(),
                              .u_block = weights_block,
                              .u_column = kDepth * weights_block,
                              .m_column = products.block(),
                              .rows = static_cast<int>(plan_.tiles()),
                              .blocks = static_cast<int>(depth),
                              .columns = static_cast<int>(columns),
                              .accumulate = from > 0});
    }
  }

  WinogradPlan plan_;
  Activation activation_;
  std::int64_t biases_;
};

// ---- the gradient of the weights -----------------------------------------------------------------------------------

class WinogradGradient {
 public:
  WinogradGradient(const WinogradPlan& plan, std::int64_t biases) : plan_(plan), biases_(biases) {}

  [[nodiscard]] std::size_t scratch_bytes() const {
    Scratch scratch(nullptr);
    lay_out(scratch);
    return scratch.bytes();
  }

  // diff_bias is null without a bias.
  void run(const float* source, const float* gradient, float* diff_weights, float* diff_bias, float* scratchpad) const {
    Scratch scratch(scratchpad);
    const Parts parts = lay_out(scratch);
    std::fill(parts.bias_sums, parts.bias_sums + lanes() * shares(), 0.0F);
    if (plan_.order() == WinogradOrder::by_tiles) {
      run_by_tiles(source, gradient, diff_weights, parts);
    } else {
      run_by_weights(source, gradient, diff_weights, parts);
    }
    for (std::int64_t i = 0; diff_bias != nullptr && i < biases_; ++i) {
      diff_bias[i] = 0;
      for (int share = 0; share < shares(); ++share) diff_bias[i] += parts.bias_sums[share * lanes() + i];
    }
  }

 private:
  struct Parts {
    float* bias_sums;
    PointMatrices values;     // of the source
    PointMatrices gradients;  // of the result
    float* weights;           // the gradient at points
    std::int64_t values_floats, gradients_floats, weights_floats;
  };

  [[nodiscard]] bool by_tiles() const { return plan_.order() == WinogradOrder::by_tiles; }
  [[nodiscard]] int shares() const { return by_tiles() ? plan_.threads() : 1; }
  [[nodiscard]] std::int64_t lanes() const { return plan_.result().blocks * plan_.loops().block; }
  [[nodiscard]] std::int64_t weights_blocks() const { return plan_.source().blocks * plan_.result().blocks; }

  Parts lay_out(Scratch& scratch) const {
    const int points = plan_.loops().points;
    const std::int64_t rows = plan_.block_tiles();
    Parts parts{};
    parts.bias_sums = scratch.take(lanes() * shares());
    parts.values = {nullptr, rows, plan_.source().blocks, plan_.loops().block};
    parts.gradients = {nullptr, rows, plan_.result().blocks, plan_.loops().block};
    parts.values_floats = parts.values.floats(points);
    parts.gradients_floats = parts.gradients.floats(points);
    parts.weights_floats = plan_.point_weights_floats() * (by_tiles() ? weights_blocks() : 1);
    parts.values.at = scratch.take(parts.values_floats * shares());
    parts.gradients.at = scratch.take(parts.gradients_floats * shares());
    parts.weights = scratch.take(parts.weights_floats * plan_.threads());
    return parts;
  }

  void gradient_to_points(const float* gradient, std::int64_t block, std::int64_t first, std::int64_t count,
                          const PointMatrices& values, float* bias_sums) const {
    const auto& loops = plan_.loops();
    plan_.for_tiles(first, count, [&](std::int64_t k, std::int64_t sample, TilePlace /*source*/, TilePlace place) {
      loops.gradient_tile(gradient + plan_.result().offset(sample, block, loops.block), place, values.row(block, k),
                          values.point(), bias_sums + block * loops.block);
    });
  }

  void correlate(const PointMatrices& values, std::int64_t source_block, const PointMatrices& gradients,
                 std::int64_t result_block, std::int64_t count, bool accumulate, float* weights) const {
    for (int point = 0; point < plan_.points(); ++point) {
      plan_.loops().correlate(values.row(source_block, 0) + point * values.point(),
                              gradients.row(result_block, 0) + point * gradients.point(), count, accumulate,
                              weights + point * plan_.weights_point());
    }
  }

  void weights_from_points(const float* values, std::int64_t block, float* diff_weights) const {
    plan_.loops().weights_gradient(values, plan_.weights_point(), diff_weights + block * plan_.weights_floats());
  }

  void run_by_tiles(const float* source, const float* gradient, float* diff_weights, const Parts& parts) const {
    const std::int64_t depth = plan_.source().blocks;
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      PointMatrices values = parts.values;
      PointMatrices gradients = parts.gradients;
      values.at += thread * parts.values_floats;
      gradients.at += thread * parts.gradients_floats;
      float* weights = parts.weights + thread * parts.weights_floats;
      const auto [begin, end] = share_of(plan_.tile_blocks(), thread, plan_.threads());
      if (begin == end) std::fill(weights, weights + parts.weights_floats, 0.0F);
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t first = block * plan_.block_tiles();
        const std::int64_t count = std::min(plan_.block_tiles(), plan_.tiles() - first);
        for (std::int64_t b = 0; b < depth; ++b) source_to_points(plan_, source, b, first, count, values);
        for (std::int64_t b = 0; b < plan_.result().blocks; ++b) {
          gradient_to_points(gradient, b, first, count, gradients, parts.bias_sums + thread * lanes());
        }
        for (std::int64_t i = 0; i < weights_blocks(); ++i) {
          correlate(values, i % depth, gradients, i / depth, count, block > begin,
                    weights + i * plan_.point_weights_floats());
        }
      }
    });
    parallel_for(weights_blocks(), [&](std::int64_t i) {
      float* sum = parts.weights + i * plan_.point_weights_floats();
      for (int thread = 1; thread < plan_.threads(); ++thread) {
        const float* other = sum + thread * parts.weights_floats;
        for (std::int64_t k = 0; k < plan_.point_weights_floats(); ++k) sum[k] += other[k];
      }
      weights_from_points(sum, i, diff_weights);
    });
  }

  void run_by_weights(const float* source, const float* gradient, float* diff_weights, const Parts& parts) const {
    const std::int64_t depth = plan_.source().blocks;
    parallel_for(depth + plan_.result().blocks, [&](std::int64_t i) {
      if (i < depth) {
        source_to_points(plan_, source, i, 0, plan_.tiles(), parts.values);
      } else {
        gradient_to_points(gradient, i - depth, 0, plan_.tiles(), parts.gradients, parts.bias_sums);
      }
    });
    parallel_for(plan_.threads(), [&](std::int64_t thread) {
      float* weights = parts.weights + thread * parts.weights_floats;
      const auto [begin, end] = share_of(weights_blocks(), thread, plan_.threads());
      for (std::int64_t i = begin; i < end; ++i) {
        correlate(parts.values, i % depth, parts.gradients, i / depth, plan_.tiles(), false, weights);
        weights_from_points(weights, i, diff_weights);
      }
    });
  }

  WinogradPlan plan_;
  std::int64_t biases_;
};

// ---- candidates ----------------------------------------------------------------------------------------------------

bool applies(const ConvolutionProblem& p) {
  // With fewer channels most of a vector would be padding.
  constexpr std::int64_t kFewestChannels = 8;
  return p.kernel_h == p.kernel_w && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 && p.dilation_w == 1 &&
         p.groups == 1 && p.in_channels >= kFewestChannels && p.out_channels >= kFewestChannels;
}

// Multiplications for each pair of channels and sample.
std::int64_t products(const simd::WinogradLoops& loops, std::int64_t height, std::int64_t width) {
  const auto tiles = [&](std::int64_t size) { return (size + loops.outputs - 1) / loops.outputs; };
  return tiles(height) * tiles(width) * loops.points * loops.points;
}

// Schemes that do not multiply much more than the best of them: small tiles for small images, large ones for large.
std::vector<const simd::WinogradLoops*> schemes(std::int64_t taps, std::int64_t height, std::int64_t width) {
  constexpr double kTolerated = 1.2;
  std::vector<const simd::WinogradLoops*> found;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const int outputs : {2, 4, 6}) {
    const auto* loops = simd::winograd_loops(static_cast<int>(taps), outputs);
    if (loops == nullptr) continue;
    found.push_back(loops);
    fewest = std::min(fewest, products(*loops, height, width));
  }
  std::erase_if(found, [&](const auto* loops) {
    return static_cast<double>(products(*loops, height, width)) > kTolerated * static_cast<double>(fewest);
  });
  return found;
}

// By weights pays where the weights are more than the tiles; in between both are tried.
std::vector<WinogradOrder> orders(const WinogradPlan& plan) {
  constexpr std::int64_t kFew = 32;
  constexpr std::int64_t kMany = 256;
  if (plan.tiles() <= kFew) return {WinogradOrder::by_weights};
  if (plan.tiles() > kMany) return {WinogradOrder::by_tiles};
  return {WinogradOrder::by_tiles, WinogradOrder::by_weights};
}

std::string name_of(const simd::WinogradLoops& loops, WinogradOrder order) {
  return fmt::format("convoy:winograd_{}x{}:{}", loops.outputs, loops.taps,
                     order == WinogradOrder::by_tiles ? "by_tiles" : "by_weights");
}

PreparedPtr prepare(const WinogradPlan& plan, const ConvolutionProblem& p, Pass pass) {
  using Operand = std::pair<Role, Layout>;
  const std::string name = name_of(plan.loops(), plan.order());
  const Operand bias{Role::bias, p.bias ? Layout::plain({p.out_channels}) : Layout()};
  const Layout source = Layout::blocked(p.source_dims());
  const Layout destination = Layout::blocked(p.destination_dims());
  const Layout weights = Layout::blocked_weights(p.weights_dims());
  if (pass == Pass::backward_weights) {
    const WinogradGradient gradient(plan, p.bias ? p.out_channels : 0);
    return std::make_shared<LoopOperator>(
        name,
        std::vector<Operand>{{Role::source, source},
                             {Role::diff_destination, destination},
                             {Role::diff_weights, weights},
                             {Role::diff_bias, bias.second}},
        std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, gradient.scratch_bytes()}},
        [gradient](const Bindings& memory) {
          gradient.run(memory.as<const float>(Role::source), memory.as<const float>(Role::diff_destination),
                       memory.as<float>(Role::diff_weights), memory.as<float>(Role::diff_bias),
                       memory.as<float>(Role::scratchpad));
        });
  }
  const bool forward = pass == Pass::forward;
  const Role from = forward ? Role::source : Role::diff_destination;
  const Role to = forward ? Role::destination : Role::diff_source;
  const WinogradConvolution convolution(plan, forward ? p.activation : Activation::none,
                                        forward && p.bias ? p.out_channels : 0);
  std::vector<Operand> operands{
      {from, forward ? source : destination}, {Role::weights, weights}, {to, forward ? destination : source}};
  if (forward) operands.push_back(bias);
  return std::make_shared<LoopOperator>(
      name, operands, std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, convolution.scratch_bytes()}},
      [convolution, from, to, forward](const Bindings& memory) {
        convolution.run(memory.as<const float>(from), memory.as<const float>(Role::weights),
                        forward ? memory.as<const float>(Role::bias) : nullptr, memory.as<float>(to),
                        memory.as<float>(Role::scratchpad));
      });
}

}  // namespace

std::vector<PreparedPtr> winograd_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass) {
  std::vector<PreparedPtr> found;
  if (!applies(problem)) return found;
  const bool turned = pass == Pass::backward_data;
  const std::int64_t height = turned ? problem.in_h : problem.out_h;
  const std::int64_t width = turned ? problem.in_w : problem.out_w;
  for (const auto* loops : schemes(problem.kernel_h, height, width)) {
    const WinogradPlan any(*loops, problem, turned, WinogradOrder::by_weights, device.threads());
    for (const WinogradOrder order : orders(any)) {
      found.push_back(prepare(WinogradPlan(*loops, problem, turned, order, device.threads()), problem, pass));
    }
  }
  return found;
}

}  // namespace convoy::kernels
