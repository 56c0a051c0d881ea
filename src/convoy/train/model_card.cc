#include "convoy/train/model_card.h"

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
  } catch (const nlohmann::json::exception& error) {
    throw DataError("{}: '{}' in its metadata is not understood: {}", file, key, error.what());
  }
}

}  // namespace

Metadata to_metadata(const ModelCard& card) {
  return {{"model", card.model},
          {"input", card.input.to_string()},
          {"classes", nlohmann::json(card.classes).dump()},
          {"mean", nlohmann::json(card.statistics.mean).dump()},
          {"deviation", nlohmann::json(card.statistics.deviation).dump()}};
}

ModelCard model_card_from(const Metadata& metadata, const std::string& file) {
  ModelCard card{.model = field(metadata, "model", file),
                 .input = Shape::parse(field(metadata, "input", file)),
                 .classes = parsed<std::vector<std::string>>(metadata, "classes", file),
                 .statistics = {.mean = parsed<std::vector<float>>(metadata, "mean", file),
                                .deviation = parsed<std::vector<float>>(metadata, "deviation", file)}};
  const auto channels = static_cast<std::size_t>(card.input.rank() == 3 ? card.input[0] : 0);
  if (channels == 0 || card.statistics.mean.size() != channels || card.statistics.deviation.size() != channels) {
    throw DataError("{}: input {} does not go with {} means and {} deviations in its metadata", file,
                    card.input.to_string(), card.statistics.mean.size(), card.statistics.deviation.size());
  }
  return card;
}

}  // namespace convoy
