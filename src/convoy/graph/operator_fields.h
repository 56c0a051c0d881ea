// The attributes of each operator and their names, in one place for everything that reads or writes operators as text.
#pragma once

#include "convoy/graph/operators.h"

namespace convoy {

// Calls `visit(name, attribute)` for each attribute of `op` but its name. For those without a sensible default, which
// come first, it calls `visit.required(name, attribute)`. The shape of an input does not count as an attribute here.
template <typename Visitor>
void visit_attributes(op::Convolution& op, Visitor& visit) {
  visit.required("out", op.out);
  visit("kernel", op.kernel);
  visit("stride", op.stride);
  visit("pad", op.pad);
  visit("dilation", op.dilation);
  visit("groups", op.groups);
  visit("bias", op.bias);
}

template <typename Visitor>
void visit_attributes(op::Dense& op, Visitor& visit) {
  visit.required("out", op.out);
  visit("bias", op.bias);
}

template <typename Visitor>
void visit_attributes(op::BatchNorm& op, Visitor& visit) {
  visit("epsilon", op.epsilon);
  visit("momentum", op.momentum);
}

template <typename Visitor>
void visit_attributes(op::GroupNorm& op, Visitor& visit) {
  visit.required("groups", op.groups);
  visit("epsilon", op.epsilon);
}

template <typename Visitor>
void visit_attributes(op::LayerNorm& op, Visitor& visit) {
  visit("epsilon", op.epsilon);
}

template <typename Visitor>
void visit_attributes(op::MaxPool& op, Visitor& visit) {
  visit.required("kernel", op.kernel);
  visit("stride", op.stride);
  visit("pad", op.pad);
  visit("ceil", op.ceil);
}

template <typename Visitor>
void visit_attributes(op::AveragePool& op, Visitor& visit) {
  visit.required("kernel", op.kernel);
  visit("stride", op.stride);
  visit("pad", op.pad);
  visit("ceil", op.ceil);
  visit("count_padding", op.count_padding);
}

template <typename Visitor>
void visit_attributes(op::PadChannels& op, Visitor& visit) {
  visit.required("out", op.out);
  visit("stride", op.stride);
}

template <typename Visitor>
void visit_attributes(op::Dropout& op, Visitor& visit) {
  visit("rate", op.rate);
}

template <typename Visitor>
void visit_attributes(op::Lrn& op, Visitor& visit) {
  visit("size", op.size);
  visit("alpha", op.alpha);
  visit("beta", op.beta);
  visit("k", op.k);
}

template <typename Visitor>
void visit_attributes(op::SoftmaxCrossEntropy& op, Visitor& visit) {
  visit("label_smoothing", op.label_smoothing);
}

template <typename Visitor>
void visit_attributes(op::MeanSquaredError& op, Visitor& visit) {
  visit("float_targets", op.float_targets);
}

// Operators that have no attributes except a name.
template <typename Op, typename Visitor>
void visit_attributes(Op& /*op*/, Visitor& /*visit*/) {}

}  // namespace convoy
