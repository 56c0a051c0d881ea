// Numbers that are none, or no end, for tests of what becomes of them.
#pragma once

#include <limits>

namespace convoy {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace convoy
