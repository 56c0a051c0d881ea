#include "convoy/graph/training_memory.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

constexpr std::int64_t kFloatBytes = 4;

std::int64_t bytes_of(DataType type) { return static_cast<std::int64_t>(size_of(type)); }

// A larger batch is a typing error, and its bytes might not fit into 64 bits.
constexpr std::int64_t kMostSamples = 1'000'000;

// Operators whose backward pass reads their input.
bool reads_input_again(const Operator& op) {
  return is_one_of<op::Convolution, op::Dense, op::BatchNorm, op::GroupNorm, op::LayerNorm, op::Lrn,
                   op::SoftmaxCrossEntropy, op::MeanSquaredError>(op);
}

// Operators that can write their output over their input, and the output's gradient over the input's, when nothing else
// reads the input.
bool works_in_place(const Operator& op) {
  return is_one_of<op::Relu, op::Relu6, op::Sigmoid, op::Tanh, op::Softmax, op::Dropout, op::Flatten>(op);
}

// A concatenation has no memory of its own: its inputs are written next to each other.
bool is_joined(const Operator& op) { return std::holds_alternative<op::Concat>(op); }

// For each layer, the layer whose memory holds its output.
std::vector<LayerId> owners_of(const Graph& graph) {
  const std::vector<std::vector<LayerId>> readers = graph.readers();
  std::vector<LayerId> owners;
  for (LayerId id = 0; id < graph.size(); ++id) {
    const Layer& layer = graph.layer(id);
    const bool in_place = works_in_place(layer.op) && readers[layer.inputs[0]].size() == 1;
    owners.push_back(in_place ? owners[layer.inputs[0]] : id);
  }
  return owners;
}

// For each layer that owns memory, the last layer to read it.
std::vector<LayerId> last_readers(const Graph& graph, const std::vector<LayerId>& owners) {
  std::vector<LayerId> last(owners.size(), 0);
  for (LayerId id = 0; id < graph.size(); ++id) {
    for (const LayerId input : graph.layer(id).inputs) {
      last[owners[input]] = id;
    }
  }
  for (LayerId id = graph.output(); id >= 0; --id) {
    if (is_joined(graph.layer(id).op)) {
      for (const LayerId input : graph.layer(id).inputs) {
        last[owners[input]] = std::max(last[owners[input]], last[id]);
      }
    }
  }
  return last;
}

// The largest sum of bytes, per sample, of gradients that are alive at the same time. A gradient lives from the
// backward pass of its layer's last reader to that of the layer itself. The samples have no gradient.
std::int64_t peak_gradient_bytes(const Graph& graph, const std::vector<LayerId>& owners, DataType type) {
  const std::vector<LayerId> last = last_readers(graph, owners);
  std::int64_t peak = 0;
  for (LayerId now = 0; now < graph.size(); ++now) {
    std::int64_t alive = 0;
    for (LayerId id = 1; id <= now; ++id) {
      if (owners[id] == id && last[id] >= now && !is_joined(graph.layer(id).op)) {
        alive += bytes_of(type) * graph.layer(id).shape.count();
      }
    }
    peak = std::max(peak, alive);
  }
  return peak;
}

}  // namespace

std::vector<std::int64_t> kept_bytes(const Graph& graph, DataType precision) {
  const std::vector<LayerId> owners = owners_of(graph);
  std::vector<bool> kept(owners.size(), false);
  std::vector<std::int64_t> bytes(owners.size(), 0);
  for (LayerId id = 0; id < graph.size(); ++id) {
    const Layer& layer = graph.layer(id);
    if (is_one_of<op::Relu, op::Relu6, op::Sigmoid, op::Tanh, op::Softmax>(layer.op)) kept[owners[id]] = true;
    if (is_one_of<op::MaxPool, op::Dropout>(layer.op)) bytes[id] += layer.shape.count();
    if (!reads_input_again(layer.op)) continue;
    for (const LayerId input : layer.inputs) kept[owners[input]] = true;
  }
  for (LayerId id = graph.output(); id >= 0; --id) {
    if (!kept[id]) continue;
    if (!is_joined(graph.layer(id).op)) {
      bytes[id] += bytes_of(precision) * graph.layer(id).shape.count();
      continue;
    }
    for (const LayerId input : graph.layer(id).inputs) kept[owners[input]] = true;
  }
  return bytes;
}

TrainingMemory training_memory(const Graph& graph, std::int64_t batch, DataType precision) {
  if (batch < 1 || batch > kMostSamples) {
    throw UserError("batch must be from 1 to {}, got {}", kMostSamples, batch);
  }
  const std::vector<LayerId> owners = owners_of(graph);
  std::int64_t parameters = 0;
  for (const Parameter& parameter : parameters_of(graph)) {
    parameters += parameter.shape.count();
  }
  const std::vector<std::int64_t> kept = kept_bytes(graph, precision);
  return {.activation_bytes = batch * std::accumulate(kept.begin(), kept.end(), std::int64_t{0}),
          .activation_gradient_bytes = batch * peak_gradient_bytes(graph, owners, precision),
          .parameter_bytes = (kFloatBytes + (precision == DataType::bf16 ? bytes_of(precision) : 0)) * parameters,
          .gradient_bytes = kFloatBytes * parameters,
          .optimizer_bytes = kFloatBytes * parameters};
}

}  // namespace convoy
