// Moves channels between blocked tensors: the steps that concatenation and the channel-padding shortcut are made of.
#pragma once

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// `count` channels, from `from` of the source to `to` of the destination. The smaller image holds every stride-th pixel
// of the larger one: stride > 1 takes pixels when the source is larger and spreads them when the destination is.
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

// The operands' roles are the caller's: (source, destination) forward, (diff_destination, diff_source) backward.
[[nodiscard]] PreparedPtr prepare_channel_copy(const ChannelCopy& copy, Role source, Role destination);

}  // namespace convoy::kernels
