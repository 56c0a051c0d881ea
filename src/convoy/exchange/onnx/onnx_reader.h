// Reads the nodes of an ONNX model one after the other and builds a network.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/exchange/onnx/onnx_constant.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/exchange/onnx/onnx_network.h"
#include "convoy/exchange/onnx/onnx_node.h"

namespace convoy {

// What a name in the model stands for: a constant, or the output of a layer seen with the shape `dims` (without the
// batch). `pad` is padding with zeros that the next window, a convolution or pooling, will take over. Views of the same
// values in the same order need no layer.
struct OnnxValue {
  std::shared_ptr<const OnnxConstant> constant;
  LayerId layer = -1;
  std::vector<std::int64_t> dims;
  Padding pad = 0;
  bool is_only_use = true;      // nothing else reads the layer under another name
  bool is_probability = false;  // a softmax over it was left out
  std::string flat_name;        // the name for a flatten layer after it
};

class OnnxReader {
 public:
  OnnxReader(const onnx::ModelProto& model, std::filesystem::path folder, std::int64_t most_weights);

  [[nodiscard]] ImportedNetwork read(const Shape& input);

  using Handler = void (OnnxReader::*)(OnnxNode&);
  [[nodiscard]] static const std::map<std::string, Handler>& handlers();

 private:
  void check_model() const;
  void read_initializers();
  void add_input(const Shape& given);
  void read_node(const onnx::NodeProto& proto);
  void count_uses();
  LayerId output_layer();

  // Handlers of operators. Windows:
  void conv(OnnxNode& node);
  void max_pool(OnnxNode& node);
  void average_pool(OnnxNode& node);
  void global_average_pool(OnnxNode& node);
  void global_max_pool(OnnxNode& node);
  void reduce_mean(OnnxNode& node);
  void pad(OnnxNode& node);
  // Products:
  void gemm(OnnxNode& node);
  void mat_mul(OnnxNode& node);
  // Elementwise, with one or two inputs:
  void batch_normalization(OnnxNode& node);
  void instance_normalization(OnnxNode& node);
  void group_normalization(OnnxNode& node);
  void layer_normalization(OnnxNode& node);
  void relu(OnnxNode& node);
  void sigmoid(OnnxNode& node);
  void tanh(OnnxNode& node);
  void clip(OnnxNode& node);
  void dropout(OnnxNode& node);
  void lrn(OnnxNode& node);
  void softmax(OnnxNode& node);
  void add(OnnxNode& node);
  void scale(OnnxNode& node);  // Mul, Sub and Div by a constant
  void concat(OnnxNode& node);
  // Views and constants:
  void identity(OnnxNode& node);
  void flatten(OnnxNode& node);
  void reshape(OnnxNode& node);
  void transpose(OnnxNode& node);
  void squeeze(OnnxNode& node);
  void constant(OnnxNode& node);
  void shape(OnnxNode& node);
  void gather(OnnxNode& node);

  [[nodiscard]] const OnnxValue& value(const OnnxNode& node, int i) const;
  [[nodiscard]] const OnnxValue& computed(const OnnxNode& node, int i) const;  // by a layer
  [[nodiscard]] const OnnxConstant& constant_at(const OnnxNode& node, int i) const;
  [[nodiscard]] std::vector<std::int64_t> wholes_at(const OnnxNode& node, int i) const;
  [[nodiscard]] std::vector<float> floats_at(const OnnxNode& node, int i, std::int64_t count) const;
  // The layer whose output is input i, as an image or as a row.
  [[nodiscard]] LayerId image(const OnnxNode& node, int i, bool takes_padding = false) const;
  [[nodiscard]] LayerId row(const OnnxNode& node, int i);
  [[nodiscard]] LayerId row_of(OnnxValue value, const std::string& name);
  [[nodiscard]] LayerId as_it_is(const OnnxNode& node, int i);
  [[nodiscard]] std::int64_t uses(const std::string& name) const;

  void give(OnnxNode& node, LayerId layer);
  void give(OnnxNode& node, OnnxConstant constant);
  // Makes the node's output another view of its first input.
  void give_view(OnnxNode& node, std::vector<std::int64_t> dims);
  void give_group_norm(OnnxNode& node, std::int64_t groups);
  void give_affine(OnnxNode& node, int i, std::vector<float> scale, std::vector<float> shift);
  [[nodiscard]] std::vector<float> per_channel(OnnxNode& node, int i, const OnnxValue& of) const;
  // The name of the layer whose weights are input i: "conv1" if they are called "conv1.weight".
  [[nodiscard]] std::string weighted_name(const OnnxNode& node, int i) const;
  struct Window;
  [[nodiscard]] Window window_of(OnnxNode& node, const OnnxValue& of, const std::vector<std::int64_t>& kernel) const;

  const onnx::ModelProto& model_;
  const onnx::GraphProto& graph_;
  std::filesystem::path folder_;
  OnnxNetwork network_;
  std::map<std::string, OnnxValue> values_;
  std::map<std::string, std::int64_t> uses_;
  std::map<std::string, LayerId> rows_;  // layers that are already flattened, by name
  std::int64_t batch_ = -1;              // the batch size if the model fixes it; -1: open
  std::vector<std::string> notes_;
};

}  // namespace convoy
