#include "convoy/kernels/loop_operator.h"

#include "convoy/base/check.h"
#include "convoy/kernels/device.h"

namespace convoy::kernels {
namespace {

class FunctionKernel : public Kernel {
 public:
  FunctionKernel(LoopOperator::Run run, const Bindings& memory) : run_(std::move(run)), memory_(memory) {}
  void run() override { run_(memory_); }

 private:
  LoopOperator::Run run_;
  Bindings memory_;
};

}  // namespace

LoopOperator::LoopOperator(std::string name, std::vector<std::pair<Role, Layout>> operands,
                           std::vector<std::pair<Role, std::size_t>> needs, Run run)
    : name_(std::move(name)), operands_(std::move(operands)), needs_(std::move(needs)), run_(std::move(run)) {}

Layout LoopOperator::layout(Role role) const {
  for (const auto& [operand, layout] : operands_) {
    if (operand == role) return layout;
  }
  return {};
}

std::size_t LoopOperator::bytes(Role role) const {
  for (const auto& [need, bytes] : needs_) {
    if (need == role) return bytes;
  }
  return layout(role).bytes();
}

std::unique_ptr<Kernel> LoopOperator::bind(const Bindings& memory) const {
  for (const auto& [role, layout] : operands_) CONVOY_CHECK(layout.bytes() == 0 || memory[role] != nullptr);
  for (const auto& [role, bytes] : needs_) CONVOY_CHECK(bytes == 0 || memory[role] != nullptr);
  return std::make_unique<FunctionKernel>(run_, memory);
}

PlaneGrid PlaneGrid::of(const Layout& layout) {
  const auto dims = layout.dims();
  CONVOY_CHECK_EQ(dims.size(), 4U);
  const std::int64_t block = channel_block();
  return {.batch = dims[0], .blocks = (dims[1] + block - 1) / block, .pixels = dims[2] * dims[3], .block = block};
}

}  // namespace convoy::kernels
