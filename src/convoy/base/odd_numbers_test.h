// NaN and infinity, for tests of how they are handled.
#pragma once

#include <limits>

namespace convoy {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace convoy
