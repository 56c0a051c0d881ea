// A convolution written as one row of a table of test cases.
#pragma once

#include <array>
#include <ostream>
#include <string>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels::reference {

class ConvolutionCase {
 public:
  using Pair = std::array<std::int64_t, 2>;

  // source is batch, channels, height, width.
  ConvolutionCase(std::string name, const std::array<std::int64_t, 4>& source, std::int64_t out, const Pair& kernel)
      : name_(std::move(name)) {
    p_.batch = source[0];
    p_.in_channels = source[1];
    p_.in_h = source[2];
    p_.in_w = source[3];
    p_.out_channels = out;
    p_.kernel_h = kernel[0];
    p_.kernel_w = kernel[1];
  }

  ConvolutionCase& stride(std::int64_t h, std::int64_t w) {
    p_.stride_h = h;
    p_.stride_w = w;
    return *this;
  }
  ConvolutionCase& pad(std::int64_t top, std::int64_t left, std::int64_t bottom, std::int64_t right) {
    p_.pad_top = top;
    p_.pad_left = left;
    p_.pad_bottom = bottom;
    p_.pad_right = right;
    return *this;
  }
  ConvolutionCase& pad(std::int64_t all) { return pad(all, all, all, all); }
  ConvolutionCase& dilation(std::int64_t h, std::int64_t w) {
    p_.dilation_h = h;
    p_.dilation_w = w;
    return *this;
  }
  ConvolutionCase& groups(std::int64_t groups) {
    p_.groups = groups;
    return *this;
  }
  ConvolutionCase& no_bias() {
    p_.bias = false;
    return *this;
  }
  ConvolutionCase& then(Activation activation) {
    p_.activation = activation;
    return *this;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  // Fills in the extents of the result.
  [[nodiscard]] ConvolutionProblem problem() const {
    ConvolutionProblem p = p_;
    p.out_h = (p.in_h + p.pad_top + p.pad_bottom - (p.kernel_h - 1) * p.dilation_h - 1) / p.stride_h + 1;
    p.out_w = (p.in_w + p.pad_left + p.pad_right - (p.kernel_w - 1) * p.dilation_w - 1) / p.stride_w + 1;
    return p;
  }

  friend std::ostream& operator<<(std::ostream& out, const ConvolutionCase& c) { return out << c.problem().key(); }

 private:
  std::string name_;
  ConvolutionProblem p_;
};

}  // namespace convoy::kernels::reference
