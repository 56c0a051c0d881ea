#include "convoy/train/evaluator.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "convoy/data/loader/loader.h"
#include "convoy/train/fitting.h"

namespace convoy {
namespace {

data::LoaderOptions loader_options(const data::Source& source, const EvaluatorOptions& options, int rank, int ranks) {
  const std::int64_t batch = options.compile.batch * ranks;
  return {.split = data::Split::test,
          .statistics = options.statistics,
          .global_batch = batch,
          .rank = rank,
          .size = ranks,
          .threads = options.loader_threads,
          .last_step = (source.size(data::Split::test) + batch - 1) / batch};
}

const Graph& fitting(const Graph& graph, const data::Source& source) {
  require_fitting(graph, source);
  return graph;
}

LossKind loss_of(const Graph& graph) {
  const Operator& loss = graph.layer(graph.output()).op;
  return std::holds_alternative<op::MeanSquaredError>(loss) ? LossKind::mean_squared_error : LossKind::cross_entropy;
}

}  // namespace

Evaluator::Evaluator(const Graph& graph, const data::Source& source, EvaluatorOptions options)
    : source_(source),
      options_(std::move(options)),
      loss_(loss_of(graph)),
      classes_(static_cast<int>(classes_of(graph))),
      predictor_(fitting(graph, source), options_.compile) {}

Tally Evaluator::run(const ParameterStore& trained, const std::function<bool(std::int64_t)>& on_batch, int rank,
                     int ranks) {
  predictor_.load(trained);
  Tally tally(classes_, loss_);
  data::Loader loader(source_, loader_options(source_, options_, rank, ranks));
  while (const data::Batch* batch = loader.next()) {
    if (batch->labels.empty()) continue;
    predictor_.use_batch(static_cast<std::int64_t>(batch->labels.size()));
    std::ranges::copy(batch->images, predictor_.input().begin());
    if (!predictor_.labels().empty()) std::ranges::copy(batch->labels, predictor_.labels().begin());
    predictor_.forward();
    tally.add(predictor_.logits(), batch->labels);
    if (on_batch && !on_batch(tally.metrics().samples)) break;
  }
  return tally;
}

}  // namespace convoy
