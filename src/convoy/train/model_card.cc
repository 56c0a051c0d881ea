#include "convoy/train/model_card.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"

namespace convoy {
namespace {

const std::string& field(const Metadata& metadata, const std::string& key, const std::string& file) {
  const auto found = metadata.find(key);
  if (found != metadata.end()) return found->second;
  throw DataError("{}: its metadata lacks '{}'; Convoy did not write it, so give it to --init instead", file, key);
}

template <typename Value>
Value parsed(const Metadata& metadata, const std::string& key, const std::string& file) {
  try {
    return nlohmann::json::parse(field(metadata, key, file)).get<Value>();
  } catch (const nlohmann::json::exception&) {
    throw DataError("{}: '{}' in its metadata is not understood", file, key);
  }
}

Shape parsed_shape(const Metadata& metadata, const std::string& file) {
  try {
    return Shape::parse(field(metadata, "input", file));
  } catch (const DataError&) {
    throw;
  } catch (const UserError& error) {
    throw DataError("{}: 'input' in its metadata is not understood: {}", file, error.what());
  }
}

DataType parsed_precision(const Metadata& metadata, const std::string& file) {
  try {
    return data_type_named(field(metadata, "precision", file));
  } catch (const UserError& error) {
    throw DataError("{}: 'precision' in its metadata is not understood: {}", file, error.what());
  }
}

void require_sense(const ModelCard& card, const std::string& file) {
  if (card.classes.empty()) throw DataError("{}: its metadata names no classes", file);
  const auto& [mean, deviation] = card.statistics;
  const auto channels = static_cast<std::size_t>(card.input.rank() == 3 ? card.input[0] : 0);
  if (channels == 0 || mean.size() != channels || deviation.size() != channels) {
    throw DataError("{}: input {} does not go with {} means and {} deviations in its metadata", file,
                    card.input.to_string(), mean.size(), deviation.size());
  }
  if (std::ranges::any_of(deviation, [](float value) { return !(value > 0); })) {
    throw DataError("{}: a deviation in its metadata is not above 0", file);
  }
}

}  // namespace

Metadata to_metadata(const ModelCard& card) {
  Metadata metadata = {{"model", card.model},
                       {"input", card.input.to_string()},
                       {"classes", nlohmann::json(card.classes).dump()},
                       {"loss", card.loss},
                       {"mean", nlohmann::json(card.statistics.mean).dump()},
                       {"deviation", nlohmann::json(card.statistics.deviation).dump()},
                       {"precision", name_of(card.precision)}};
  if (!card.network.empty()) metadata["network"] = card.network;
  return metadata;
}

ModelCard model_card_from(const Metadata& metadata, const std::string& file) {
  ModelCard card{.model = field(metadata, "model", file),
                 .input = parsed_shape(metadata, file),
                 .classes = parsed<std::vector<std::string>>(metadata, "classes", file),
                 .statistics = {.mean = parsed<std::vector<float>>(metadata, "mean", file),
                                .deviation = parsed<std::vector<float>>(metadata, "deviation", file)}};
  if (const auto loss = metadata.find("loss"); loss != metadata.end()) card.loss = loss->second;
  if (metadata.contains("precision")) card.precision = parsed_precision(metadata, file);
  if (const auto network = metadata.find("network"); network != metadata.end()) card.network = network->second;
  require_sense(card, file);
  return card;
}

}  // namespace convoy
