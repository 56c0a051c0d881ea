// The extents of a tensor. Shapes in a graph have no batch dimension: 3x224x224 is one image, 1000 one row of logits.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<std::int64_t> dims) : dims_(std::move(dims)) {}

  // Reads "3x224x224". Throws UserError when the text is malformed or an extent is not positive.
  static Shape parse(std::string_view text);

  [[nodiscard]] int rank() const { return static_cast<int>(dims_.size()); }
  [[nodiscard]] std::int64_t operator[](int i) const { return dims_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<std::int64_t>& dims() const { return dims_; }

  // The number of elements; one for a rank-0 shape.
  [[nodiscard]] std::int64_t count() const;

  // "3x224x224"; "scalar" for rank 0.
  [[nodiscard]] std::string to_string() const;

  bool operator==(const Shape&) const = default;

 private:
  std::vector<std::int64_t> dims_;
};

}  // namespace convoy
