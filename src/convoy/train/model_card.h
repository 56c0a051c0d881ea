// What has to be known of weights to use them: which network they belong to, and what it sees and says. Kept in the
// metadata of every weights file, so that the file alone is enough to predict.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "convoy/data/source/source.h"
#include "convoy/tensor/data_type.h"
#include "convoy/tensor/shape.h"

namespace convoy {

struct ModelCard {
  std::string model;                    // of the zoo, or what the network below is called
  std::string network;                  // its text; empty: of the zoo
  Shape input;                          // one image, CxHxW
  std::vector<std::string> classes;     // names by label
  std::string loss = "cross-entropy";   // it was trained with: what its scores mean
  data::ChannelStatistics statistics;   // images are normalised by these
  DataType precision = DataType::fp32;  // it was trained in; the weights themselves are floats always
};

using Metadata = std::map<std::string, std::string>;

[[nodiscard]] Metadata to_metadata(const ModelCard& card);

// Throws DataError that begins with `file` when something is missing or makes no sense.
[[nodiscard]] ModelCard model_card_from(const Metadata& metadata, const std::string& file);

}  // namespace convoy
