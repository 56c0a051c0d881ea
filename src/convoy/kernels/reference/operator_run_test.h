// Runs one prepared operator on plain numbers and returns plain numbers. It also checks what no operator may do: write
// outside its memory or to its inputs, leave padding that is not zero, or read memory that nobody gave it (such memory
// is NaN).
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"
#include "convoy/kernels/reference/image.h"
#include "convoy/tensor/aligned_buffer.h"

namespace convoy::kernels::reference {

// The device of all tests of kernels.
[[nodiscard]] const Device& test_device();

// Convert plain numbers to a layout and back.
[[nodiscard]] AlignedBuffer to_layout(const Values& plain, const Layout& layout);
[[nodiscard]] Values to_plain(const std::byte* memory, const Layout& layout);

// Success when every element differs by at most `tolerance` times the largest expected magnitude.
[[nodiscard]] testing::AssertionResult close(const Values& actual, const Values& expected, double tolerance);

// The same bits; NaN equals NaN.
[[nodiscard]] testing::AssertionResult same(const Values& actual, const Values& expected);

class OperatorRun {
 public:
  explicit OperatorRun(PreparedPtr prepared) : prepared_(std::move(prepared)) {}

  // Gives a tensor, converted to the layout that the operator wants.
  OperatorRun& give(Role role, const Values& plain);
  // Gives floats, one after another, for an operand that is not a tensor; the rest is zero.
  OperatorRun& give_row(Role role, const Values& values);
  // Gives any other memory unchanged.
  template <typename T>
  OperatorRun& give_raw(Role role, std::span<const T> values) {
    std::memcpy(own(role).data(), values.data(), values.size_bytes());
    given_[index(role)] = true;
    return *this;
  }
  OperatorRun& give_step(const StepInfo& info) { return give_raw(Role::step_info, std::span(&info, 1)); }
  // `role` uses the memory of `with`, and may overwrite it.
  OperatorRun& share(Role role, Role with);
  // Gives what an earlier run has left there, usually a workspace.
  OperatorRun& take_over(Role role, const OperatorRun& earlier);

  // Binds the operator on the first call.
  OperatorRun& run();

  [[nodiscard]] Values take(Role role) const;
  [[nodiscard]] Values take_row(Role role, std::int64_t count) const;
  // All memory of a role, including padding.
  [[nodiscard]] std::span<const std::byte> raw(Role role) const;

 private:
  static constexpr std::size_t kGuardBytes = 256;
  static std::size_t index(Role role) { return static_cast<std::size_t>(role); }

  AlignedBuffer& own(Role role);
  void bind();
  void check_guards() const;
  void check_inputs() const;
  void check_padding(Role role, const Values& plain) const;

  PreparedPtr prepared_;
  std::unique_ptr<Kernel> kernel_;
  std::array<std::shared_ptr<AlignedBuffer>, kRoles> memory_;
  std::array<std::vector<std::byte>, kRoles> before_;
  std::array<bool, kRoles> given_{};
  std::array<bool, kRoles> writable_{};
};

}  // namespace convoy::kernels::reference
