// For the tests in Python: exports networks of the zoo as ONNX models together with what Convoy computes with them, and
// computes with models of other tools.
//
//   onnx_probe list                                     the zoo's names
//   onnx_probe export NAME|FILE FOLDER OPSET fold|plain normalise|as-is
//                                                       writes model.onnx, and as floats input.f32 and logits.f32
//   onnx_probe logits MODEL INPUT OUTPUT                what an imported model gives for the floats in a file
#include <fmt/core.h>

#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/input_file.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/models/zoo.h"
#include "convoy/run/exported_model.h"
#include "convoy/run/named_network.h"
#include "convoy/train/network_weights.h"
#include "network_logits.h"

namespace {

using namespace convoy;

void write_floats(const std::filesystem::path& path, const std::vector<float>& values) {
  write_file_atomically(path, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

std::vector<float> read_floats(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

void export_zoo(const std::vector<std::string>& words) {
  const std::filesystem::path folder = words.at(2);
  const bool normalise = words.at(5) == "normalise";
  TrainedModel model;
  model.graph = build_network(open_network(words.at(1)));
  const Shape& shape = model.graph.layer(0).shape;
  const auto channels = static_cast<std::size_t>(shape[0]);
  model.card = {
      .model = words.at(1),
      .input = shape,
      .classes = {"one"},
      .statistics = {.mean = std::vector<float>(channels, 0.45F), .deviation = std::vector<float>(channels, 0.22F)}};
  const std::vector<NamedTensor> weights = varied_weights(model.graph);
  model.weights = make_parameter_store(model.graph);
  import_weights(weights, *model.weights);
  write_file_atomically(folder / "model.onnx", export_onnx(model, {.fold_batch_norm = words.at(4) == "fold",
                                                                   .normalise = normalise,
                                                                   .opset = std::stoi(words.at(3))}));
  std::vector<float> input = varied_input(shape, 2);
  write_floats(folder / "input.f32", input);
  if (normalise) {
    for (float& value : input) value = (value - 0.45F) / 0.22F;
  }
  write_floats(folder / "logits.f32", logits_of(model.graph, weights, input));
}

void run(const std::vector<std::string>& words) {
  if (words.at(0) == "list") {
    for (const ZooEntry& entry : zoo()) fmt::print("{}\n", entry.name);
  } else if (words.at(0) == "export") {
    export_zoo(words);
  } else {
    const ImportedNetwork imported = import_onnx(words.at(1));
    write_floats(words.at(3), logits_of(imported.graph, imported.weights, read_floats(words.at(2))));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
