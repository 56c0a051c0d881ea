#include "convoy/train/dense_exchange_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

constexpr const char* kAutomatic = "auto";

// No value for a text that is no way.
std::optional<DenseWay> way_named(const std::string& text) {
  for (const DenseWay way : kDenseWays) {
    if (text == name_of(way)) return way;
  }
  return std::nullopt;
}

// "fc8" or "fc7=activations".
struct Said {
  std::string layer;
  std::string way;
};

std::vector<Said> said_in(const std::string& list) {
  std::vector<Said> all;
  std::istringstream text(list);
  for (std::string item; std::getline(text, item, ',');) {
    const std::size_t equals = item.find('=');
    const bool has_way = equals != std::string::npos;
    all.push_back({item.substr(0, equals), has_way ? item.substr(equals + 1) : name_of(DenseWay::factors)});
  }
  return all;
}

bool is_dense(const Layer& layer) { return std::holds_alternative<op::Dense>(layer.op); }

// Smaller layers are computed in less time than messages take.
bool is_large(const Graph& graph, LayerId layer) {
  constexpr std::int64_t kFewestWeights = std::int64_t{1} << 18;
  return parameters_of(graph, layer).front().shape.count() >= kFewestWeights;
}

}  // namespace

void check_options(const DenseExchangeOptions& options, const Graph& graph) {
  if (options.how == kAutomatic || way_named(options.how)) return;
  for (const auto& [name, way] : said_in(options.how)) {
    const auto found = std::ranges::find(graph.layers(), name, &Layer::name);
    if (found != graph.layers().end() && is_dense(*found) && way_named(way)) continue;
    throw UserError(
        "--dense-exchange is auto, gradients, factors, activations, or names of dense layers that exchange factors or, "
        "as in fc6=activations, something else; got \"{}\"",
        found != graph.layers().end() && is_dense(*found) ? way : name);
  }
}

std::optional<DenseWay> way_told(const DenseExchangeOptions& options, const std::string& layer) {
  if (options.how == kAutomatic) return std::nullopt;
  if (const std::optional<DenseWay> all = way_named(options.how)) return all;
  const std::vector<Said> said = said_in(options.how);
  const auto found = std::ranges::find(said, layer, &Said::layer);
  return found == said.end() ? DenseWay::gradients : way_named(found->way);
}

std::string to_text(const std::vector<std::pair<std::string, DenseWay>>& decisions) {
  std::vector<std::string> items;
  for (const auto& [layer, way] : decisions) {
    if (way == DenseWay::factors) items.push_back(layer);
    if (way == DenseWay::activations) items.push_back(fmt::format("{}={}", layer, name_of(way)));
  }
  return items.empty() ? name_of(DenseWay::gradients) : fmt::format("{}", fmt::join(items, ","));
}

std::set<std::string> layers_to_divide(const DenseExchangeOptions& options, const Graph& graph, int nodes) {
  std::set<std::string> names;
  if (nodes == 1) return names;
  for (std::size_t i = 0; i < graph.layers().size(); ++i) {
    const Layer& layer = graph.layers()[i];
    if (!is_dense(layer)) continue;
    const std::optional<DenseWay> told = way_told(options, layer.name);
    const bool may =
        told ? told == DenseWay::activations : options.may_divide && is_large(graph, static_cast<LayerId>(i));
    if (may) names.insert(layer.name);
  }
  return names;
}

}  // namespace convoy
