// Networks that nobody would write, for tests of what must hold for every network: branches, values that are read
// several times, channels that fill no block, every operator.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/rng.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/parameters.h"

namespace convoy {

// Builds a network of `layers` operators over small images that ends in a classifier. The same seed gives the same
// network.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : rng_(seed, 0x6772617068) {}

  [[nodiscard]] Graph build(int layers) {
    images_.push_back(input(graph_, {1 + below(4), 5 + below(4), 5 + below(4)}));
    for (int i = 0; i < layers; ++i) {
      images_.push_back(grow(pick()));
    }
    classify();
    return std::move(graph_);
  }

 private:
  int below(int bound) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(bound))); }

  // Usually the newest value, sometimes an old one, which is then read a second time.
  Value pick() {
    const int count = static_cast<int>(images_.size());
    const int back = below(3) < 2 ? 1 : 1 + below(count);
    return images_[static_cast<std::size_t>(count - back)];
  }

  Value layer(Value x) {
    const int out = 1 + below(20);
    switch (below(4)) {
      case 0:
        return conv(x, {.out = out, .kernel = 1, .bias = below(2) == 0});
      case 1:
        return conv(
            x,
            {.out = static_cast<int>(x.shape()[0]), .kernel = 3, .pad = 1, .groups = static_cast<int>(x.shape()[0])});
      default:
        return conv(x, {.out = out, .kernel = 3, .pad = 1, .bias = below(2) == 0});
    }
  }

  // A residual block around x, with a projection where the channels differ.
  Value residual(Value x) {
    const int out = 1 + below(20);
    const Value y = batch_norm(conv(x, {.out = out, .kernel = 3, .pad = 1, .bias = false}));
    const bool same = x.shape() == y.shape();
    const Value shortcut = same ? x : batch_norm(conv(x, {.out = out, .kernel = 1, .bias = false}));
    const Value sum = below(2) == 0 ? add(y, shortcut) : add(shortcut, y);
    return below(3) == 0 ? sum : relu(sum);
  }

  // Joins everything of the same size, or the value with itself.
  Value join(Value x) {
    std::vector<Value> parts = {x};
    for (const Value& other : images_) {
      const bool same_size = other.shape()[1] == x.shape()[1] && other.shape()[2] == x.shape()[2];
      if (same_size && parts.size() < 3 && other.shape()[0] < 20) {
        parts.push_back(other);
      }
    }
    return concat(parts);
  }

  // Adds the newest other value of the same shape, or x itself.
  Value sum(Value x) {
    Value other = x;
    for (const Value& candidate : images_) {
      other = candidate.shape() == x.shape() && candidate.id() != x.id() ? candidate : other;
    }
    return add(x, other);
  }

  Value grow(Value x) {
    const bool small = x.shape()[1] < 4 || x.shape()[2] < 4;
    switch (below(small ? 11 : 13)) {
      case 0:
        return relu(layer(x));
      case 1:
        return relu(batch_norm(layer(x)));
      case 2:
        return residual(x);
      case 3:
        return join(x);
      case 4:
        return sum(x);
      case 5:
        return relu6(x);
      case 6:
        return dropout(x, {.rate = 0.25F});
      case 7:
        return lrn(layer(x), {.alpha = 0.5F});
      case 8:
        return pad_channels(x, {.out = static_cast<int>(x.shape()[0]) + 2 * below(4)});
      case 9:
        return average_pool(x, {.kernel = 3, .pad = 1, .count_padding = below(2) == 0});
      case 10:
        return below(2) == 0 ? layer(x) : batch_norm(x);
      case 11:
        return max_pool(x, {.kernel = 2, .stride = 2, .ceil = below(2) == 0});
      default:
        return pad_channels(x, {.out = static_cast<int>(x.shape()[0]) + 2, .stride = 2});
    }
  }

  // Makes every value that is not read yet part of the result.
  Value gather() {
    const auto readers = graph_.readers();
    std::vector<Value> rows;
    for (const Value& image : images_) {
      if (readers[static_cast<std::size_t>(image.id())].empty()) {
        const Value flat = below(2) == 0 ? flatten(global_average_pool(image)) : flatten(image);
        rows.push_back(dense(flat, {.out = 9}));
      }
    }
    Value sum = rows[0];
    for (std::size_t i = 1; i < rows.size(); ++i) {
      sum = add(sum, rows[i]);
    }
    return sum;
  }

  void classify() {
    Value x = gather();
    if (below(2) == 0) {
      x = relu(dense(x, {.out = 1 + below(30)}));
    }
    if (below(4) == 0) {
      x = add(x, dense(x, {.out = static_cast<int>(x.shape().count())}));
    }
    x = dense(x, {.out = 5});
    if (below(2) == 0) {
      softmax_cross_entropy(x, {.label_smoothing = 0.1F});
    } else {
      mean_squared_error(x);
    }
  }

  Graph graph_;
  Rng rng_;
  std::vector<Value> images_;
};

[[nodiscard]] inline Graph random_graph(std::uint64_t seed, int layers = 12) { return RandomGraph(seed).build(layers); }

enum class FreezeBatchNorm { no, yes };

// Any parameters, or all before some layer, as in fine-tuning. Batch norms are frozen as a whole or, if asked for,
// never.
[[nodiscard]] inline std::set<std::string> random_frozen(const Graph& graph, std::uint64_t seed,
                                                         FreezeBatchNorm batch_norm = FreezeBatchNorm::yes) {
  Rng rng(seed, 0x66726f7a);
  const bool all_before = rng.below(2) == 0;
  const auto last = static_cast<LayerId>(rng.below(static_cast<std::uint32_t>(graph.size())));
  std::set<std::string> frozen;
  for (LayerId id = 0; id < graph.size(); ++id) {
    const bool is_batch_norm = std::holds_alternative<op::BatchNorm>(graph.layer(id).op);
    const bool whole_layer = rng.below(2) == 0;
    for (const Parameter& parameter : parameters_of(graph, id)) {
      const bool by_chance = is_batch_norm ? whole_layer : rng.below(2) == 0;
      const bool allowed = !is_batch_norm || batch_norm == FreezeBatchNorm::yes;
      if (allowed && (all_before ? id <= last : by_chance)) {
        frozen.insert(parameter.name);
      }
    }
  }
  return frozen;
}

}  // namespace convoy
