#include "convoy/kernels/elementwise.h"

#include "convoy/base/check.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels {
namespace {

// How many elements a thread takes at a time: enough to make the call cheap, few enough to divide the work evenly.
constexpr std::int64_t kChunk = 8192;

using Operands = std::vector<std::pair<Role, Layout>>;

// Calls body<Element>(memory, first, last) for chunks of the whole buffer, on all threads.
template <typename Body>
PreparedPtr flat_operator(const char* name, const Layout& layout, const Operands& operands, const Body& body) {
  return with_element(layout.type(), [&]<typename Element>() {
    const auto run = [count = layout.elements(), body](const Bindings& memory) {
      parallel_ranges(count, kChunk, [&](std::int64_t first, std::int64_t last) {
        body.template operator()<Element>(memory, first, last);
      });
    };
    return std::make_shared<LoopOperator>(name, operands, std::vector<std::pair<Role, std::size_t>>{}, run);
  });
}

}  // namespace

PreparedPtr prepare_activation(const Layout& layout, Activation activation) {
  return flat_operator("convoy:activation", layout, {{Role::source, layout}, {Role::destination, layout}},
                       [activation]<typename Element>(const Bindings& memory, std::int64_t first, std::int64_t last) {
                         simd::loops<Element>().activate(memory.as<const Element>(Role::source) + first,
                                                         memory.as<Element>(Role::destination) + first, last - first,
                                                         activation);
                       });
}

PreparedPtr prepare_activation_backward(const Layout& layout, Activation activation) {
  return flat_operator("convoy:activation_backward", layout,
                       {{Role::destination, layout}, {Role::diff_destination, layout}, {Role::diff_source, layout}},
                       [activation]<typename Element>(const Bindings& memory, std::int64_t first, std::int64_t last) {
                         simd::loops<Element>().activate_gradient(
                             memory.as<const Element>(Role::destination) + first,
                             memory.as<const Element>(Role::diff_destination) + first,
                             memory.as<Element>(Role::diff_source) + first, last - first, activation);
                       });
}

PreparedPtr prepare_add(const Layout& layout, Activation activation) {
  return flat_operator(
      "convoy:add", layout, {{Role::source, layout}, {Role::source2, layout}, {Role::destination, layout}},
      [activation]<typename Element>(const Bindings& memory, std::int64_t first, std::int64_t last) {
        simd::loops<Element>().add(memory.as<const Element>(Role::source) + first,
                                   memory.as<const Element>(Role::source2) + first,
                                   memory.as<Element>(Role::destination) + first, last - first, activation);
      });
}

PreparedPtr prepare_conversion(const Layout& from, const Layout& to) {
  CONVOY_CHECK(from.with(to.type()) == to);
  const auto run = [count = from.elements(), widen = to.type() == DataType::fp32](const Bindings& memory) {
    parallel_ranges(count, kChunk, [&](std::int64_t first, std::int64_t last) {
      const auto& loops = simd::loops<BFloat16>();
      if (widen) {
        loops.to_floats(memory.as<const BFloat16>(Role::source) + first, memory.as<float>(Role::destination) + first,
                        last - first);
      } else {
        loops.from_floats(memory.as<const float>(Role::source) + first, memory.as<BFloat16>(Role::destination) + first,
                          last - first);
      }
    });
  };
  return std::make_shared<LoopOperator>("convoy:conversion", Operands{{Role::source, from}, {Role::destination, to}},
                                        std::vector<std::pair<Role, std::size_t>>{}, run);
}

}  // namespace convoy::kernels
