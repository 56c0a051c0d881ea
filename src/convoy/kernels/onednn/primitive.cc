#include "convoy/kernels/onednn/primitive.h"

#include "convoy/base/check.h"
#include "convoy/kernels/onednn/layout_impl.h"

namespace convoy::kernels {
namespace {

// Runs through the C interface, because the C++ interface takes a hash map, which would have to be kept or built in
// every step.
class PrimitiveKernel : public Kernel {
 public:
  PrimitiveKernel(const dnnl::primitive& primitive, const dnnl::stream& stream)
      : primitive_(primitive), stream_(stream) {}

  void add(int argument, const dnnl::memory& memory) {
    memories_.push_back(memory);
    arguments_.push_back({argument, memories_.back().get()});
  }

  void run() override {
    const dnnl_status_t status =
        dnnl_primitive_execute(primitive_.get(), stream_.get(), static_cast<int>(arguments_.size()), arguments_.data());
    CONVOY_CHECK_EQ(static_cast<int>(status), static_cast<int>(dnnl_success));
  }

 private:
  dnnl::primitive primitive_;
  dnnl::stream stream_;
  std::vector<dnnl::memory> memories_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

}  // namespace

PreparedPrimitive::PreparedPrimitive(const Device& device, const dnnl::primitive_desc_base& descriptor,
                                     Arguments arguments, std::string choice)
    : device_(&device), descriptor_(descriptor), choice_(std::move(choice)) {
  arguments.emplace_back(Role::scratchpad, DNNL_ARG_SCRATCHPAD);
  for (const auto& [role, argument] : arguments) {
    const auto desc = descriptor.query_md(dnnl::query::exec_arg_md, argument);
    if (desc.get_size() > 0) operands_.push_back({role, argument, desc});
  }
}

Layout PreparedPrimitive::layout(Role role) const {
  for (const Operand& operand : operands_) {
    if (operand.role == role) return to_layout(operand.desc);
  }
  return {};
}

std::unique_ptr<Kernel> PreparedPrimitive::bind(const Bindings& memory) const {
  device_->use();
  auto kernel = std::make_unique<PrimitiveKernel>(dnnl::primitive(descriptor_.get()), device_->impl().stream);
  for (const Operand& operand : operands_) {
    CONVOY_CHECK(memory[operand.role] != nullptr);
    kernel->add(operand.argument, dnnl::memory(operand.desc, device_->impl().engine, memory[operand.role]));
  }
  return kernel;
}

}  // namespace convoy::kernels
