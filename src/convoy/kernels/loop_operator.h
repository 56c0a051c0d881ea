// An operator of Convoy's own: operands, memory needs and a function that runs it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

class LoopOperator : public Prepared {
 public:
  using Run = std::function<void(const Bindings&)>;

  // `operands` are tensors; `needs` gives the bytes for roles that are not.
  LoopOperator(std::string name, std::vector<std::pair<Role, Layout>> operands,
               std::vector<std::pair<Role, std::size_t>> needs, Run run);

  [[nodiscard]] std::string implementation() const override { return name_; }
  [[nodiscard]] Layout layout(Role role) const override;
  [[nodiscard]] std::size_t bytes(Role role) const override;
  [[nodiscard]] std::unique_ptr<Kernel> bind(const Bindings& memory) const override;

 private:
  std::string name_;
  std::vector<std::pair<Role, Layout>> operands_;
  std::vector<std::pair<Role, std::size_t>> needs_;
  Run run_;
};

// How a blocked image tensor is divided into planes.
struct PlaneGrid {
  std::int64_t batch;
  std::int64_t blocks;  // of channels
  std::int64_t pixels;
  std::int64_t block;  // channels in a block

  // For a layout made by Layout::blocked.
  static PlaneGrid of(const Layout& layout);

  [[nodiscard]] std::int64_t planes() const { return batch * blocks; }
  [[nodiscard]] std::int64_t plane_elements() const { return pixels * block; }
  [[nodiscard]] std::int64_t channels() const { return blocks * block; }
};

}  // namespace convoy::kernels
