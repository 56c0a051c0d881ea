#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/exchange/onnx/onnx_reader.h"

namespace convoy {
namespace {

// Whether the shape is C x 1 x 1, so that it is as good as a row.
bool is_row_like(const std::vector<std::int64_t>& dims) {
  return std::all_of(dims.begin() + 1, dims.end(), [](std::int64_t extent) { return extent == 1; });
}

}  // namespace

void OnnxReader::gemm(OnnxNode& node) {
  const LayerId in = row(node, 0);
  OnnxConstant weights = constant_at(node, 1);
  if (node.whole("transA", 0) != 0) node.refuse("its first input is transposed");
  if (weights.dims.size() != 2 || weights.floats.empty()) node.refuse("its weights are not a matrix");
  if (node.whole("transB", 0) == 0) weights = transposed(weights, {1, 0});
  const float alpha = node.real("alpha", 1);
  const float beta = node.real("beta", 1);
  for (float& weight : weights.floats) weight *= alpha;
  node.pass_over({"broadcast"});
  const std::int64_t width = network_.layer(in).shape[0];
  if (weights.dims[1] != width) node.refuse("its weights are for {} values, not {}", weights.dims[1], width);
  const op::Dense op{.out = static_cast<int>(std::min<std::int64_t>(weights.dims[0], std::numeric_limits<int>::max())),
                     .bias = !node.input(2).empty()};
  const LayerId layer = network_.add(op, {in}, weighted_name(node, 1));
  network_.set(layer, "weight", Shape(weights.dims), std::move(weights.floats));
  if (op.bias) {
    const OnnxConstant& found = constant_at(node, 2);
    const bool is_row = found.dims.empty() || found.dims.back() == found.count();
    std::vector<float> biases = found.floats;
    if (biases.size() == 1) biases.assign(static_cast<std::size_t>(op.out), biases[0]);
    if (!is_row || static_cast<std::int64_t>(biases.size()) != op.out) {
      node.refuse("its biases are {}, not one for each of {} values", Shape(found.dims).to_string(), op.out);
    }
    for (float& bias : biases) bias *= beta;
    network_.set(layer, "bias", {op.out}, std::move(biases));
  }
  give(node, layer);
}

void OnnxReader::mat_mul(OnnxNode& node) {
  const LayerId in = row(node, 0);
  const OnnxConstant& found = constant_at(node, 1);
  if (found.dims.size() != 2 || found.floats.empty()) node.refuse("its second input is not a matrix of weights");
  OnnxConstant weights = transposed(found, {1, 0});
  const std::int64_t width = network_.layer(in).shape[0];
  if (weights.dims[1] != width) node.refuse("its weights are for {} values, not {}", weights.dims[1], width);
  const op::Dense op{.out = static_cast<int>(std::min<std::int64_t>(weights.dims[0], std::numeric_limits<int>::max())),
                     .bias = false};
  const LayerId layer = network_.add(op, {in}, weighted_name(node, 1));
  network_.set(layer, "weight", Shape(weights.dims), std::move(weights.floats));
  give(node, layer);
}

void OnnxReader::batch_normalization(OnnxNode& node) {
  node.pass_over({"spatial", "is_test", "consumed_inputs"});
  const OnnxValue& of = computed(node, 0);
  const std::int64_t channels = of.dims.front();
  const float epsilon = std::max(node.real("epsilon", 1e-5F), 1e-12F);
  const float kept = node.real("momentum", 0.9F);
  if (node.whole("training_mode", 0) != 0) node.refuse("it is in training mode; export the model for inference");
  std::vector<float> scales = floats_at(node, 1, channels);
  std::vector<float> shifts = floats_at(node, 2, channels);
  std::vector<float> means = floats_at(node, 3, channels);
  std::vector<float> variances = floats_at(node, 4, channels);
  if (of.dims.size() == 1) {  // a row: becomes part of the layer before it
    for (std::size_t c = 0; c < scales.size(); ++c) {
      scales[c] /= std::sqrt(variances[c] + epsilon);
      shifts[c] -= means[c] * scales[c];
    }
    give_affine(node, 0, std::move(scales), std::move(shifts));
    return;
  }
  // Rounded, so that 1 - 0.9 is 0.1 and not 0.100000024.
  const auto momentum = static_cast<float>(std::round((1 - double{kept}) * 1e6) / 1e6);
  const LayerId layer = network_.add(op::BatchNorm{.epsilon = epsilon, .momentum = std::clamp(momentum, 0.0F, 1.0F)},
                                     {image(node, 0)}, weighted_name(node, 1));
  network_.set(layer, "weight", {channels}, std::move(scales));
  network_.set(layer, "bias", {channels}, std::move(shifts));
  network_.set(layer, "running_mean", {channels}, std::move(means));
  network_.set(layer, "running_var", {channels}, std::move(variances));
  give(node, layer);
}

void OnnxReader::relu(OnnxNode& node) {
  node.pass_over({"consumed_inputs"});
  give(node, network_.add(op::Relu{}, {as_it_is(node, 0)}, node.name()));
}

void OnnxReader::sigmoid(OnnxNode& node) {
  node.pass_over({"consumed_inputs"});
  give(node, network_.add(op::Sigmoid{}, {as_it_is(node, 0)}, node.name()));
}

void OnnxReader::tanh(OnnxNode& node) {
  node.pass_over({"consumed_inputs"});
  give(node, network_.add(op::Tanh{}, {as_it_is(node, 0)}, node.name()));
}

void OnnxReader::clip(OnnxNode& node) {
  float low = node.real("min", std::numeric_limits<float>::lowest());
  float high = node.real("max", std::numeric_limits<float>::max());
  if (!node.input(1).empty()) low = floats_at(node, 1, 1)[0];
  if (!node.input(2).empty()) high = floats_at(node, 2, 1)[0];
  node.pass_over({"consumed_inputs"});
  if (low == 0 && high == 6) {
    give(node, network_.add(op::Relu6{}, {as_it_is(node, 0)}, node.name()));
  } else if (low == 0 && high >= std::numeric_limits<float>::max()) {
    give(node, network_.add(op::Relu{}, {as_it_is(node, 0)}, node.name()));
  } else if (low <= std::numeric_limits<float>::lowest() && high >= std::numeric_limits<float>::max()) {
    give_view(node, computed(node, 0).dims);
  } else {
    node.refuse("it keeps values between {} and {}; between 0 and 6 and above 0 are understood", low, high);
  }
}

void OnnxReader::dropout(OnnxNode& node) {
  node.pass_over({"seed", "is_test"});
  float rate = node.real("ratio", 0.5F);
  if (!node.input(1).empty()) rate = floats_at(node, 1, 1)[0];
  if (uses(node.output(1)) > 0) node.refuse("its mask is used, which is not understood");
  if (rate == 0) {
    give_view(node, computed(node, 0).dims);
    return;
  }
  if (!node.input(2).empty() && wholes_at(node, 2) != std::vector<std::int64_t>{0}) {
    node.refuse("it is in training mode; export the model for inference");
  }
  give(node, network_.add(op::Dropout{.rate = rate}, {as_it_is(node, 0)}, node.name()));
}

void OnnxReader::lrn(OnnxNode& node) {
  const op::Lrn op{.size = static_cast<int>(std::clamp<std::int64_t>(node.whole("size", 0), 0, 1 << 20)),
                   .alpha = node.real("alpha", 1e-4F),
                   .beta = node.real("beta", 0.75F),
                   .k = node.real("bias", 1)};
  give(node, network_.add(op, {image(node, 0)}, node.name()));
}

void OnnxReader::softmax(OnnxNode& node) {
  const OnnxValue& of = computed(node, 0);
  const auto last = static_cast<std::int64_t>(of.dims.size());
  const std::int64_t axis = node.whole("axis", of.dims.size() == 1 ? 1 : -1);
  const bool over_classes = axis == 1 || (axis == -1 && of.dims.size() == 1) || axis == -last;
  if (!is_row_like(of.dims) || !over_classes) node.refuse("a softmax is understood over classes only");
  give_view(node, of.dims);
  values_.at(node.output(0)).is_probability = true;
}

std::vector<float> OnnxReader::per_channel(OnnxNode& node, int i, const OnnxValue& of) const {
  const OnnxConstant& found = constant_at(node, i);
  const auto rank = static_cast<std::int64_t>(of.dims.size()) + 1;
  const std::int64_t channels = of.dims.front();
  std::int64_t first = rank - static_cast<std::int64_t>(found.dims.size());  // extents are aligned at the end
  const std::int64_t axis = node.whole("axis", -1);
  if (node.whole("broadcast", 0) != 0 && axis >= 0) first = axis;  // old models give the axis instead
  for (std::size_t k = 0; k < found.dims.size(); ++k) {
    const bool is_channels = first + static_cast<std::int64_t>(k) == 1 && found.dims[k] == channels;
    if (found.dims[k] == 1 || is_channels) continue;
    node.refuse("its constant of {} is neither one number nor one for each of {} channels",
                Shape(found.dims).to_string(), channels);
  }
  if (found.floats.empty()) node.refuse("its constant holds no numbers");
  if (found.floats.size() > 1) return found.floats;
  return std::vector<float>(static_cast<std::size_t>(channels), found.floats[0]);
}

// Applies the affine map in the layer before it if nothing else reads that layer; otherwise as a convolution of each
// channel by itself.
void OnnxReader::give_affine(OnnxNode& node, int i, std::vector<float> scale, std::vector<float> shift) {
  const OnnxValue& of = computed(node, i);
  const bool is_plain = network_.layer(of.layer).shape.dims() == of.dims && of.pad == Padding(0);
  if (network_.takes_affine(of.layer) && of.is_only_use && uses(node.input(i)) == 1 && is_plain) {
    network_.apply_affine(of.layer, scale, shift);
    give(node, of.layer);
    return;
  }
  if (of.dims.size() != 3) node.refuse("constants of a row are understood right after a dense layer only");
  const LayerId in = image(node, i);
  const auto channels = static_cast<int>(of.dims.front());
  const LayerId layer = network_.add(op::Convolution{.out = channels, .groups = channels}, {in}, node.name());
  network_.set(layer, "weight", {channels, 1, 1, 1}, std::move(scale));
  network_.set(layer, "bias", {channels}, std::move(shift));
  give(node, layer);
}

void OnnxReader::add(OnnxNode& node) {
  for (int i = 0; i < node.inputs() && node.inputs() == 2; ++i) {
    if (!value(node, i).constant) continue;
    const OnnxValue& other = computed(node, 1 - i);
    const std::vector<float> ones(static_cast<std::size_t>(other.dims.front()), 1);
    give_affine(node, 1 - i, ones, per_channel(node, i, other));
    return;
  }
  node.pass_over({"broadcast", "axis"});
  LayerId sum = as_it_is(node, 0);
  for (int i = 1; i < node.inputs(); ++i) {
    const LayerId next = as_it_is(node, i);
    sum = network_.add(op::Add{}, {sum, next}, node.name());
  }
  give(node, sum);
}

void OnnxReader::scale(OnnxNode& node) {
  if (node.inputs() != 2) node.refuse("it has {} inputs, not 2", node.inputs());
  const int by = value(node, 0).constant ? 0 : 1;
  if (!value(node, by).constant) node.refuse("one of its inputs has to be a constant");
  const OnnxValue& of = computed(node, 1 - by);
  const std::vector<float> constants = per_channel(node, by, of);
  std::vector<float> scales(constants.size(), 1);
  std::vector<float> shifts(constants.size(), 0);
  for (std::size_t c = 0; c < constants.size(); ++c) {
    if (node.type() == "Mul") {
      scales[c] = constants[c];
    } else if (node.type() == "Sub") {
      scales[c] = by == 1 ? 1.0F : -1.0F;
      shifts[c] = by == 1 ? -constants[c] : constants[c];
    } else if (by == 1 && constants[c] != 0) {
      scales[c] = 1 / constants[c];
    } else {
      node.refuse("it divides by what is computed, or by zero");
    }
  }
  give_affine(node, 1 - by, std::move(scales), std::move(shifts));
}

void OnnxReader::concat(OnnxNode& node) {
  const std::int64_t axis = node.whole("axis", 1);
  if (value(node, 0).constant) {
    constexpr std::size_t kLongestShape = 64;
    OnnxConstant joined;
    for (int i = 0; i < node.inputs(); ++i) {
      const std::vector<std::int64_t> part = wholes_at(node, i);
      joined.wholes.insert(joined.wholes.end(), part.begin(), part.end());
      if (joined.wholes.size() > kLongestShape) node.refuse("constants are joined into short shapes only");
    }
    if (axis != 0 && axis != -1) node.refuse("constants are joined into shapes only");
    joined.dims = {static_cast<std::int64_t>(joined.wholes.size())};
    give(node, std::move(joined));
    return;
  }
  if (axis != 1 && axis != -3) node.refuse("it joins along axis {}; channels are axis 1", axis);
  std::vector<LayerId> parts;
  for (int i = 0; i < node.inputs(); ++i) parts.push_back(image(node, i));
  give(node, network_.add(op::Concat{}, std::move(parts), node.name()));
}

}  // namespace convoy
