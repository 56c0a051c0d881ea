// Tells the samples of a source from others, so that a run does not go on with other data than it began with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/data/source/source.h"

namespace convoy::data {

struct SourceDigest {
  std::int64_t train = 0;  // images
  std::int64_t test = 0;
  std::vector<std::string> classes;
  std::string hash;  // of all labels and of the pixels of some images, in hexadecimal digits

  bool operator==(const SourceDigest&) const = default;
};

// Reads a few images of each split, the first, the last and some in between. Throws DataError when one cannot be read.
[[nodiscard]] SourceDigest digest_of(const Source& source);

// What differs, in words: "it has 50 images to train on and had 60"; empty if nothing does.
[[nodiscard]] std::string difference(const SourceDigest& now, const SourceDigest& before);

}  // namespace convoy::data
