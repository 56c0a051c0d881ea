#include <onnx/onnx_pb.h>

#include <algorithm>

#include "convoy/exchange/onnx/onnx_reader.h"

namespace convoy {

// A group norm as older ONNX models write it: channels are reshaped to groups and each group is normalised as one
// instance. The nodes that follow, which reshape back and scale and shift each channel, become part of the layer.
void OnnxReader::instance_normalization(OnnxNode& node) {
  node.pass_over({"consumed_inputs"});
  const OnnxValue of = computed(node, 0);
  const Shape& shape = network_.layer(of.layer).shape;
  const std::int64_t groups = of.dims.front();
  const bool fits = shape.rank() == 3 && of.pad == Padding(0) && shape[0] % groups == 0 &&
                    (of.dims.size() == 3 ? of.dims == shape.dims() : of.dims.size() == 2);
  if (!fits) node.refuse("it normalises neither the channels of an image nor groups of them");
  give_group_norm(node, groups);
  values_.at(node.output(0)).dims = of.dims;
}

void OnnxReader::group_normalization(OnnxNode& node) {
  node.pass_over({"stash_type"});
  const LayerId from = image(node, 0);
  const std::int64_t groups = node.whole("num_groups", 0);
  const std::int64_t channels = network_.layer(from).shape[0];
  if (groups < 1 || channels % groups != 0) node.refuse("{} channels are not in {} groups", channels, groups);
  give_group_norm(node, groups);
}

// Inputs 1 and 2 are scale and shift, either per group or per channel.
void OnnxReader::give_group_norm(OnnxNode& node, std::int64_t groups) {
  const LayerId from = computed(node, 0).layer;
  const std::int64_t channels = network_.layer(from).shape[0];
  const auto of_each_channel = [&](int input) {
    const bool is_of_channels = std::ssize(constant_at(node, input).floats) == channels;
    const std::vector<float> given = floats_at(node, input, is_of_channels ? channels : groups);
    std::vector<float> factors;
    for (std::int64_t c = 0; c < channels; ++c) {
      factors.push_back(given[static_cast<std::size_t>(is_of_channels ? c : c / (channels / groups))]);
    }
    return factors;
  };
  const op::GroupNorm op{.groups = static_cast<int>(groups), .epsilon = std::max(node.real("epsilon", 1e-5F), 1e-12F)};
  const LayerId layer = network_.add(op, {from}, node.name());
  network_.set(layer, "weight", {channels}, of_each_channel(1));
  network_.set(layer, "bias", {channels}, of_each_channel(2));
  give(node, layer);
}

void OnnxReader::layer_normalization(OnnxNode& node) {
  node.pass_over({"stash_type"});
  const auto rank = static_cast<std::int64_t>(computed(node, 0).dims.size());
  const std::int64_t axis = node.whole("axis", -1);
  if (axis != 1 && axis != -rank) node.refuse("it normalises a part of each sample; all of it is understood");
  if (uses(node.output(1)) + uses(node.output(2)) > 0) node.refuse("its statistics are used, which is not understood");
  const LayerId from = as_it_is(node, 0);
  const Shape shape = network_.layer(from).shape;
  const op::LayerNorm op{.epsilon = std::max(node.real("epsilon", 1e-5F), 1e-12F)};
  const LayerId layer = network_.add(op, {from}, weighted_name(node, 1));
  network_.set(layer, "weight", shape, floats_at(node, 1, shape.count()));
  network_.set(layer, "bias", shape,
               node.input(2).empty() ? std::vector<float>(static_cast<std::size_t>(shape.count()), 0.0F)
                                     : floats_at(node, 2, shape.count()));
  give(node, layer);
}

}  // namespace convoy
