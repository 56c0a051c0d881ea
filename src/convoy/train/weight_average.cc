#include "convoy/train/weight_average.h"

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/comm/communicator.h"
#include "convoy/train/network_weights.h"

namespace convoy {
namespace {

constexpr const char* kPrefix = "average/";

void approach(std::span<float> average, std::span<const float> weights, float share) {
  for (std::size_t i = 0; i < average.size(); ++i) average[i] += share * (weights[i] - average[i]);
}

void trade_places(std::span<float> a, std::span<float> b) { std::swap_ranges(a.begin(), a.end(), b.begin()); }

}  // namespace

WeightAverage::WeightAverage(ParameterStore& store, double decay)
    : store_(store),
      decay_(decay),
      parameters_(store.parameters().begin(), store.parameters().end()),
      statistics_(store.statistics().begin(), store.statistics().end()) {
  if (!(decay > 0 && decay < 1)) throw UserError("--ema must be above 0 and below 1, got {}", decay);
}

void WeightAverage::restart() {
  std::ranges::copy(store_.parameters(), parameters_.begin());
  std::ranges::copy(store_.statistics(), statistics_.begin());
}

void WeightAverage::update(std::int64_t steps) {
  const auto taken = static_cast<double>(steps);
  const auto share = static_cast<float>(1 - std::min(decay_, (1 + taken) / (10 + taken)));
  approach(parameters_, store_.parameters(), share);
  approach(statistics_, store_.statistics(), share);
}

void WeightAverage::swap() {
  trade_places(parameters_, store_.parameters());
  trade_places(statistics_, store_.statistics());
  store_.renew_copies();
}

std::vector<NamedTensor> WeightAverage::weights() {
  swap();
  std::vector<NamedTensor> tensors = export_weights(store_);
  swap();
  return tensors;
}

std::vector<NamedTensor> WeightAverage::checkpoint_tensors() {
  std::vector<NamedTensor> tensors = weights();
  for (NamedTensor& tensor : tensors) tensor.name.insert(0, kPrefix);
  return tensors;
}

void WeightAverage::restore(std::span<const NamedTensor> tensors) {
  std::vector<NamedTensor> own;
  for (const NamedTensor& tensor : tensors) {
    if (!tensor.name.starts_with(kPrefix)) continue;
    own.push_back(tensor);
    own.back().name.erase(0, std::string(kPrefix).size());
  }
  restart();
  if (own.empty()) return;
  swap();
  import_weights(own, store_);
  swap();
}

void WeightAverage::share(Communicator& communicator) {
  communicator.broadcast(std::as_writable_bytes(std::span(parameters_)));
  communicator.broadcast(std::as_writable_bytes(std::span(statistics_)));
}

}  // namespace convoy
