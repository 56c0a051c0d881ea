#include "convoy/run/named_network.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/graph/network_text.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// More than any network needs.
constexpr std::size_t kMostTextBytes = 4 << 20;

bool is_onnx(const fs::path& path) { return path.extension() == ".onnx"; }

bool is_in_zoo(const std::string& model) { return std::ranges::find(zoo(), model, &ZooEntry::name) != zoo().end(); }

// A name that is not in the zoo may just be misspelt; only one that looks like a file is reported as a missing file.
bool is_meant_as_file(const std::string& model) {
  std::error_code unknown;
  const fs::path path = model;
  return path.has_parent_path() || path.extension() == ".toml" || is_onnx(path) || fs::is_regular_file(path, unknown);
}

std::string text_of_network(const fs::path& path) {
  if (!fs::exists(path)) throw UserError("--model: there is no file {}", path.string());
  if (fs::is_directory(path)) throw UserError("--model: {} is a folder; give a file with a network", path.string());
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostTextBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) throw DataError("{}: it cannot be read", path.string());
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMostTextBytes) {
    throw UserError("{}: a network takes less than {} MB of text", path.string(), kMostTextBytes >> 20);
  }
  return text;
}

Operator loss_operator(const ModelOptions& options) {
  if (options.loss == Loss::mean_squared_error) return op::MeanSquaredError{};
  return op::SoftmaxCrossEntropy{.label_smoothing = options.label_smoothing};
}

}  // namespace

NamedNetwork open_network(const std::string& model) {
  if (is_in_zoo(model) || !is_meant_as_file(model)) return {.name = find_model(model).name};
  const fs::path path = model;
  if (is_onnx(path))
    return {.name = path.stem().string(), .text = network_text(import_onnx(path).graph), .file = model};
  std::string text = text_of_network(path);
  if (text.empty()) throw UserError("{}: the file is empty; `convoy models --show resnet20` shows a network", model);
  return {.name = path.stem().string(), .text = std::move(text), .file = model};
}

NamedNetwork kept_network(const std::string& name, const std::string& text) {
  return {.name = name, .text = text, .file = name + ".toml"};
}

Graph build_network(const NamedNetwork& network, const ModelOptions& options) {
  if (network.text.empty()) return build_model(network.name, options);
  if (options.loss != Loss::cross_entropy && options.label_smoothing != 0) {
    throw UserError("label smoothing is for cross-entropy alone; leave it out with another loss");
  }
  return read_network(network.text, network.file,
                      {.input = options.input, .classes = options.classes, .loss = loss_operator(options)});
}

}  // namespace convoy
