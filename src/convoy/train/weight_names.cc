#include "convoy/train/weight_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace convoy {
namespace {

constexpr std::array<std::string_view, 8> kPrefixes = {"module.",   "model.",   "_orig_mod.", "net.",
                                                       "backbone.", "encoder.", "network.",   "state_dict."};
constexpr std::array<std::string_view, 8> kHeads = {"fc",          "classifier", "head",   "linear",
                                                    "last_linear", "head.fc",    "output", "logits"};
constexpr std::string_view kCounter = "num_batches_tracked";

// "fc" for "fc.weight".
std::string layer_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

bool is_head(const std::string& layer) {
  if (std::ranges::find(kHeads, layer) != kHeads.end()) return true;
  // The classifier may have several layers: "classifier.1".
  const std::size_t dot = layer.rfind('.');
  return dot != std::string::npos && std::ranges::find(kHeads, layer.substr(0, dot)) != kHeads.end();
}

std::set<std::string> names_in(std::span<const NamedTensor> tensors) {
  std::set<std::string> names;
  for (const NamedTensor& tensor : tensors) names.insert(tensor.name);
  return names;
}

// How many names fit without the prefix but not with it.
std::ptrdiff_t gain_of(std::string_view prefix, std::span<const NamedTensor> tensors,
                       const std::set<std::string>& wanted) {
  return std::ranges::count_if(tensors, [&](const NamedTensor& tensor) {
    if (!tensor.name.starts_with(prefix) || wanted.contains(tensor.name)) return false;
    const std::string rest = tensor.name.substr(prefix.size());
    // Another prefix may follow, so names that still have one count too.
    return wanted.contains(rest) ||
           std::ranges::any_of(kPrefixes, [&](std::string_view next) { return rest.starts_with(next); });
  });
}

void take_prefixes_off(const std::set<std::string>& wanted, FittedNames& fitted) {
  for (std::size_t round = 0; round < kPrefixes.size(); ++round) {
    for (const std::string_view prefix : kPrefixes) {
      if (gain_of(prefix, fitted.tensors, wanted) == 0) continue;
      int count = 0;
      for (NamedTensor& tensor : fitted.tensors) {
        if (!tensor.name.starts_with(prefix) || wanted.contains(tensor.name)) continue;
        tensor.name.erase(0, prefix.size());
        ++count;
      }
      fitted.notes.push_back(fmt::format("\"{}\" taken off {} names", prefix, count));
    }
  }
}

// Layers that have a matrix of weights whose name is not among `others`.
std::set<std::string> lonely_layers(std::span<const NamedTensor> tensors, const std::set<std::string>& others) {
  std::set<std::string> layers;
  for (const NamedTensor& tensor : tensors) {
    const bool is_matrix = tensor.shape.rank() == 2 && tensor.name.ends_with(".weight");
    if (is_matrix && !others.contains(tensor.name)) layers.insert(layer_of(tensor.name));
  }
  return layers;
}

void rename_head(std::span<const NamedTensor> wanted, const std::set<std::string>& wanted_names, FittedNames& fitted) {
  std::set<std::string> found = lonely_layers(fitted.tensors, wanted_names);
  std::erase_if(found, [](const std::string& layer) { return !is_head(layer); });
  const std::set<std::string> empty = lonely_layers(wanted, names_in(fitted.tensors));
  if (found.size() != 1 || empty.size() != 1) return;
  const std::string& from = *found.begin();
  const std::string& to = *empty.begin();
  for (NamedTensor& tensor : fitted.tensors) {
    if (layer_of(tensor.name) == from) tensor.name = to + tensor.name.substr(from.size());
  }
  fitted.notes.push_back(fmt::format("\"{}\" taken for \"{}\"", from, to));
}

}  // namespace

FittedNames fit_names(std::vector<NamedTensor> tensors, std::span<const NamedTensor> wanted) {
  FittedNames fitted{.tensors = std::move(tensors), .notes = {}};
  std::erase_if(fitted.tensors, [](const NamedTensor& tensor) { return tensor.name.ends_with(kCounter); });
  const std::set<std::string> names = names_in(wanted);
  take_prefixes_off(names, fitted);
  rename_head(wanted, names, fitted);
  return fitted;
}

}  // namespace convoy
