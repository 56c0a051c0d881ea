// The caller's arrays, seen through Python's buffer protocol and checked. The module uses no header of NumPy's, so one
// build works with every version of NumPy.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string>

#include "convoy/data/source/source.h"
#include "convoy/tensor/shape.h"

namespace convoy::python {

// Images in the caller's memory, one per row, all of one shape: floats as a network takes them, or bytes.
class Images {
 public:
  // Throws TypeError for another element type or memory order, UserError for a shape other than N x `sample`. `what`
  // names the array in messages.
  Images(const pybind11::buffer& array, const Shape& sample, const char* what = "images");

  [[nodiscard]] std::int64_t rows() const { return info_.shape.at(0); }

  // Writes row i as floats. Bytes are scaled to [0, 1] and normalised by the statistics, where there are any.
  void read(std::int64_t i, const data::ChannelStatistics& statistics, std::span<float> values) const;

 private:
  pybind11::buffer_info info_;
  bool is_bytes_;
  std::size_t sample_count_;
};

// The array as whole numbers of 64 bits. Throws TypeError for other types, UserError for a number other than `rows`
// (-1: any number).
[[nodiscard]] std::span<const std::int64_t> whole_numbers(const pybind11::buffer_info& info, std::int64_t rows,
                                                          const char* what);

// The array as floats of that shape, to read or to write. Throws TypeError or UserError.
[[nodiscard]] std::span<float> floats(const pybind11::buffer_info& info, const Shape& shape, const char* what);

// The shape of an array, such as "2x3x32x32".
[[nodiscard]] std::string shape_text(const pybind11::buffer_info& info);

// The shape that a tuple of Python's gives.
[[nodiscard]] Shape shape_from(const pybind11::sequence& sizes);

}  // namespace convoy::python
