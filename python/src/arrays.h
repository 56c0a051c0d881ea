// Arrays of the caller's, seen through Python's buffer protocol and checked: the module needs no header of NumPy's, so
// one build serves every version of it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string>

#include "convoy/data/source/source.h"
#include "convoy/tensor/shape.h"

namespace convoy::python {

// Images, rows of one shape, in memory that stays the caller's: floats as a network takes them, or bytes.
class Images {
 public:
  // Throws TypeError for another type or memory in another order, UserError for another shape than N x `sample`; `what`
  // is what the caller calls it.
  Images(const pybind11::buffer& array, const Shape& sample, const char* what = "images");

  [[nodiscard]] std::int64_t rows() const { return info_.shape.at(0); }

  // Writes row i as floats. Bytes are scaled to [0, 1] and normalised by the statistics, where there are any.
  void read(std::int64_t i, const data::ChannelStatistics& statistics, std::span<float> values) const;

 private:
  pybind11::buffer_info info_;
  bool is_bytes_;
  std::size_t sample_count_;
};

// Whole numbers of 64 bits. Throws TypeError for others, UserError when they are not `rows` (-1: any number).
[[nodiscard]] std::span<const std::int64_t> whole_numbers(const pybind11::buffer_info& info, std::int64_t rows,
                                                          const char* what);

// Floats of that shape, to read or to write. Throws TypeError or UserError.
[[nodiscard]] std::span<float> floats(const pybind11::buffer_info& info, const Shape& shape, const char* what);

// "2x3x32x32" of an array.
[[nodiscard]] std::string shape_text(const pybind11::buffer_info& info);

// A shape from a tuple of Python's.
[[nodiscard]] Shape shape_from(const pybind11::sequence& sizes);

}  // namespace convoy::python
