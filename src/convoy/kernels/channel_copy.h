// Moves channels between blocked tensors. Concatenation and the channel-padding shortcut consist of such copies.
#pragma once

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// Copies `count` channels, starting at `from` in the source and at `to` in the destination. The smaller image has every
// stride-th pixel of the larger one: with stride > 1, pixels are selected if the source is larger, and spread out if
// the destination is.
struct ChannelCopy {
  std::int64_t batch = 1;
  std::int64_t source_channels = 1, source_h = 1, source_w = 1;
  std::int64_t destination_channels = 1, destination_h = 1, destination_w = 1;
  std::int64_t from = 0, to = 0, count = 1;
  std::int64_t stride = 1;
  bool spread = false;  // the destination is the larger image
  bool clear = false;   // zero the whole destination first
  DataType type = DataType::fp32;

  [[nodiscard]] Layout::Dims source_dims() const { return {batch, source_channels, source_h, source_w}; }
  [[nodiscard]] Layout::Dims destination_dims() const {
    return {batch, destination_channels, destination_h, destination_w};
  }
};

// The caller chooses the roles of the operands: (source, destination) forward, (diff_destination, diff_source)
// backward.
[[nodiscard]] PreparedPtr prepare_channel_copy(const ChannelCopy& copy, Role source, Role destination);

}  // namespace convoy::kernels
