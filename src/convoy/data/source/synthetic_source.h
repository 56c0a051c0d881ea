// Images that are computed from their number alone: each class is a wave across the image, and a sample is that wave
// with noise. They can be learnt, take no memory, and are the same everywhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "convoy/data/source/source.h"

namespace convoy::data {

struct SyntheticSpec {
  Shape shape{3, 32, 32};
  std::int64_t classes = 10;
  std::int64_t count = 50000;  // training images; for testing there are a fifth as many, at least one
};

// Reads "3x32x32,classes=10,count=50000"; everything except the shape may be left out. Throws UserError.
[[nodiscard]] SyntheticSpec parse_synthetic_spec(std::string_view text);

// Throws UserError for a specification without images.
[[nodiscard]] std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec);

}  // namespace convoy::data
