// ONNX's own test vectors (Debian: libonnx-testdata): each is a model, its inputs and its outputs. A model that is
// imported must give those outputs; any other must be refused with a reason. Inputs beyond the first become constants,
// as they are in classifiers.
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/exchange/onnx/onnx_constant.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "network_logits.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVectors = "/usr/share/libonnx-testdata/data";

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

onnx::TensorProto tensor_in(const fs::path& path) {
  onnx::TensorProto tensor;
  EXPECT_TRUE(tensor.ParseFromString(bytes_of(path))) << path;
  return tensor;
}

// Operators that work on each value alone give the same for any shape, so the vector's tensor may become a batch of
// rows or images.
void make_batch(onnx::ModelProto& model) {
  static const std::set<std::string> each = {"Relu", "Clip", "Dropout", "Identity", "Mul", "Add", "Sub", "Div"};
  if (model.graph().node_size() != 1 || !each.contains(model.graph().node(0).op_type())) return;
  auto& dims = *model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  const int wanted = dims.dim_size() == 1 ? 2 : 4;
  while (dims.dim_size() < wanted && dims.dim_size() != 2) {
    dims.add_dim()->set_dim_value(1);
    for (int i = dims.dim_size() - 1; i > 0; --i) dims.mutable_dim(i)->Swap(dims.mutable_dim(i - 1));
  }
}

// The model's bytes, with all inputs but the first turned into constants.
std::string model_with_constants(const fs::path& folder) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(bytes_of(folder / "model.onnx"))) << folder;
  make_batch(model);
  std::set<std::string> known;
  for (const auto& tensor : model.graph().initializer()) known.insert(tensor.name());
  int number = 0;
  for (const auto& input : model.graph().input()) {
    if (known.contains(input.name())) continue;
    const fs::path data = folder / "test_data_set_0" / ("input_" + std::to_string(number) + ".pb");
    if (number++ == 0 || !fs::exists(data)) continue;
    *model.mutable_graph()->add_initializer() = tensor_in(data);
    model.mutable_graph()->mutable_initializer()->rbegin()->set_name(input.name());
  }
  return model.SerializeAsString();
}

bool ends_with(const std::string& model, const char* type) {
  onnx::ModelProto proto;
  return proto.ParseFromString(model) && proto.graph().node().rbegin()->op_type() == type;
}

// An imported model leaves its last softmax to the loss.
void apply_softmax(std::vector<float>& scores, std::size_t rows, bool logarithm) {
  const std::size_t classes = scores.size() / rows;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(row * classes);
    const auto end = begin + static_cast<std::ptrdiff_t>(classes);
    const double highest = *std::max_element(begin, end);
    double sum = 0;
    for (auto at = begin; at != end; ++at) sum += std::exp(*at - highest);
    for (auto at = begin; at != end; ++at) {
      const double log = *at - highest - std::log(sum);
      *at = static_cast<float>(logarithm ? log : std::exp(log));
    }
  }
}

// The largest difference, relative to values above 1.
double difference(const std::vector<float>& actual, const std::vector<float>& expected) {
  if (actual.size() != expected.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    worst = std::max(worst, std::abs(actual[i] - expected[i]) / std::max(1.0, std::abs(double{expected[i]})));
  }
  return worst;
}

// Whether it was imported. The test fails if it is imported but gives other outputs.
bool passes(const fs::path& folder, std::string& reason) {
  const fs::path data = folder / "test_data_set_0";
  const std::string bytes = model_with_constants(folder);
  try {
    const OnnxConstant input = read_constant(tensor_in(data / "input_0.pb"), "");
    const OnnxConstant expected = read_constant(tensor_in(data / "output_0.pb"), "");
    const ImportedNetwork imported =
        import_onnx({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, folder.filename(), "");
    std::vector<float> actual = logits_of(imported.graph, imported.weights, input.floats);
    const bool logarithm = ends_with(bytes, "LogSoftmax");
    if (logarithm || ends_with(bytes, "Softmax")) {
      apply_softmax(actual, static_cast<std::size_t>(input.dims[0]), logarithm);
    }
    EXPECT_LT(difference(actual, expected.floats), 1e-5) << folder;
    return true;
  } catch (const UserError& error) {
    reason = error.what();
    return false;
  }
}

TEST(OnnxVectors, AreRightOrRefused) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << kVectors << " is missing: apt install libonnx-testdata";
  const std::vector<std::string> operators = onnx_operators();
  std::map<std::string, int> passed;  // by the type of the first node
  int total = 0;
  int understood = 0;
  for (const char* const part : {"node", "pytorch-converted", "pytorch-operator", "simple"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(kVectors) / part)) {
      onnx::ModelProto model;
      if (!model.ParseFromString(bytes_of(entry.path() / "model.onnx"))) continue;
      if (!fs::exists(entry.path() / "test_data_set_0" / "input_0.pb")) continue;
      const auto& nodes = model.graph().node();
      const bool known = std::all_of(nodes.begin(), nodes.end(), [&](const onnx::NodeProto& node) {
        return std::ranges::find(operators, node.op_type()) != operators.end();
      });
      if (!known) continue;
      ++total;
      std::string reason;
      if (passes(entry.path(), reason)) {
        ++understood;
        ++passed[nodes[0].op_type()];
      } else {
        EXPECT_FALSE(reason.empty());
        if (std::getenv("CONVOY_SHOW_REFUSALS") != nullptr) std::printf("%s\n", reason.c_str());
      }
    }
  }
  std::printf("%d of %d vectors of these operators are of networks as Convoy has them, and right\n", understood, total);
  for (const auto& [type, count] : passed) std::printf("  %-20s %d\n", type.c_str(), count);
  EXPECT_GE(understood, 90);
  for (const char* const type : {"AveragePool", "BatchNormalization", "Conv", "Flatten", "Gemm", "GlobalAveragePool",
                                 "LRN", "MatMul", "MaxPool", "Relu", "Softmax", "Dropout"}) {
    EXPECT_GT(passed[type], 0) << type;
  }
}

}  // namespace
}  // namespace convoy
