// What must be known about weights to use them: which network they belong to, what it takes as input and what its
// outputs mean. It is kept in the metadata of every weights file, so that the file alone is enough to predict.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "convoy/data/source/source.h"
#include "convoy/tensor/data_type.h"
#include "convoy/tensor/shape.h"

namespace convoy {

struct ModelCard {
  std::string model;                    // the name in the zoo, or of the network below
  std::string network;                  // its text; empty: a network of the zoo
  Shape input;                          // one image, CxHxW
  std::vector<std::string> classes;     // names by label
  std::string loss = "cross-entropy";   // the loss it was trained with, which decides what its scores mean
  data::ChannelStatistics statistics;   // images are normalised by these
  DataType precision = DataType::fp32;  // the one it was trained in; the weights themselves are always floats
};

using Metadata = std::map<std::string, std::string>;

[[nodiscard]] Metadata to_metadata(const ModelCard& card);

// Throws DataError that begins with `file` if something is missing or makes no sense.
[[nodiscard]] ModelCard model_card_from(const Metadata& metadata, const std::string& file);

}  // namespace convoy
