#include "convoy/graph/initialisation.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

// FNV-1a: fixed for ever, so that a seed gives the same network on every machine and in every version.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

struct Fan {
  double in;
  double out;
};

// As PyTorch counts: a weight is O x I..., and the kernel's pixels multiply both sides.
Fan fan_of(const Shape& weight) {
  const auto in = static_cast<double>(weight.count() / weight[0]);
  const auto pixels = in / static_cast<double>(weight[1]);
  return {in, static_cast<double>(weight[0]) * pixels};
}

void fill_normal(Rng rng, double deviation, std::span<float> plain) {
  for (float& value : plain) value = static_cast<float>(deviation * rng.normal());
}

void fill_uniform(Rng rng, double bound, std::span<float> plain) {
  const auto limit = static_cast<float>(bound);
  for (float& value : plain) value = rng.uniform(-limit, limit);
}

void fill_weight(Fan fan, Initialiser kind, const Rng& rng, std::span<float> plain) {
  switch (kind) {
    case Initialiser::he_normal:
      return fill_normal(rng, std::sqrt(2 / fan.in), plain);
    case Initialiser::xavier_uniform:
      return fill_uniform(rng, std::sqrt(6 / (fan.in + fan.out)), plain);
    case Initialiser::lecun_normal:
      return fill_normal(rng, std::sqrt(1 / fan.in), plain);
    case Initialiser::pytorch_uniform:
      return fill_uniform(rng, 1 / std::sqrt(fan.in), plain);
  }
}

void fill_bias(const Parameter& bias, const Graph& graph, Initialiser kind, const Rng& rng, std::span<float> plain) {
  if (kind != Initialiser::pytorch_uniform) {
    std::ranges::fill(plain, 0.0F);
    return;
  }
  const Parameter weight = parameters_of(graph, bias.node).front();
  fill_uniform(rng, 1 / std::sqrt(fan_of(weight.shape).in), plain);
}

}  // namespace

const std::vector<std::string>& initialiser_names() {
  static const std::vector<std::string> names = {"he-normal", "xavier-uniform", "lecun-normal", "pytorch-uniform"};
  return names;
}

Initialiser initialiser_named(std::string_view name) {
  const std::vector<std::string>& names = initialiser_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw UserError("unknown initialiser \"{}\"; use one of {}", name, fmt::join(names, ", "));
  }
  return static_cast<Initialiser>(found - names.begin());
}

void initialise(const Parameter& parameter, const Graph& graph, Initialiser kind, std::uint64_t seed,
                std::span<float> plain) {
  CONVOY_CHECK_EQ(static_cast<std::int64_t>(plain.size()), parameter.shape.count());
  const Rng rng(seed, hash_of(parameter.name));
  switch (parameter.role) {
    case ParameterRole::weight:
      return fill_weight(fan_of(parameter.shape), kind, rng, plain);
    case ParameterRole::bias:
      return fill_bias(parameter, graph, kind, rng, plain);
    case ParameterRole::scale:
      std::ranges::fill(plain, 1.0F);
      return;
    case ParameterRole::shift:
      std::ranges::fill(plain, 0.0F);
      return;
  }
}

}  // namespace convoy
