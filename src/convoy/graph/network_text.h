// A network as text (TOML), so that anybody can write one without C++:
//
//   input = "3x32x32"
//   classes = 10
//   layers = [
//     {conv = "conv1", out = 16, kernel = 3, pad = 1, bias = false},
//     {batch_norm = "bn1"},
//     {block = "residual", name = "layer1.{}", repeat = 3, width = 16},
//     {flatten = "flatten"},
//     {dense = "fc", out = "classes"},
//     {loss = "loss"},
//   ]
//
//   [block.residual]
//   parameters = {width = 16}
//   layers = [
//     {conv = "conv", out = "width", kernel = 3, pad = 1},
//     {add = "add", from = ["conv", "in"]},
//   ]
//
// docs/networks.md has every key.
#pragma once

#include <string>
#include <string_view>

#include "convoy/graph/graph.h"

namespace convoy {

// What the user of a network may choose about it.
struct NetworkTextOptions {
  Shape input;                                // one sample; empty: as the text says
  int classes = 0;                            // 0: as the text says
  Operator loss = op::SoftmaxCrossEntropy{};  // what a layer `loss` becomes
};

// Builds the graph. Throws UserError `file:line: ...` for what is not understood or does not fit, with the layer's
// name; `file` is only for messages. What a hostile text can ask for is bounded: 10,000 layers, 16 blocks within
// blocks.
[[nodiscard]] Graph read_network(std::string_view text, const std::string& file,
                                 const NetworkTextOptions& options = {});

// The text of a graph: reading it with the same options gives the same graph. The layer that decides how many classes
// there are says so, and the usual loss is left to the reader, so that the text serves other data too.
[[nodiscard]] std::string network_text(const Graph& graph);

}  // namespace convoy
