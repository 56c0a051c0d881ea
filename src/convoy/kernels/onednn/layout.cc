#include "convoy/kernels/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "convoy/base/check.h"
#include "convoy/kernels/onednn/layout_impl.h"

namespace convoy::kernels {
namespace {

using Tag = dnnl::memory::format_tag;

Tag plain_tag(std::size_t rank) {
  switch (rank) {
    case 1:
      return Tag::a;
    case 2:
      return Tag::ab;
    case 3:
      return Tag::abc;
    case 4:
      return Tag::abcd;
    case 5:
      return Tag::abcde;
    default:
      throw InternalError(fmt::format("no plain layout of rank {}", rank));
  }
}

Layout with_tag(const Layout::Dims& dims, DataType type, Tag tag) {
  return to_layout(dnnl::memory::desc(dims, to_onednn(type), tag));
}

}  // namespace

Layout Layout::plain(const Dims& dims, DataType type) { return with_tag(dims, type, plain_tag(dims.size())); }

Layout Layout::channels_last(const Dims& dims, DataType type) {
  CONVOY_CHECK_EQ(dims.size(), 4U);
  return with_tag(dims, type, Tag::nhwc);
}

Layout Layout::blocked(const Dims& dims, DataType type) {
  CONVOY_CHECK_EQ(dims.size(), 4U);
  return with_tag(dims, type, channel_block() == 16 ? Tag::nChw16c : Tag::nChw8c);
}

Layout Layout::blocked_weights(const Dims& dims, DataType type) {
  CONVOY_CHECK_EQ(dims.size(), 4U);
  return with_tag(dims, type, channel_block() == 16 ? Tag::OIhw16i16o : Tag::OIhw8i8o);
}

std::size_t Layout::bytes() const { return empty() ? 0 : impl_->desc.get_size(); }

std::int64_t Layout::elements() const { return static_cast<std::int64_t>(bytes() / size_of(type())); }

DataType Layout::type() const {
  return !empty() && impl_->desc.data_type() == dnnl::memory::data_type::bf16 ? DataType::bf16 : DataType::fp32;
}

Layout Layout::with(DataType type) const {
  if (empty() || type == this->type()) return *this;
  CONVOY_CHECK(!is_opaque());
  dnnl::memory::desc desc = impl_->desc;
  desc.data.data_type = static_cast<dnnl_data_type_t>(to_onednn(type));
  return to_layout(desc);
}

bool Layout::is_opaque() const { return !empty() && impl_->desc.data.format_kind != dnnl_blocked; }

Layout::Dims Layout::dims() const { return empty() ? Dims{} : impl_->desc.dims(); }

bool Layout::operator==(const Layout& other) const {
  if (empty() || other.empty()) return empty() == other.empty();
  return impl_->desc == other.impl_->desc;
}

bool Layout::same_memory(const Layout& other) const {
  if (*this == other) return true;
  const Dims shape = dims();
  if (type() != other.type() || shape != other.dims() || shape.size() != 4 || shape[1] != channel_block()) return false;
  const auto one_block = [&](const Layout& layout) {
    return layout == blocked(shape, type()) || layout == channels_last(shape, type());
  };
  return one_block(*this) && one_block(other);
}

std::string Layout::describe() const {
  if (empty()) return "none";
  if (is_opaque()) return "opaque";
  const dnnl_memory_desc_t& d = impl_->desc.data;
  const auto& blocking = d.format_desc.blocking;
  std::vector<int> order(static_cast<std::size_t>(d.ndims));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return blocking.strides[a] > blocking.strides[b]; });
  std::string text;
  for (int dim : order) {
    const auto* end = blocking.inner_idxs + blocking.inner_nblks;
    const bool is_blocked = std::find(blocking.inner_idxs, end, dim) != end;
    text += static_cast<char>((is_blocked ? 'A' : 'a') + dim);
  }
  for (int i = 0; i < blocking.inner_nblks; ++i) {
    text += fmt::format("{}{}", blocking.inner_blks[i], static_cast<char>('a' + blocking.inner_idxs[i]));
  }
  return type() == DataType::fp32 ? text : fmt::format("{} {}", text, name_of(type()));
}

}  // namespace convoy::kernels
