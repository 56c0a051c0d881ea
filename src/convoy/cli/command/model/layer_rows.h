// The layers of a network as rows of a table: which layers share a row, and how a layer is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/graph/analysis.h"
#include "convoy/graph/graph.h"

namespace convoy::cli {

struct LayerRow {
  LayerId layer = 0;
  std::string kind;  // including what is folded into it: "conv +relu"
  // For convolutions and poolings; otherwise empty.
  std::string kernel = {};  // "3x3", "3x3 dilated 2"
  std::string stride = {};
  std::string pad = {};
  std::string groups = {};
  std::string calculation = {};  // of the number of weights: "(3*3*64)*128"
  std::int64_t kept_bytes = 0;   // kept by training, for one image
  LayerAnalysis costs;
};

// The row of a layer by itself, without what training keeps.
[[nodiscard]] LayerRow row_of(const Graph& graph, const LayerAnalysis& costs);

[[nodiscard]] std::vector<LayerRow> layer_rows(const Graph& graph, const Analysis& analysis);

// Kind and window in one: "conv 7x7 /2 p3 +relu".
[[nodiscard]] std::string short_kind(const LayerRow& row);

}  // namespace convoy::cli
