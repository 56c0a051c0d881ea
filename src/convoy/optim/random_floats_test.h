// Random numbers for tests, always the same for the same seed.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/base/rng.h"

namespace convoy {

[[nodiscard]] inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = rng.normal();
  }
  return values;
}

}  // namespace convoy
