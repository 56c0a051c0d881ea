// How a tensor is stored in memory, and the type of its elements. Activations are plain (nchw), channels last (nhwc) or
// blocked (channels in blocks of one vector register, zero-padded); weights have the layout that the chosen
// implementation prefers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "convoy/tensor/data_type.h"

namespace convoy::kernels {

class Layout {
 public:
  using Dims = std::vector<std::int64_t>;

  // No tensor: zero bytes.
  Layout() = default;

  // Row-major.
  static Layout plain(const Dims& dims, DataType type = DataType::fp32);
  // nhwc, for four dimensions.
  static Layout channels_last(const Dims& dims, DataType type = DataType::fp32);
  // nChw16c or nChw8c, by the width of the machine's vectors, for four dimensions.
  static Layout blocked(const Dims& dims, DataType type = DataType::fp32);
  // Weights of a convolution without groups: OIhw16i16o or OIhw8i8o.
  static Layout blocked_weights(const Dims& dims, DataType type = DataType::fp32);

  [[nodiscard]] bool empty() const { return impl_ == nullptr; }
  // Including the zeros that pad channels to whole blocks.
  [[nodiscard]] std::size_t bytes() const;
  // The same, in elements.
  [[nodiscard]] std::int64_t elements() const;
  [[nodiscard]] Dims dims() const;
  [[nodiscard]] DataType type() const;
  // The same layout with another type of elements. Not for opaque layouts.
  [[nodiscard]] Layout with(DataType type) const;
  // Whether only oneDNN knows the layout; it has such layouts for weights.
  [[nodiscard]] bool is_opaque() const;
  // "abcd", "aBcd16b", "aBcd16b bf16": dimensions in the order of memory, blocks with their size.
  [[nodiscard]] std::string describe() const;

  bool operator==(const Layout& other) const;

  // Whether a tensor in one layout can be read as if it had the other: for equal layouts, and for images with exactly
  // one block of channels, for which blocked and channels last are the same.
  [[nodiscard]] bool same_memory(const Layout& other) const;

  struct Impl;  // oneDNN's description of it; see onednn/layout_impl.h
  explicit Layout(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace convoy::kernels
