#include "convoy/exchange/onnx/onnx_node.h"

#include <onnx/onnx_pb.h>

namespace convoy {

const std::string& OnnxNode::type() const { return proto_.op_type(); }

const std::string& OnnxNode::name() const {
  return proto_.name().empty() && proto_.output_size() > 0 ? proto_.output(0) : proto_.name();
}

int OnnxNode::inputs() const { return proto_.input_size(); }

const std::string& OnnxNode::input(int i) const {
  static const std::string nothing;
  return i < proto_.input_size() ? proto_.input(i) : nothing;
}

int OnnxNode::outputs() const { return proto_.output_size(); }

const std::string& OnnxNode::output(int i) const {
  static const std::string nothing;
  return i < proto_.output_size() ? proto_.output(i) : nothing;
}

const onnx::AttributeProto* OnnxNode::find(const char* attribute) {
  understood_.insert(attribute);
  for (const onnx::AttributeProto& each : proto_.attribute()) {
    if (each.name() == attribute) return &each;
  }
  return nullptr;
}

bool OnnxNode::has(const char* attribute) const {
  for (const onnx::AttributeProto& each : proto_.attribute()) {
    if (each.name() == attribute) return true;
  }
  return false;
}

std::int64_t OnnxNode::whole(const char* attribute, std::int64_t otherwise) {
  const onnx::AttributeProto* const found = find(attribute);
  return found == nullptr ? otherwise : found->i();
}

float OnnxNode::real(const char* attribute, float otherwise) {
  const onnx::AttributeProto* const found = find(attribute);
  return found == nullptr ? otherwise : found->f();
}

std::string OnnxNode::text(const char* attribute, const std::string& otherwise) {
  const onnx::AttributeProto* const found = find(attribute);
  return found == nullptr ? otherwise : found->s();
}

std::vector<std::int64_t> OnnxNode::wholes(const char* attribute, std::vector<std::int64_t> otherwise) {
  const onnx::AttributeProto* const found = find(attribute);
  if (found == nullptr) return otherwise;
  return {found->ints().begin(), found->ints().end()};
}

std::vector<float> OnnxNode::reals(const char* attribute) {
  const onnx::AttributeProto* const found = find(attribute);
  if (found == nullptr) return {};
  return {found->floats().begin(), found->floats().end()};
}

void OnnxNode::require_understood() const {
  for (const onnx::AttributeProto& each : proto_.attribute()) {
    if (!understood_.contains(each.name()))
      refuse("the attribute \"{}\" is not understood", printable_text(each.name()));
  }
}

}  // namespace convoy
