// A pooling written as one row of a table of test cases.
#pragma once

#include <array>
#include <ostream>
#include <string>

#include "convoy/kernels/pooling.h"

namespace convoy::kernels::reference {

class PoolingCase {
 public:
  // source is batch, channels, height, width.
  PoolingCase(std::string name, Pooling kind, const std::array<std::int64_t, 4>& source,
              const std::array<int, 2>& kernel)
      : name_(std::move(name)) {
    p_.kind = kind;
    p_.batch = source[0];
    p_.channels = source[1];
    p_.in_h = source[2];
    p_.in_w = source[3];
    p_.kernel_h = kernel[0];
    p_.kernel_w = kernel[1];
  }

  PoolingCase& stride(int h, int w) {
    p_.stride_h = h;
    p_.stride_w = w;
    return *this;
  }
  PoolingCase& pad(int top, int left, int bottom, int right) {
    p_.pad_top = top;
    p_.pad_left = left;
    p_.pad_bottom = bottom;
    p_.pad_right = right;
    return *this;
  }
  PoolingCase& pad(int all) { return pad(all, all, all, all); }
  // The last window may extend past the end.
  PoolingCase& ceil() {
    ceil_ = true;
    return *this;
  }
  PoolingCase& padding_not_counted() {
    p_.count_padding = false;
    return *this;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  // Fills in the extents of the result.
  [[nodiscard]] PoolingProblem problem() const {
    PoolingProblem p = p_;
    p.out_h = positions(p.in_h, p.kernel_h, p.stride_h, p.pad_top, p.pad_bottom);
    p.out_w = positions(p.in_w, p.kernel_w, p.stride_w, p.pad_left, p.pad_right);
    return p;
  }

  friend std::ostream& operator<<(std::ostream& out, const PoolingCase& c) { return out << c.name(); }

 private:
  // In ceil mode the last window must start in the image or the padding before it.
  [[nodiscard]] std::int64_t positions(std::int64_t size, int kernel, int stride, int before, int after) const {
    const std::int64_t room = size + before + after - kernel;
    if (!ceil_) return room / stride + 1;
    const std::int64_t count = (room + stride - 1) / stride + 1;
    return (count - 1) * stride >= size + before ? count - 1 : count;
  }

  std::string name_;
  PoolingProblem p_;
  bool ceil_ = false;
};

}  // namespace convoy::kernels::reference
