// The activations that other operators can apply to their result.
#pragma once

#include <cstdint>

namespace convoy::kernels {

enum class Activation : std::uint8_t { none, relu, relu6 };

}  // namespace convoy::kernels
