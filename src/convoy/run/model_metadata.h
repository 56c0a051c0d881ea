// A model card as part of the metadata of an ONNX model. A prefix tells its keys from those of other programs.
#pragma once

#include <string>

#include "convoy/train/model_card.h"

namespace convoy {

inline constexpr const char* kOnnxPrefix = "convoy.";

[[nodiscard]] inline Metadata metadata_for_onnx(const Metadata& metadata) {
  Metadata prefixed;
  for (const auto& [key, value] : metadata) prefixed[kOnnxPrefix + key] = value;
  return prefixed;
}

[[nodiscard]] inline Metadata metadata_from_onnx(const Metadata& prefixed) {
  const std::string prefix = kOnnxPrefix;
  Metadata metadata;
  for (const auto& [key, value] : prefixed) {
    if (key.starts_with(prefix)) metadata[key.substr(prefix.size())] = value;
  }
  return metadata;
}

}  // namespace convoy
