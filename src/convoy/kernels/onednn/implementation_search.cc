#include "convoy/kernels/onednn/implementation_search.h"

#include <cpuid.h>
#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy::kernels {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Implementations for narrower vectors than the machine has cost tuning time and lose. The exception are depthwise
// layers, for which narrow ones have won.
bool too_narrow(const std::string& implementation) {
  if (contains(implementation, "dw")) return false;
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return contains(implementation, "avx2") || contains(implementation, "sse41") || implementation == "jit:avx";
    case InstructionSet::avx2:
      return contains(implementation, "sse41") || implementation == "jit:avx";
    case InstructionSet::baseline:
      return false;
  }
  return false;
}

// oneDNN asks the processor for the shape of its matrix registers. Some virtual machines have the registers but hide
// that answer. oneDNN then multiplies without having configured them, which is an illegal instruction (in 2.6.3, and in
// 3.13 too).
bool hides_tile_shapes() {
  constexpr unsigned kTileLeaf = 0x1d;
  static const bool hides = [] {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(kTileLeaf, 1, &a, &b, &c, &d) == 0 || b == 0;
  }();
  return hides;
}

bool would_crash(const std::string& implementation) {
  return contains(implementation, "brg") && contains(implementation, "amx") && hides_tile_shapes();
}

bool is_reference(const std::string& implementation) { return contains(implementation, "ref"); }

}  // namespace

void ImplementationSearch::consider(const dnnl::primitive_desc_base& descriptor, const std::string& implementation,
                                    const Arguments& arguments) {
  if (would_crash(implementation)) return;
  const std::string choice = fmt::format("{} {}", family_, implementation);
  auto& list = is_reference(implementation) || too_narrow(implementation) ? slow_ : found_;
  const auto same = [&](const PreparedPtr& other) { return other->implementation() == choice; };
  if (std::any_of(list.begin(), list.end(), same)) return;
  list.push_back(std::make_shared<PreparedPrimitive>(*device_, descriptor, arguments, choice));
}

bool ImplementationSearch::any_with(Role role, const Layout& layout) const {
  return std::ranges::any_of(found_, [&](const PreparedPtr& one) { return one->layout(role) == layout; });
}

std::vector<PreparedPtr> ImplementationSearch::take() {
  auto result = found_.empty() ? std::move(slow_) : std::move(found_);
  CONVOY_CHECK(!result.empty());
  return result;
}

Arguments forward_arguments() {
  return {{Role::source, DNNL_ARG_SRC},
          {Role::weights, DNNL_ARG_WEIGHTS},
          {Role::bias, DNNL_ARG_BIAS},
          {Role::destination, DNNL_ARG_DST}};
}

Arguments backward_data_arguments() {
  return {{Role::diff_destination, DNNL_ARG_DIFF_DST},
          {Role::weights, DNNL_ARG_WEIGHTS},
          {Role::diff_source, DNNL_ARG_DIFF_SRC}};
}

Arguments backward_weights_arguments() {
  return {{Role::source, DNNL_ARG_SRC},
          {Role::diff_destination, DNNL_ARG_DIFF_DST},
          {Role::diff_weights, DNNL_ARG_DIFF_WEIGHTS},
          {Role::diff_bias, DNNL_ARG_DIFF_BIAS}};
}

dnnl::primitive_attr with_activation(Activation activation) {
  dnnl::primitive_attr attributes = shared_scratchpad();
  if (activation == Activation::none) return attributes;
  dnnl::post_ops after;
  if (activation == Activation::relu) {
    after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
  } else {
    after.append_eltwise(1.0F, dnnl::algorithm::eltwise_clip, 0.0F, 6.0F);
  }
  attributes.set_post_ops(after);
  return attributes;
}

}  // namespace convoy::kernels
