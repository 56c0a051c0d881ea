#include <algorithm>

#include "convoy/exchange/onnx/onnx_reader.h"

namespace convoy {
namespace {

// Larger windows fit into no image.
constexpr std::int64_t kLargestExtent = 1'000'000;

int extent_of(const OnnxNode& node, const char* what, std::int64_t value) {
  if (value < 0 || value > kLargestExtent) node.refuse("{} of {} is none", what, value);
  return static_cast<int>(value);
}

Extent pair_of(const OnnxNode& node, const char* what, const std::vector<std::int64_t>& values) {
  if (values.size() != 2) {
    node.refuse("its {} has {} numbers; windows have two extents here: height and width", what, values.size());
  }
  return {extent_of(node, what, values[0]), extent_of(node, what, values[1])};
}

// The padding for which the result is as large as the input divided by the stride, rounded up. If the total is odd, one
// side gets one more.
struct SamePadding {
  int before;
  int after;
};

SamePadding same_padding(std::int64_t size, int kernel, int stride, int dilation, bool more_after) {
  const std::int64_t out = (size + stride - 1) / stride;
  const std::int64_t reach = std::int64_t{dilation} * (kernel - 1) + 1;
  const auto total = static_cast<int>(std::max<std::int64_t>(0, (out - 1) * stride + reach - size));
  return more_after ? SamePadding{total / 2, total - total / 2} : SamePadding{total - total / 2, total / 2};
}

Padding sum_of(const Padding& a, const Padding& b) {
  return {a.top + b.top, a.left + b.left, a.bottom + b.bottom, a.right + b.right};
}

}  // namespace

struct OnnxReader::Window {
  Extent kernel;
  Extent stride;
  Extent dilation;
  Padding own;  // that of the node itself
  Padding pad;  // the same plus that of a padding node before it

  // Whether a pooling changes nothing. An average down to the size that an image already has is exported like this.
  [[nodiscard]] bool is_one_pixel() const { return kernel == Extent(1) && stride == Extent(1) && pad == Padding(0); }
};

OnnxReader::Window OnnxReader::window_of(OnnxNode& node, const OnnxValue& of,
                                         const std::vector<std::int64_t>& kernel) const {
  Window window{.kernel = pair_of(node, "kernel", kernel),
                .stride = pair_of(node, "stride", node.wholes("strides", {1, 1})),
                .dilation = pair_of(node, "dilation", node.wholes("dilations", {1, 1})),
                .own = 0,
                .pad = 0};
  if (window.kernel.h < 1 || window.kernel.w < 1 || window.stride.h < 1 || window.stride.w < 1 ||
      window.dilation.h < 1 || window.dilation.w < 1) {
    node.refuse("a window cannot have an extent of 0");
  }
  const std::vector<std::int64_t> pads = node.wholes("pads", {0, 0, 0, 0});
  const std::string mode = node.text("auto_pad", "NOTSET");
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    const bool upper = mode == "SAME_UPPER";
    const auto h = same_padding(of.dims[1] + of.pad.top + of.pad.bottom, window.kernel.h, window.stride.h,
                                window.dilation.h, upper);
    const auto w = same_padding(of.dims[2] + of.pad.left + of.pad.right, window.kernel.w, window.stride.w,
                                window.dilation.w, upper);
    window.own = {h.before, w.before, h.after, w.after};
  } else if (mode == "NOTSET" || mode.empty()) {
    if (pads.size() != 4) node.refuse("its pads have {} numbers; images have four sides", pads.size());
    window.own = {extent_of(node, "padding", pads[0]), extent_of(node, "padding", pads[1]),
                  extent_of(node, "padding", pads[2]), extent_of(node, "padding", pads[3])};
  } else if (mode != "VALID") {
    node.refuse("auto_pad \"{}\" is not understood", printable_text(mode));
  }
  window.pad = sum_of(window.own, of.pad);
  return window;
}

void OnnxReader::conv(OnnxNode& node) {
  const LayerId in = image(node, 0, true);
  const OnnxConstant& weights = constant_at(node, 1);
  if (weights.dims.size() != 4 || weights.floats.empty()) {
    node.refuse("its weights have {} extents; convolutions of images have 4", weights.dims.size());
  }
  const std::vector<std::int64_t> kernel = {weights.dims[2], weights.dims[3]};
  const Window window = window_of(node, computed(node, 0), node.wholes("kernel_shape", kernel));
  op::Convolution op{.out = extent_of(node, "number of channels", weights.dims[0]),
                     .kernel = window.kernel,
                     .stride = window.stride,
                     .pad = window.pad,
                     .dilation = window.dilation,
                     .groups = extent_of(node, "group", node.whole("group", 1)),
                     .bias = !node.input(2).empty()};
  const LayerId layer = network_.add(op, {in}, weighted_name(node, 1));
  const Shape shape = {op.out, network_.layer(in).shape[0] / op.groups, op.kernel.h, op.kernel.w};
  if (shape.dims() != weights.dims) {
    node.refuse("its weights are {}, and should be {}", Shape(weights.dims).to_string(), shape.to_string());
  }
  network_.set(layer, "weight", shape, weights.floats);
  if (op.bias) network_.set(layer, "bias", {op.out}, floats_at(node, 2, op.out));
  give(node, layer);
}

void OnnxReader::max_pool(OnnxNode& node) {
  const LayerId in = image(node, 0, true);
  const Window window = window_of(node, computed(node, 0), node.wholes("kernel_shape", {}));
  node.pass_over({"storage_order"});
  if (window.dilation != Extent(1)) node.refuse("poolings with dilation are not understood");
  if (uses(node.output(1)) > 0) node.refuse("its indices are used, which are not understood");
  const bool ceil = node.whole("ceil_mode", 0) != 0;
  if (window.is_one_pixel()) {
    give_view(node, computed(node, 0).dims);
    return;
  }
  const Operator& before = network_.layer(in).op;
  const bool is_positive = std::holds_alternative<op::Relu>(before) || std::holds_alternative<op::Relu6>(before);
  // Padding with zeros leaves maxima unchanged only if no value is below zero.
  if (window.pad != window.own && !is_positive) node.refuse("a pooling of what is padded with zeros is not understood");
  give(node,
       network_.add(op::MaxPool{.kernel = window.kernel, .stride = window.stride, .pad = window.pad, .ceil = ceil},
                    {in}, node.name()));
}

void OnnxReader::average_pool(OnnxNode& node) {
  const LayerId in = image(node, 0, true);
  const Window window = window_of(node, computed(node, 0), node.wholes("kernel_shape", {}));
  if (window.dilation != Extent(1)) node.refuse("poolings with dilation are not understood");
  bool counts = node.whole("count_include_pad", 0) != 0;
  const bool ceil = node.whole("ceil_mode", 0) != 0;
  if (window.is_one_pixel()) {
    give_view(node, computed(node, 0).dims);
    return;
  }
  if (window.pad != window.own) {
    if (window.own != Padding(0) && !counts) node.refuse("it counts one part of its padding and not the other");
    counts = true;
  }
  give(node, network_.add(op::AveragePool{.kernel = window.kernel,
                                          .stride = window.stride,
                                          .pad = window.pad,
                                          .ceil = ceil,
                                          .count_padding = counts},
                          {in}, node.name()));
}

void OnnxReader::global_average_pool(OnnxNode& node) {
  give(node, network_.add(op::GlobalAveragePool{}, {image(node, 0)}, node.name()));
}

void OnnxReader::global_max_pool(OnnxNode& node) {
  const LayerId in = image(node, 0);
  const Shape& shape = network_.layer(in).shape;
  const Extent whole(static_cast<int>(shape[1]), static_cast<int>(shape[2]));
  give(node, network_.add(op::MaxPool{.kernel = whole}, {in}, node.name()));
}

void OnnxReader::reduce_mean(OnnxNode& node) {
  std::vector<std::int64_t> axes = node.input(1).empty() ? node.wholes("axes", {}) : wholes_at(node, 1);
  for (std::int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
  std::ranges::sort(axes);
  if (axes != std::vector<std::int64_t>{2, 3}) node.refuse("means are understood over height and width only");
  node.pass_over({"noop_with_empty_axes"});
  give(node, network_.add(op::GlobalAveragePool{}, {image(node, 0)}, node.name()));
  OnnxValue& result = values_.at(node.output(0));
  if (node.whole("keepdims", 1) == 0) result.dims.resize(1);
}

void OnnxReader::pad(OnnxNode& node) {
  const LayerId in = image(node, 0, true);
  std::vector<std::int64_t> pads = node.wholes(node.has("paddings") ? "paddings" : "pads", {});
  if (!node.input(1).empty()) pads = wholes_at(node, 1);
  if (pads.size() != 8 || !node.input(3).empty()) node.refuse("padding of images has eight numbers");
  for (const std::int64_t side : pads) (void)extent_of(node, "padding", side);
  float filling = node.real("value", 0);
  if (!node.input(2).empty()) filling = floats_at(node, 2, 1)[0];
  if (node.text("mode", "constant") != "constant" || filling != 0) node.refuse("only padding with zeros is understood");
  if (pads[0] != 0 || pads[4] != 0) node.refuse("it pads the batch");
  const OnnxValue& before = computed(node, 0);
  const Padding around(static_cast<int>(pads[2]), static_cast<int>(pads[3]), static_cast<int>(pads[6]),
                       static_cast<int>(pads[7]));
  if (pads[1] == 0 && pads[5] == 0) {
    const Padding sum = sum_of(before.pad, around);
    give_view(node, before.dims);
    values_.at(node.output(0)).pad = sum;
    return;
  }
  if (pads[1] != pads[5] || around != Padding(0) || before.pad != Padding(0)) {
    node.refuse("channels are padded by as many before as after, and nothing else with them");
  }
  const bool alone = uses(node.input(0)) == 1 && before.is_only_use;
  const OnnxNetwork::Thinned thinned = alone ? network_.thinned(in) : OnnxNetwork::Thinned{in, 1};
  const auto out = static_cast<int>(before.dims[0] + 2 * pads[1]);
  give(node, network_.add(op::PadChannels{.out = out, .stride = thinned.stride}, {thinned.from}, node.name()));
}

}  // namespace convoy
