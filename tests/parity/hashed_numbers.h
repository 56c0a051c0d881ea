// Numbers made from a hash of their name and place. make_golden.py makes the same ones, to the last bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "convoy/graph/parameters.h"

namespace convoy::parity {

// FNV-1a.
[[nodiscard]] inline std::uint32_t name_hash(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  return hash;
}

// The finaliser of MurmurHash3.
[[nodiscard]] inline std::uint32_t bits(std::string_view name, std::uint32_t place) {
  std::uint32_t x = place * 2654435769U + name_hash(name);
  x ^= x >> 16U;
  x *= 0x85EBCA6BU;
  x ^= x >> 13U;
  x *= 0xC2B2AE35U;
  return x ^ (x >> 16U);
}

// Values in [-1, 1), multiples of 2^-23 and so exact in single precision.
[[nodiscard]] inline std::vector<float> noise(std::string_view name, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(bits(name, static_cast<std::uint32_t>(i)) >> 8U) * 0x1p-23F - 1.0F;
  }
  return values;
}

// Weights are uniform within He's bound; biases lie around 0, scales of batch norm around 1 and shifts away from 0
// (make_golden.py says why).
[[nodiscard]] inline std::vector<float> first_value(const Parameter& parameter) {
  std::vector<float> values = noise(parameter.name, static_cast<std::size_t>(parameter.shape.count()));
  const double fan_in = static_cast<double>(parameter.shape.count()) / static_cast<double>(parameter.shape[0]);
  for (float& value : values) {
    switch (parameter.role) {
      case ParameterRole::weight:
        value *= static_cast<float>(std::sqrt(6.0 / fan_in));
        break;
      case ParameterRole::bias:
        value *= 0.125F;
        break;
      case ParameterRole::scale:
        value = 1.0F + value * 0.125F;
        break;
      case ParameterRole::shift:
        value += value < 0 ? -2.5F : 2.5F;
        break;
    }
  }
  return values;
}

}  // namespace convoy::parity
