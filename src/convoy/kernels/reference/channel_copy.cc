#include "convoy/kernels/reference/channel_copy.h"

namespace convoy::kernels::reference {

Values channel_copy(const ChannelCopy& copy, const Values& source, Values destination) {
  const Image from{copy.batch, copy.source_channels, copy.source_h, copy.source_w};
  const Image to{copy.batch, copy.destination_channels, copy.destination_h, copy.destination_w};
  const Image& smaller = copy.spread ? from : to;
  const std::int64_t from_stride = copy.spread ? 1 : copy.stride;
  const std::int64_t to_stride = copy.spread ? copy.stride : 1;
  if (copy.clear) destination = to.zeros();
  for (std::int64_t n = 0; n < copy.batch; ++n) {
    for (std::int64_t c = 0; c < copy.count; ++c) {
      for (std::int64_t y = 0; y < smaller.h; ++y) {
        for (std::int64_t x = 0; x < smaller.w; ++x) {
          destination[to.at(n, copy.to + c, y * to_stride, x * to_stride)] =
              source[from.at(n, copy.from + c, y * from_stride, x * from_stride)];
        }
      }
    }
  }
  return destination;
}

}  // namespace convoy::kernels::reference
