#include "convoy/graph/initialisation.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

// FNV-1a. It must never change: a seed gives the same network on every machine and in every version.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

constexpr double kGaussianDeviation = 0.01;

struct Fan {
  double in;
  double out;
};

// As PyTorch counts: a weight has the shape O x I x kernel, and both fans are multiplied by the kernel's pixels.
Fan fan_of(const Shape& weight) {
  const std::int64_t in = weight.count() / weight[0];
  const std::int64_t pixels = in / weight[1];
  return {static_cast<double>(in), static_cast<double>(weight[0] * pixels)};
}

// The random stream of one parameter.
struct Stream {
  std::uint64_t seed;
  std::uint64_t name_hash;
};

// Uniform in [0, 1); 24 bits fill a float's mantissa.
float unit(std::uint32_t word) { return static_cast<float>(word >> 8U) * 0x1p-24F; }

// Fills four values from each block of four random words. Networks start with up to 10^8 values, so both results of a
// Box-Muller pair are used, unlike in Rng::normal(), which throws one away.
template <typename Make>
void fill_blocks(Stream stream, std::span<float> plain, const Make& make) {
  for (std::size_t start = 0; start < plain.size(); start += 4) {
    const std::array<float, 4> values = make(philox(stream.seed, stream.name_hash, start / 4));
    std::copy_n(values.begin(), std::min<std::size_t>(4, plain.size() - start), plain.begin() + start);
  }
}

struct Pair {
  float first;
  float second;
};

// Two independent standard normal values by Box-Muller.
Pair normal_pair(std::uint32_t a, std::uint32_t b) {
  // 1 - u is in (0, 1], where the logarithm is finite.
  const float radius = std::sqrt(-2.0F * std::log(1.0F - unit(a)));
  const float angle = 2.0F * std::numbers::pi_v<float> * unit(b);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

void fill_normal(Stream stream, double deviation, std::span<float> plain) {
  const auto scale = static_cast<float>(deviation);
  fill_blocks(stream, plain, [scale](const std::array<std::uint32_t, 4>& words) {
    const Pair left = normal_pair(words[0], words[1]);
    const Pair right = normal_pair(words[2], words[3]);
    return std::array{scale * left.first, scale * left.second, scale * right.first, scale * right.second};
  });
}

void fill_uniform(Stream stream, double bound, std::span<float> plain) {
  const auto limit = static_cast<float>(bound);
  const auto within = [limit](std::uint32_t word) { return limit * (2 * unit(word) - 1); };
  fill_blocks(stream, plain, [within](const std::array<std::uint32_t, 4>& words) {
    return std::array{within(words[0]), within(words[1]), within(words[2]), within(words[3])};
  });
}

void fill_weight(Fan fan, Initialiser kind, Stream stream, std::span<float> plain) {
  switch (kind) {
    case Initialiser::he_normal:
      return fill_normal(stream, std::sqrt(2 / fan.in), plain);
    case Initialiser::xavier_uniform:
      return fill_uniform(stream, std::sqrt(6 / (fan.in + fan.out)), plain);
    case Initialiser::lecun_normal:
      return fill_normal(stream, std::sqrt(1 / fan.in), plain);
    case Initialiser::pytorch_uniform:
      return fill_uniform(stream, 1 / std::sqrt(fan.in), plain);
    case Initialiser::gaussian:
      return fill_normal(stream, kGaussianDeviation, plain);
  }
}

void fill_bias(const Parameter& bias, const Graph& graph, Initialiser kind, Stream stream, std::span<float> plain) {
  if (kind != Initialiser::pytorch_uniform) {
    std::ranges::fill(plain, 0.0F);
    return;
  }
  const Parameter weight = parameters_of(graph, bias.layer).front();
  fill_uniform(stream, 1 / std::sqrt(fan_of(weight.shape).in), plain);
}

}  // namespace

const std::vector<std::string>& initialiser_names() {
  static const std::vector<std::string> names = {"he-normal", "xavier-uniform", "lecun-normal", "pytorch-uniform",
                                                 "gaussian"};
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
  if (static_cast<std::int64_t>(plain.size()) != parameter.shape.count()) {
    throw UserError("parameter \"{}\" has {} values ({}), got room for {}", parameter.name, parameter.shape.count(),
                    parameter.shape.to_string(), plain.size());
  }
  const Stream stream{seed, hash_of(parameter.name)};
  switch (parameter.role) {
    case ParameterRole::weight:
      return fill_weight(fan_of(parameter.shape), kind, stream, plain);
    case ParameterRole::bias:
      return fill_bias(parameter, graph, kind, stream, plain);
    case ParameterRole::scale:
      std::ranges::fill(plain, 1.0F);
      return;
    case ParameterRole::shift:
      std::ranges::fill(plain, 0.0F);
      return;
  }
}

}  // namespace convoy
