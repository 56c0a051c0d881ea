// Convolutions stacked on each other and nothing else, for questions about their receptive field.
#pragma once

#include <string>

#include "convoy/graph/graph.h"

namespace convoy {

// `text` lists the windows from first to last, with strides and dilations: "5x5,5x5", "7x7/2,3x3d2". The convolutions
// have no padding and keep the number of channels. When `input` is empty, it is one channel, just as large as the
// receptive field of one output pixel. Throws UserError.
[[nodiscard]] Graph stack_of_windows(const std::string& text, const Shape& input = {});

}  // namespace convoy
