// A part of a source, for short experiments on large data.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "convoy/data/source/source.h"

namespace convoy::data {

struct SubsetOptions {
  std::int64_t train = 0;  // how many images to keep; 0: all
  std::int64_t test = 0;
  // Decides which ones; they are drawn from everywhere, because image folders are sorted by class.
  std::uint64_t seed = 0;
};

// Returns the source itself when everything is kept. Throws UserError for more images than there are.
[[nodiscard]] std::unique_ptr<Source> take_subset(std::unique_ptr<Source> source, const SubsetOptions& options);

// Numbers of samples of a source, in the order in which a subset has them.
struct SampleLists {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> test;
};

[[nodiscard]] std::unique_ptr<Source> take_samples(std::unique_ptr<Source> source, SampleLists samples);

}  // namespace convoy::data
