// The oneDNN side of Layout and Device; only for the other files of this folder.
#pragma once

#include <dnnl.hpp>

#include "convoy/kernels/device.h"
#include "convoy/kernels/layout.h"

namespace convoy::kernels {

struct Layout::Impl {
  dnnl::memory::desc desc;
};

struct Device::Impl {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

[[nodiscard]] inline Layout to_layout(const dnnl::memory::desc& desc) {
  if (desc.get_size() == 0) return {};
  return Layout(std::make_shared<const Layout::Impl>(Layout::Impl{desc}));
}

// The descriptor of a layout, or oneDNN's empty descriptor.
[[nodiscard]] inline dnnl::memory::desc to_desc(const Layout& layout) {
  return layout.empty() ? dnnl::memory::desc() : layout.impl().desc;
}

[[nodiscard]] inline dnnl::memory::data_type to_onednn(DataType type) {
  return type == DataType::bf16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
}

// The same dimensions, with the layout left to oneDNN.
[[nodiscard]] inline dnnl::memory::desc any_layout(const Layout::Dims& dims, DataType type = DataType::fp32) {
  return {dims, to_onednn(type), dnnl::memory::format_tag::any};
}

}  // namespace convoy::kernels
