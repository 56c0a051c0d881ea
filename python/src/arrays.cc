#include "arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "convoy/base/error.h"

namespace py = pybind11;

namespace convoy::python {
namespace {

bool has_type(const py::buffer_info& info, char type, py::ssize_t bytes) {
  // For whole numbers of 64 bits NumPy says 'l' or 'q', depending on the platform.
  const bool is_long = type == 'q' && (info.format == "l" || info.format == "q");
  return info.itemsize == bytes && (info.format == std::string(1, type) || is_long);
}

void require_in_order(const py::buffer_info& info, const char* what) {
  py::ssize_t stride = info.itemsize;
  for (py::ssize_t axis = info.ndim - 1; axis >= 0; --axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (info.shape[at] > 1 && info.strides[at] != stride) {
      throw py::type_error(
          fmt::format("{} do not lie in memory row after row; numpy.ascontiguousarray makes a copy that does", what));
    }
    stride *= info.shape[at];
  }
}

template <typename Shape1>
bool is_shape(const py::buffer_info& info, const Shape1& sizes, std::size_t first_axis) {
  if (info.shape.size() != first_axis + static_cast<std::size_t>(sizes.rank())) return false;
  for (int axis = 0; axis < sizes.rank(); ++axis) {
    if (info.shape[first_axis + static_cast<std::size_t>(axis)] != sizes[axis]) return false;
  }
  return true;
}

}  // namespace

std::string shape_text(const py::buffer_info& info) { return fmt::format("{}", fmt::join(info.shape, "x")); }

Shape shape_from(const py::sequence& sizes) {
  std::vector<std::int64_t> values;
  for (const auto& size : sizes) values.push_back(size.cast<std::int64_t>());
  return Shape(values);
}

Images::Images(const py::buffer& array, const Shape& sample, const char* what)
    : info_(array.request()),
      is_bytes_(has_type(info_, 'B', 1)),
      sample_count_(static_cast<std::size_t>(sample.count())) {
  if (!is_bytes_ && !has_type(info_, 'f', 4)) {
    throw py::type_error(fmt::format("{} are float32 or uint8, not of type '{}'; .astype(\"float32\") converts them",
                                     what, info_.format));
  }
  if (!is_shape(info_, sample, 1)) {
    throw UserError("{} are N x {}, got {}", what, sample.to_string(), shape_text(info_));
  }
  require_in_order(info_, what);
}

void Images::read(std::int64_t i, const data::ChannelStatistics& statistics, std::span<float> values) const {
  const std::size_t offset = static_cast<std::size_t>(i) * sample_count_;
  if (!is_bytes_) {
    const auto* const row = static_cast<const float*>(info_.ptr) + offset;
    std::copy_n(row, sample_count_, values.begin());
    return;
  }
  const auto* const row = static_cast<const std::uint8_t*>(info_.ptr) + offset;
  const std::size_t channels = std::max<std::size_t>(1, statistics.mean.size());
  const std::size_t plane = sample_count_ / channels;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const float mean = statistics.mean.empty() ? 0 : statistics.mean[channel];
    const float factor = statistics.mean.empty() ? 1 : 1 / statistics.deviation[channel];
    for (std::size_t at = channel * plane; at < (channel + 1) * plane; ++at) {
      values[at] = (static_cast<float>(row[at]) / 255 - mean) * factor;
    }
  }
}

std::span<const std::int64_t> whole_numbers(const py::buffer_info& info, std::int64_t rows, const char* what) {
  if (!has_type(info, 'q', 8)) {
    throw py::type_error(fmt::format("{} are whole numbers (int64), not of type '{}'", what, info.format));
  }
  if (info.ndim != 1 || (rows >= 0 && info.shape[0] != rows)) {
    throw UserError("{} are a row of {}, got {}", what, rows >= 0 ? std::to_string(rows) : "numbers", shape_text(info));
  }
  require_in_order(info, what);
  return {static_cast<const std::int64_t*>(info.ptr), static_cast<std::size_t>(info.shape[0])};
}

std::span<float> floats(const py::buffer_info& info, const Shape& shape, const char* what) {
  if (!has_type(info, 'f', 4)) throw py::type_error(fmt::format("{} is float32, not '{}'", what, info.format));
  if (!is_shape(info, shape, 0)) throw UserError("{} is {}, got {}", what, shape.to_string(), shape_text(info));
  require_in_order(info, what);
  return {static_cast<float*>(info.ptr), static_cast<std::size_t>(shape.count())};
}

}  // namespace convoy::python
