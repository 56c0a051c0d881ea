// The naive twin of moving channels between tensors, for tests.
#pragma once

#include "convoy/kernels/channel_copy.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// The destination after the copy.
[[nodiscard]] Values channel_copy(const ChannelCopy& copy, const Values& source, Values destination);

}  // namespace convoy::kernels::reference
