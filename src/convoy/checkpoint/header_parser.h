// The JSON of a safetensors header, read without building a tree of it: whatever it says, it takes no more memory than
// a few times its length.
#pragma once

#include <string_view>

#include "convoy/checkpoint/safetensors_header.h"

namespace convoy {

inline constexpr const char* kMetadataKey = "__metadata__";

// The tensors in the order of the JSON. Throws DataError for anything that is not exactly of the header's form, names
// twice included. Offsets and types are taken as they are.
[[nodiscard]] SafetensorsHeader parse_header_json(std::string_view json);

}  // namespace convoy
