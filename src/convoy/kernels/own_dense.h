// What Convoy's own dense layers have in common: layouts in which all passes are products of plain matrices, and the
// operators that they become.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/loop_operator.h"

namespace convoy::kernels {

// The layouts of a dense layer's operands. A row has an image's elements in the order in which they are in memory:
// blocked, with the zeros that fill the last block.
struct DenseLayouts {
  Layout source, weights, bias, destination, gradient;  // the last is the result's gradient
  std::int64_t in;                                      // elements of a row

  explicit DenseLayouts(const DenseProblem& p)
      : source(p.image ? Layout::blocked(p.source_dims(), p.type) : Layout::plain(p.source_dims(), p.type)),
        weights(p.image ? Layout::blocked(p.weights_dims(), p.type) : Layout::plain(p.weights_dims(), p.type)),
        bias(p.bias ? Layout::plain({p.out}) : Layout()),
        destination(Layout::plain(p.destination_dims(), p.destination_type)),
        gradient(Layout::plain(p.destination_dims(), p.type)),
        in(source.elements() / p.batch) {}
};

inline PreparedPtr own_dense_operator(std::string name, std::vector<std::pair<Role, Layout>> operands,
                                      std::size_t scratch_bytes, LoopOperator::Run run) {
  return std::make_shared<LoopOperator>(std::move(name), std::move(operands),
                                        std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, scratch_bytes}},
                                        std::move(run));
}

}  // namespace convoy::kernels
