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

// What the user of a network text may choose.
struct NetworkTextOptions {
  Shape input;                                // of one sample; empty: what the text says
  int classes = 0;                            // 0: what the text says
  Operator loss = op::SoftmaxCrossEntropy{};  // what a layer of kind `loss` becomes
};

// Builds the graph. Throws UserError `file:line: ...` with the layer's name for anything that is not understood or does
// not fit; `file` is only for messages. The size that a hostile text can ask for is limited: 10,000 layers, blocks
// nested 16 deep.
[[nodiscard]] Graph read_network(std::string_view text, const std::string& file,
                                 const NetworkTextOptions& options = {});

// Writes a graph as text; reading it with the same options gives the same graph. The text can be used for other data
// too: the layer that decides the number of classes refers to it by name, and the usual loss is written as `loss`.
[[nodiscard]] std::string network_text(const Graph& graph);

}  // namespace convoy
