#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "convoy/exchange/onnx/onnx_reader.h"

namespace convoy {
namespace {

std::int64_t product_of(const std::vector<std::int64_t>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

bool is_permutation_of(const std::vector<std::int64_t>& order, std::size_t rank) {
  std::vector<std::int64_t> sorted = order;
  std::ranges::sort(sorted);
  std::vector<std::int64_t> expected(rank);
  std::iota(expected.begin(), expected.end(), 0);
  return sorted == expected;
}

// Whether a transposition keeps the order of the values: extents of 1 may go anywhere, others must stay in order.
bool keeps_order(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& order) {
  std::int64_t last = -1;
  for (const std::int64_t axis : order) {
    if (dims[static_cast<std::size_t>(axis)] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

}  // namespace

void OnnxReader::identity(OnnxNode& node) {
  const OnnxValue& of = value(node, 0);
  const std::int64_t to = node.type() == "Cast" ? node.whole("to", 0) : 0;
  node.pass_over({"saturate"});
  if (!of.constant) {
    const bool is_float = to == 0 || to == onnx::TensorProto::FLOAT || to == onnx::TensorProto::DOUBLE;
    if (!is_float) node.refuse("values that are computed are floats, and stay so");
    give_view(node, of.dims);
    return;
  }
  OnnxConstant result = *of.constant;
  if (to == 0) {
    give(node, std::move(result));
    return;
  }
  const bool to_whole = to == onnx::TensorProto::INT64 || to == onnx::TensorProto::INT32;
  if (to_whole && !result.floats.empty()) {
    for (const float number : result.floats) {
      if (!(std::abs(number) < 1e9F)) node.refuse("{} is not a whole number", number);
      result.wholes.push_back(static_cast<std::int64_t>(number));
    }
    result.floats.clear();
  } else if (!to_whole && !result.wholes.empty()) {
    result.floats.assign(result.wholes.begin(), result.wholes.end());
    result.wholes.clear();
  }
  give(node, std::move(result));
}

void OnnxReader::flatten(OnnxNode& node) {
  const OnnxValue& of = computed(node, 0);
  const auto rank = static_cast<std::int64_t>(of.dims.size()) + 1;
  std::int64_t axis = node.whole("axis", 1);
  if (axis < 0) axis += rank;
  if (axis != 1) node.refuse("it flattens from axis {} on; from 1, each sample into a row, is understood", axis);
  give_view(node, {product_of(of.dims)});
  values_.at(node.output(0)).flat_name = node.name();
}

void OnnxReader::reshape(OnnxNode& node) {
  const OnnxValue& of = value(node, 0);
  const std::vector<std::int64_t> target = node.input(1).empty() ? node.wholes("shape", {}) : wholes_at(node, 1);
  node.pass_over({"consumed_inputs"});
  if (node.whole("allowzero", 0) != 0 && std::ranges::count(target, 0) > 0)
    node.refuse("a shape cannot have an extent of 0");
  if (of.constant) {
    const auto dims = reshaped(of.constant->dims, target);
    if (!dims) node.refuse("{} is not a shape of {}", Shape(target).to_string(), Shape(of.constant->dims).to_string());
    OnnxConstant result = *of.constant;
    result.dims = *dims;
    give(node, std::move(result));
    return;
  }
  const bool keeps_batch = !target.empty() && (target[0] == 0 || target[0] == -1 || target[0] == kOnnxBatch ||
                                               (batch_ > 0 && target[0] == batch_));
  const std::vector<std::int64_t> rest(target.begin() + (target.empty() ? 0 : 1), target.end());
  const bool is_clear = std::ranges::count(target, -1) <= 1 && std::ranges::count(rest, kOnnxBatch) == 0;
  const auto dims = keeps_batch && is_clear && !rest.empty() ? reshaped(computed(node, 0).dims, rest) : std::nullopt;
  if (!dims) {
    node.refuse("samples of {} cannot be reshaped to [{}]; rows of all values of a sample are understood",
                Shape(of.dims).to_string(), fmt::join(target, ", "));
  }
  give_view(node, *dims);
  values_.at(node.output(0)).flat_name = node.name();
}

void OnnxReader::transpose(OnnxNode& node) {
  const OnnxValue& of = value(node, 0);
  const std::size_t rank = of.constant ? of.constant->dims.size() : of.dims.size() + 1;
  std::vector<std::int64_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  order = node.wholes("perm", order);
  if (!is_permutation_of(order, rank)) node.refuse("its perm is not an order of {} axes", rank);
  if (of.constant) {
    give(node, transposed(*of.constant, order));
    return;
  }
  std::vector<std::int64_t> dims = computed(node, 0).dims;
  dims.insert(dims.begin(), kOnnxBatch);
  if (order[0] != 0 || !keeps_order(dims, order)) {
    node.refuse("it puts values of {} into another order, which is not understood", Shape(of.dims).to_string());
  }
  std::vector<std::int64_t> result;
  for (std::size_t i = 1; i < rank; ++i) result.push_back(dims[static_cast<std::size_t>(order[i])]);
  give_view(node, std::move(result));
}

// Squeeze removes and Unsqueeze adds extents of 1.
void OnnxReader::squeeze(OnnxNode& node) {
  const OnnxValue& of = value(node, 0);
  const bool adds = node.type() == "Unsqueeze";
  std::vector<std::int64_t> axes = node.input(1).empty() ? node.wholes("axes", {}) : wholes_at(node, 1);
  std::vector<std::int64_t> dims = of.dims;
  if (of.constant) {
    dims = of.constant->dims;
  } else {
    dims.insert(dims.begin(), kOnnxBatch);
  }
  if (axes.empty()) node.refuse("it does not say which axes");
  const auto rank = static_cast<std::int64_t>(dims.size() + (adds ? axes.size() : 0));
  for (std::int64_t& axis : axes) axis += axis < 0 ? rank : 0;
  std::ranges::sort(axes);
  if (!adds) std::ranges::reverse(axes);
  for (const std::int64_t axis : axes) {
    const auto size = static_cast<std::int64_t>(dims.size());
    const bool fits = adds ? axis >= 0 && axis <= size && size < 8
                           : axis >= 0 && axis < size && dims[static_cast<std::size_t>(axis)] == 1;
    if (!fits || (axis == 0 && !of.constant)) node.refuse("axis {} of {} numbers cannot go or come", axis, size);
    adds ? (void)dims.insert(dims.begin() + axis, 1) : (void)dims.erase(dims.begin() + axis);
  }
  if (of.constant) {
    OnnxConstant result = *of.constant;
    result.dims = std::move(dims);
    give(node, std::move(result));
    return;
  }
  dims.erase(dims.begin());
  if (dims.empty()) node.refuse("nothing is left of a sample");
  give_view(node, std::move(dims));
}

void OnnxReader::constant(OnnxNode& node) {
  OnnxConstant result;
  if (const onnx::AttributeProto* const tensor = node.find("value")) {
    result = read_constant(tensor->t(), folder_);
  } else if (node.has("value_float")) {
    result.floats = {node.real("value_float", 0)};
  } else if (node.has("value_int")) {
    result.wholes = {node.whole("value_int", 0)};
  } else if (node.has("value_floats")) {
    result.floats = node.reals("value_floats");
    result.dims = {static_cast<std::int64_t>(result.floats.size())};
  } else if (node.has("value_ints")) {
    result.wholes = node.wholes("value_ints", {});
    result.dims = {static_cast<std::int64_t>(result.wholes.size())};
  } else {
    node.refuse("its value is not understood; tensors and numbers are");
  }
  give(node, std::move(result));
}

void OnnxReader::shape(OnnxNode& node) {
  const OnnxValue& of = value(node, 0);
  OnnxConstant result;
  if (of.constant) {
    result.wholes = of.constant->dims;
  } else {
    result.wholes = {kOnnxBatch};
    result.wholes.insert(result.wholes.end(), of.dims.begin(), of.dims.end());
  }
  const auto rank = static_cast<std::int64_t>(result.wholes.size());
  const auto place = [&](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const std::int64_t start = place(node.whole("start", 0));
  const std::int64_t end = std::max(start, place(node.whole("end", rank)));
  result.wholes = {result.wholes.begin() + start, result.wholes.begin() + end};
  result.dims = {static_cast<std::int64_t>(result.wholes.size())};
  give(node, std::move(result));
}

void OnnxReader::gather(OnnxNode& node) {
  const std::vector<std::int64_t> from = wholes_at(node, 0);
  const OnnxConstant& places = constant_at(node, 1);
  if (node.whole("axis", 0) != 0 || constant_at(node, 0).dims.size() != 1) {
    node.refuse("numbers are taken out of shapes only");
  }
  OnnxConstant result;
  result.dims = places.dims;
  for (std::int64_t place : places.wholes) {
    place += place < 0 ? static_cast<std::int64_t>(from.size()) : 0;
    if (place < 0 || place >= static_cast<std::int64_t>(from.size())) node.refuse("there is no number {}", place);
    result.wholes.push_back(from[static_cast<std::size_t>(place)]);
  }
  give(node, std::move(result));
}

}  // namespace convoy
