#include "convoy/kernels/reorder.h"

#include <algorithm>

#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/onednn/layout_impl.h"
#include "convoy/kernels/onednn/primitive.h"

namespace convoy::kernels {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Gradients of inputs and parameters are outputs, and so is the destination, except in backward passes that read it.
bool is_output(const Prepared& op, Role role) {
  switch (role) {
    case Role::destination:
      return op.layout(Role::diff_destination).empty();
    case Role::diff_source:
    case Role::diff_source2:
    case Role::diff_weights:
    case Role::diff_bias:
      return true;
    default:
      return false;
  }
}

// A reorder of one operand; its copy in the operator's own layout is at `offset` in the scratchpad.
struct Detour {
  Role role;
  Layout outside;
  PreparedPtr reorder;
  std::size_t offset;
  bool output;
};

class Sequence : public Kernel {
 public:
  void add(std::unique_ptr<Kernel> kernel) { kernels_.push_back(std::move(kernel)); }
  void run() override {
    for (const auto& kernel : kernels_) kernel->run();
  }

 private:
  std::vector<std::unique_ptr<Kernel>> kernels_;
};

// The scratchpad has first the copies of operands, then what the operator itself or one of the reorders needs.
class Adapted : public Prepared {
 public:
  Adapted(PreparedPtr inner, std::string name, std::vector<Detour> detours, std::size_t copies_bytes)
      : inner_(std::move(inner)), name_(std::move(name)), detours_(std::move(detours)), copies_bytes_(copies_bytes) {}

  [[nodiscard]] const PreparedPtr& inner() const { return inner_; }
  [[nodiscard]] const std::vector<Detour>& detours() const { return detours_; }
  [[nodiscard]] std::string implementation() const override { return name_; }

  [[nodiscard]] Layout layout(Role role) const override {
    const Detour* detour = find(role);
    return detour ? detour->outside : inner_->layout(role);
  }

  [[nodiscard]] std::size_t bytes(Role role) const override {
    if (role == Role::scratchpad) return copies_bytes_ + needs_bytes();
    const Detour* detour = find(role);
    return detour ? detour->outside.bytes() : inner_->bytes(role);
  }

  [[nodiscard]] std::unique_ptr<Kernel> bind(const Bindings& memory) const override {
    auto sequence = std::make_unique<Sequence>();
    auto* scratchpad = memory.as<std::byte>(Role::scratchpad);
    Bindings inside = memory;
    inside.set(Role::scratchpad, scratchpad + copies_bytes_);
    for (const Detour& detour : detours_) inside.set(detour.role, scratchpad + detour.offset);
    for (const Detour& detour : detours_) {
      if (!detour.output) sequence->add(bind_reorder(detour, memory[detour.role], inside[detour.role], inside));
    }
    sequence->add(inner_->bind(inside));
    for (const Detour& detour : detours_) {
      if (detour.output) sequence->add(bind_reorder(detour, inside[detour.role], memory[detour.role], inside));
    }
    return sequence;
  }

 private:
  [[nodiscard]] const Detour* find(Role role) const {
    const auto at =
        std::find_if(detours_.begin(), detours_.end(), [&](const Detour& detour) { return detour.role == role; });
    return at == detours_.end() ? nullptr : &*at;
  }

  [[nodiscard]] std::size_t needs_bytes() const {
    std::size_t most = inner_->bytes(Role::scratchpad);
    for (const Detour& detour : detours_) most = std::max(most, detour.reorder->bytes(Role::scratchpad));
    return most;
  }

  static std::unique_ptr<Kernel> bind_reorder(const Detour& detour, void* from, void* to, const Bindings& inside) {
    Bindings memory;
    memory.set(Role::source, from);
    memory.set(Role::destination, to);
    memory.set(Role::scratchpad, inside[Role::scratchpad]);
    return detour.reorder->bind(memory);
  }

  PreparedPtr inner_;
  std::string name_;
  std::vector<Detour> detours_;
  std::size_t copies_bytes_;
};

// The layouts in which an already adapted operator takes and gives its operands, except for the roles in `wanted`.
WantedLayouts together(const Adapted& adapted, const WantedLayouts& wanted) {
  WantedLayouts all = wanted;
  for (const Detour& detour : adapted.detours()) {
    const auto same_role = [&](const auto& other) { return other.first == detour.role && !other.second.empty(); };
    if (std::ranges::none_of(wanted, same_role)) all.emplace_back(detour.role, detour.outside);
  }
  return all;
}

PreparedPtr adapt_as(const Device& device, PreparedPtr inner, const WantedLayouts& wanted, const std::string& name) {
  if (const auto* adapted = dynamic_cast<const Adapted*>(inner.get())) {
    return adapt_as(device, adapted->inner(), together(*adapted, wanted), name);
  }
  std::vector<Detour> detours;
  std::size_t copies_bytes = 0;
  for (const auto& [role, outside] : wanted) {
    const Layout inside = inner->layout(role);
    if (inside.empty() || outside.empty() || inside.same_memory(outside)) continue;
    const bool output = is_output(*inner, role);
    detours.push_back({role, outside, prepare_reorder(device, output ? inside : outside, output ? outside : inside),
                       copies_bytes, output});
    copies_bytes += aligned(inside.bytes());
  }
  if (detours.empty() && inner->implementation() == name) return inner;
  return std::make_shared<Adapted>(std::move(inner), name, std::move(detours), copies_bytes);
}

PreparedPtr onednn_reorder(const Device& device, const Layout& from, const Layout& to) {
  device.use();
  const dnnl::engine& engine = device.impl().engine;
  const dnnl::reorder::primitive_desc descriptor(engine, to_desc(from), engine, to_desc(to), shared_scratchpad());
  return std::make_shared<PreparedPrimitive>(device, descriptor,
                                             Arguments{{Role::source, DNNL_ARG_FROM}, {Role::destination, DNNL_ARG_TO}},
                                             std::string("reorder:") + descriptor.impl_info_str());
}

}  // namespace

// If oneDNN has no bf16 here, elements are moved as floats.
PreparedPtr prepare_reorder(const Device& device, const Layout& from, const Layout& to) {
  const bool floats = from.type() == DataType::fp32 && to.type() == DataType::fp32;
  if (floats) return onednn_reorder(device, from, to);
  if (from.type() != to.type() && from.with(to.type()) == to) return prepare_conversion(from, to);
  if (has_bf16_kernels()) return onednn_reorder(device, from, to);
  const PreparedPtr inner = onednn_reorder(device, from.with(DataType::fp32), to.with(DataType::fp32));
  return adapt(device, inner, {{Role::source, from}, {Role::destination, to}});
}

PreparedPtr adapt(const Device& device, PreparedPtr inner, const WantedLayouts& wanted) {
  const std::string name = inner->implementation();
  return adapt_as(device, std::move(inner), wanted, name);
}

PreparedPtr adapt_to_bf16(const Device& device, PreparedPtr inner, DataType destination) {
  const auto narrow = [&](Role role) {
    const Layout layout = inner->layout(role);
    return layout.is_opaque() ? Layout::plain(layout.dims(), DataType::bf16) : layout.with(DataType::bf16);
  };
  WantedLayouts wanted;
  for (const Role role : {Role::source, Role::weights, Role::diff_source, Role::diff_destination}) {
    wanted.emplace_back(role, narrow(role));
  }
  if (destination == DataType::bf16) wanted.emplace_back(Role::destination, narrow(Role::destination));
  const std::string name = "fp32 " + inner->implementation();
  return adapt_as(device, std::move(inner), wanted, name);
}

}  // namespace convoy::kernels
