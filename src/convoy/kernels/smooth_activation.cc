#include "convoy/kernels/smooth_activation.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels {
namespace {

using SmoothOperands = std::vector<std::pair<Role, Layout>>;

// Divides a tensor into stretches of elements. In each group of `block` elements only some lanes are numbers; the
// others pad the channels and are zero.
struct Stretches {
  std::int64_t count;     // of stretches
  std::int64_t elements;  // elements of a stretch
  std::int64_t block;
  std::int64_t planes;      // stretches per image, one for each block of channels
  std::int64_t last_lanes;  // lanes of the last of these

  static Stretches of(const Layout& layout) {
    const Layout::Dims dims = layout.dims();
    if (dims.size() != 4 || layout == Layout::plain(dims, layout.type())) {
      return {dims.front(), layout.elements() / dims.front(), 1, 1, 1};
    }
    CONVOY_CHECK(layout == Layout::blocked(dims, layout.type()));
    const PlaneGrid grid = PlaneGrid::of(layout);
    return {grid.planes(), grid.plane_elements(), grid.block, grid.blocks, dims[1] - (grid.blocks - 1) * grid.block};
  }

  [[nodiscard]] std::int64_t lanes(std::int64_t stretch) const {
    return stretch % planes == planes - 1 ? last_lanes : block;
  }
};

// Sets each element of `to` that is a number to compute(i), and the others to zero.
template <typename Element, typename Compute>
void each_element(const Stretches& stretches, Element* to, const Compute& compute) {
  parallel_for(stretches.count, [&](std::int64_t stretch) {
    const std::int64_t lanes = stretches.lanes(stretch);
    const std::int64_t end = (stretch + 1) * stretches.elements;
    for (std::int64_t group = stretch * stretches.elements; group < end; group += stretches.block) {
      for (std::int64_t i = group; i < group + lanes; ++i) to[i] = from_float<Element>(compute(i));
      std::fill(to + group + lanes, to + group + stretches.block, from_float<Element>(0));
    }
  });
}

float value_of(SmoothActivation kind, float x) {
  return kind == SmoothActivation::tanh ? std::tanh(x) : 1 / (1 + std::exp(-x));
}

float slope_of(SmoothActivation kind, float y) { return kind == SmoothActivation::tanh ? 1 - y * y : y * (1 - y); }

template <typename Element>
void softmax_row(const Element* x, Element* y, std::int64_t count) {
  float most = to_float(x[0]);
  for (std::int64_t i = 1; i < count; ++i) most = std::max(most, to_float(x[i]));
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += std::exp(to_float(x[i]) - most);
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = from_float<Element>(static_cast<float>(std::exp(to_float(x[i]) - most) / sum));
  }
}

// y (dy - sum of y dy)
template <typename Element>
void softmax_row_backward(const Element* y, const Element* dy, Element* dx, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += to_float(y[i]) * to_float(dy[i]);
  for (std::int64_t i = 0; i < count; ++i) {
    dx[i] = from_float<Element>(to_float(y[i]) * (to_float(dy[i]) - static_cast<float>(sum)));
  }
}

PreparedPtr loop(const char* name, SmoothOperands operands, LoopOperator::Run run) {
  return std::make_shared<LoopOperator>(name, std::move(operands), std::vector<std::pair<Role, std::size_t>>{},
                                        std::move(run));
}

}  // namespace

PreparedPtr prepare_smooth_activation(const Layout& layout, SmoothActivation kind) {
  return with_element(layout.type(), [&]<typename Element>() {
    return loop("convoy:smooth_activation", {{Role::source, layout}, {Role::destination, layout}},
                [kind, stretches = Stretches::of(layout)](const Bindings& memory) {
                  const auto* const x = memory.as<const Element>(Role::source);
                  each_element(stretches, memory.as<Element>(Role::destination),
                               [&](std::int64_t i) { return value_of(kind, to_float(x[i])); });
                });
  });
}

PreparedPtr prepare_smooth_activation_backward(const Layout& layout, SmoothActivation kind) {
  return with_element(layout.type(), [&]<typename Element>() {
    return loop("convoy:smooth_activation_backward",
                {{Role::destination, layout}, {Role::diff_destination, layout}, {Role::diff_source, layout}},
                [kind, stretches = Stretches::of(layout)](const Bindings& memory) {
                  const auto* const y = memory.as<const Element>(Role::destination);
                  const auto* const dy = memory.as<const Element>(Role::diff_destination);
                  each_element(stretches, memory.as<Element>(Role::diff_source),
                               [&](std::int64_t i) { return to_float(dy[i]) * slope_of(kind, to_float(y[i])); });
                });
  });
}

PreparedPtr prepare_softmax(const Layout& layout) {
  CONVOY_CHECK(layout.dims().size() == 2);
  return with_element(layout.type(), [&]<typename Element>() {
    return loop("convoy:softmax", {{Role::source, layout}, {Role::destination, layout}},
                [rows = layout.dims()[0], classes = layout.dims()[1]](const Bindings& memory) {
                  parallel_for(rows, [&](std::int64_t n) {
                    softmax_row(memory.as<const Element>(Role::source) + n * classes,
                                memory.as<Element>(Role::destination) + n * classes, classes);
                  });
                });
  });
}

PreparedPtr prepare_softmax_backward(const Layout& layout) {
  CONVOY_CHECK(layout.dims().size() == 2);
  return with_element(layout.type(), [&]<typename Element>() {
    return loop("convoy:softmax_backward",
                {{Role::destination, layout}, {Role::diff_destination, layout}, {Role::diff_source, layout}},
                [rows = layout.dims()[0], classes = layout.dims()[1]](const Bindings& memory) {
                  parallel_for(rows, [&](std::int64_t n) {
                    softmax_row_backward(memory.as<const Element>(Role::destination) + n * classes,
                                         memory.as<const Element>(Role::diff_destination) + n * classes,
                                         memory.as<Element>(Role::diff_source) + n * classes, classes);
                  });
                });
  });
}

}  // namespace convoy::kernels
