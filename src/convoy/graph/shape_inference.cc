#include "convoy/graph/operators.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "convoy/base/error.h"

namespace convoy {
namespace {

// Larger numbers are typing errors. Within these limits no count of elements or bytes can overflow 64 bits.
constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostWeights = std::int64_t{1} << 40;

// The layer being checked: its name and the shapes of its inputs.
struct Site {
  std::string_view name;
  const char* kind;
  std::span<const Shape> inputs;

  [[nodiscard]] const Shape& in() const { return inputs[0]; }

  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    throw UserError("layer \"{}\": {}", name, fmt::format(format, std::forward<Args>(args)...));
  }

  void want_inputs(std::size_t count) const {
    if (inputs.size() != count) {
      refuse("{} takes {} input(s), got {}", kind, count, inputs.size());
    }
  }

  void want_image() const {
    if (in().rank() != 3) {
      refuse("{} needs an image CxHxW, its input is {}", kind, in().to_string());
    }
  }

  void want_positive(const char* what, std::int64_t value) const {
    if (value < 1) {
      refuse("{}: {} must be at least 1, got {}", kind, what, value);
    }
  }

  void want_positive(const char* what, Extent value) const {
    if (value.h < 1 || value.w < 1) {
      refuse("{}: {} must be at least 1, got {}x{}", kind, what, value.h, value.w);
    }
  }
};

// A window that slides over an image: what convolutions and poolings have in common.
struct Window {
  const char* what;
  Extent kernel;
  Extent stride;
  Padding pad;
  Extent dilation = 1;
  bool ceil = false;
};

// How many pixels one window spans along an axis.
std::int64_t reach(int kernel, int dilation) { return std::int64_t{dilation} * (kernel - 1) + 1; }

struct Axis {
  std::int64_t size;
  std::int64_t reach;
  std::int64_t stride;
  std::int64_t before;
  std::int64_t after;
};

// How many windows fit. In ceil mode the last one may run past the end, but it must start inside the image or the
// padding before it. This is PyTorch's rule; it prevents a window that sees only padding.
std::int64_t positions(const Axis& axis, bool ceil) {
  const std::int64_t room = axis.size + axis.before + axis.after - axis.reach;
  if (!ceil) {
    return room / axis.stride + 1;
  }
  const std::int64_t count = (room + axis.stride - 1) / axis.stride + 1;
  return (count - 1) * axis.stride >= axis.size + axis.before ? count - 1 : count;
}

std::string describe(const Padding& pad) {
  const bool even = pad == Padding(pad.top);
  return even ? fmt::format("{}", pad.top)
              : fmt::format("{} {} {} {} (top left bottom right)", pad.top, pad.left, pad.bottom, pad.right);
}

void check_window(const Site& site, const Window& window) {
  site.want_positive("kernel", window.kernel);
  site.want_positive("stride", window.stride);
  site.want_positive("dilation", window.dilation);
  const Padding& pad = window.pad;
  if (pad.top < 0 || pad.left < 0 || pad.bottom < 0 || pad.right < 0) {
    site.refuse("{}: padding must not be negative, got {}", site.kind, describe(pad));
  }
}

// A window that sees only padding would have no maximum and no average.
void check_pool_padding(const Site& site, const Window& window) {
  const Padding& pad = window.pad;
  const Extent& kernel = window.kernel;
  if (pad.top >= kernel.h || pad.bottom >= kernel.h || pad.left >= kernel.w || pad.right >= kernel.w) {
    site.refuse("{} {}x{}: padding {} must be smaller than the window", window.what, kernel.h, kernel.w, describe(pad));
  }
}

// The shape that results when `window` slides over the input; it has `channels` channels.
Shape slide(const Site& site, const Window& window, std::int64_t channels) {
  const Shape& in = site.in();
  const Padding& pad = window.pad;
  const Axis h{in[1], reach(window.kernel.h, window.dilation.h), window.stride.h, pad.top, pad.bottom};
  const Axis w{in[2], reach(window.kernel.w, window.dilation.w), window.stride.w, pad.left, pad.right};
  if (h.size + h.before + h.after < h.reach || w.size + w.before + w.after < w.reach) {
    site.refuse(
        "{} {}x{} does not fit into {} (padding {}): it needs an image of at least {}x{}; give the network a larger "
        "input",
        window.what, h.reach, w.reach, in.to_string(), describe(pad), h.reach - h.before - h.after,
        w.reach - w.before - w.after);
  }
  return {channels, positions(h, window.ceil), positions(w, window.ceil)};
}

void check_weights(const Site& site, std::int64_t out, std::int64_t fan_in) {
  if (fan_in > kMostWeights / out) {
    site.refuse("{}: {} x {} weights are too many", site.kind, out, fan_in);
  }
}

Shape infer(const op::Input& op, const Site& site) {
  site.want_inputs(0);
  if (op.shape.rank() != 1 && op.shape.rank() != 3) {
    site.refuse("an input is CxHxW or one row of numbers, got {}", op.shape.to_string());
  }
  for (const std::int64_t extent : op.shape.dims()) {
    site.want_positive("every extent", extent);
  }
  return op.shape;
}

Shape infer(const op::Convolution& op, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  site.want_positive("out channels", op.out);
  site.want_positive("groups", op.groups);
  const std::int64_t in = site.in()[0];
  if (in % op.groups != 0 || op.out % op.groups != 0) {
    site.refuse("convolution: {} in and {} out channels do not divide into {} groups (input {})", in, op.out, op.groups,
                site.in().to_string());
  }
  const Window window{"convolution", op.kernel, op.stride, op.pad, op.dilation};
  check_window(site, window);
  check_weights(site, op.out, in / op.groups * op.kernel.h * op.kernel.w);
  return slide(site, window, op.out);
}

Shape infer(const op::Dense& op, const Site& site) {
  site.want_inputs(1);
  site.want_positive("out", op.out);
  check_weights(site, op.out, site.in().count());
  return {op.out};
}

// Here and below, constants are checked as !(good), which also refuses NaN.
Shape infer(const op::BatchNorm& op, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  if (!(op.epsilon > 0)) {
    site.refuse("batch norm: epsilon must be above 0, got {}", op.epsilon);
  }
  if (!(op.momentum >= 0 && op.momentum <= 1)) {
    site.refuse("batch norm: momentum must be in [0, 1], got {}", op.momentum);
  }
  return site.in();
}

Shape infer(const op::GroupNorm& op, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  site.want_positive("groups", op.groups);
  if (site.in()[0] % op.groups != 0) {
    site.refuse("group norm: {} channels do not divide into {} groups (input {})", site.in()[0], op.groups,
                site.in().to_string());
  }
  if (!(op.epsilon > 0)) site.refuse("group norm: epsilon must be above 0, got {}", op.epsilon);
  return site.in();
}

Shape infer(const op::LayerNorm& op, const Site& site) {
  site.want_inputs(1);
  if (!(op.epsilon > 0)) site.refuse("layer norm: epsilon must be above 0, got {}", op.epsilon);
  return site.in();
}

Shape infer_unary(const Site& site) {
  site.want_inputs(1);
  return site.in();
}

Shape infer(const op::Relu&, const Site& site) { return infer_unary(site); }

Shape infer(const op::Relu6&, const Site& site) { return infer_unary(site); }

Shape infer(const op::Sigmoid&, const Site& site) { return infer_unary(site); }

Shape infer(const op::Tanh&, const Site& site) { return infer_unary(site); }

Shape infer(const op::Softmax&, const Site& site) {
  if (!site.inputs.empty() && site.in().rank() != 1) {
    site.refuse("softmax takes a row of scores, its input is {}; flatten it", site.in().to_string());
  }
  return infer_unary(site);
}

Shape infer_pool(const Site& site, const Window& window) {
  site.want_inputs(1);
  site.want_image();
  check_window(site, window);
  check_pool_padding(site, window);
  return slide(site, window, site.in()[0]);
}

Shape infer(const op::MaxPool& op, const Site& site) {
  return infer_pool(site, {"max pool", op.kernel, op.stride, op.pad, 1, op.ceil});
}

Shape infer(const op::AveragePool& op, const Site& site) {
  return infer_pool(site, {"average pool", op.kernel, op.stride, op.pad, 1, op.ceil});
}

Shape infer(const op::GlobalAveragePool&, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  return {site.in()[0], 1, 1};
}

Shape infer(const op::Add&, const Site& site) {
  site.want_inputs(2);
  if (site.inputs[0] != site.inputs[1]) {
    site.refuse("cannot add {} and {}: the shapes differ", site.inputs[0].to_string(), site.inputs[1].to_string());
  }
  return site.in();
}

Shape infer(const op::Concat&, const Site& site) {
  if (site.inputs.empty()) {
    site.refuse("concat needs at least one input");
  }
  site.want_image();
  const Shape& first = site.in();
  std::int64_t channels = 0;
  for (const Shape& input : site.inputs) {
    if (input.rank() != 3 || input[1] != first[1] || input[2] != first[2]) {
      site.refuse("cannot concatenate {} and {}: height and width differ", first.to_string(), input.to_string());
    }
    channels += input[0];
  }
  return {channels, first[1], first[2]};
}

Shape infer(const op::PadChannels& op, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  site.want_positive("stride", op.stride);
  const Shape& in = site.in();
  if (op.out < in[0] || (op.out - in[0]) % 2 != 0) {
    site.refuse("cannot pad {} to {} channels: zeros are added in equal parts before and after", in.to_string(),
                op.out);
  }
  return {op.out, (in[1] - 1) / op.stride + 1, (in[2] - 1) / op.stride + 1};
}

Shape infer(const op::Dropout& op, const Site& site) {
  if (!(op.rate >= 0 && op.rate < 1)) {
    site.refuse("dropout: rate must be in [0, 1), got {}", op.rate);
  }
  return infer_unary(site);
}

Shape infer(const op::Lrn& op, const Site& site) {
  site.want_inputs(1);
  site.want_image();
  if (op.size < 1 || op.size % 2 == 0) {
    site.refuse("lrn: size must be odd and positive, got {}", op.size);
  }
  if (!(op.alpha >= 0 && op.beta >= 0)) {
    site.refuse("lrn: alpha and beta must not be negative, got {} and {}", op.alpha, op.beta);
  }
  if (!(op.k > 0)) {
    site.refuse("lrn: k must be above 0, got {}", op.k);
  }
  return site.in();
}

Shape infer(const op::Flatten&, const Site& site) {
  site.want_inputs(1);
  return {site.in().count()};
}

void want_row(const Site& site) {
  site.want_inputs(1);
  if (site.in().rank() != 1) {
    site.refuse("{} needs one row per sample, its input is {}; flatten it first", site.kind, site.in().to_string());
  }
}

Shape infer(const op::SoftmaxCrossEntropy& op, const Site& site) {
  want_row(site);
  if (!(op.label_smoothing >= 0 && op.label_smoothing < 1)) {
    site.refuse("softmax cross-entropy: label smoothing must be in [0, 1), got {}", op.label_smoothing);
  }
  return {};
}

Shape infer(const op::MeanSquaredError&, const Site& site) {
  want_row(site);
  return {};
}

void check_size(const Site& site, const Shape& shape) {
  std::int64_t left = kMostElements;
  for (const std::int64_t extent : shape.dims()) {
    left /= extent;
    if (left == 0) {
      site.refuse("{} of {} per sample is too large: at most {} elements", site.kind, shape.to_string(), kMostElements);
    }
  }
}

}  // namespace

Shape infer_shape(const Operator& op, std::span<const Shape> inputs, std::string_view name) {
  const Site site{name, kind_of(op), inputs};
  Shape shape = std::visit([&](const auto& attributes) { return infer(attributes, site); }, op);
  check_size(site, shape);
  return shape;
}

}  // namespace convoy
