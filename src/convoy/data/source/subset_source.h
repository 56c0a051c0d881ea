// A part of a source, for short experiments on large data.
#pragma once

#include <memory>

#include "convoy/data/source/source.h"

namespace convoy::data {

struct SubsetOptions {
  std::int64_t train = 0;  // images to keep; 0: all
  std::int64_t test = 0;
  std::uint64_t seed = 0;  // of which ones: drawn from everywhere, as image folders are sorted by class
};

// The source itself when all is kept. Throws UserError for more images than there are.
[[nodiscard]] std::unique_ptr<Source> take_subset(std::unique_ptr<Source> source, const SubsetOptions& options);

}  // namespace convoy::data
