// Convolutions on top of each other and nothing else, for questions about their receptive field.
#pragma once

#include <string>

#include "convoy/graph/graph.h"

namespace convoy {

// `text` lists windows from the first to the last: "5x5,5x5", "7x7/2,3x3d2" with strides and dilations. Without
// padding, each keeps the input's channels. An empty `input` is one channel, as large as the last pixel's receptive
// field. Throws UserError.
[[nodiscard]] Graph stack_of_windows(const std::string& text, const Shape& input = {});

}  // namespace convoy
