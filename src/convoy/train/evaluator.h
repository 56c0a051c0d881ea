// Runs the test data through a network and counts the results.
#pragma once

#include <functional>

#include "convoy/data/source/source.h"
#include "convoy/engine/predictor.h"
#include "convoy/train/tally.h"

namespace convoy {

struct EvaluatorOptions {
  CompileOptions compile;              // batch, threads, cache, choices
  data::ChannelStatistics statistics;  // images are normalised by these; empty: by the source's own
  int loader_threads = 1;
};

class Evaluator {
 public:
  // `source` must outlive it. Throws UserError with layer and shapes when its images or classes do not fit the graph.
  Evaluator(const Graph& graph, const data::Source& source, EvaluatorOptions options);

  // Evaluates the samples of the test data with these parameters, in order: all of them, or the part of one of several
  // ranks. After each batch `on_batch` is told how many are done and returns whether to go on.
  [[nodiscard]] Tally run(const ParameterStore& trained, const std::function<bool(std::int64_t)>& on_batch = {},
                          int rank = 0, int ranks = 1);

  // An evaluator that is compiled with these computes the same numbers.
  [[nodiscard]] const Choices& choices() const { return predictor_.choices(); }

 private:
  const data::Source& source_;
  EvaluatorOptions options_;
  LossKind loss_;
  int classes_;
  Predictor predictor_;
};

}  // namespace convoy
