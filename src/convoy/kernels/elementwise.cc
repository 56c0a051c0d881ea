#include "convoy/kernels/elementwise.h"

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels {
namespace {

// Floats a thread takes at a time: large enough to make the call cheap, small enough to share evenly.
constexpr std::int64_t kChunk = 8192;

std::int64_t floats_of(const Layout& layout) { return static_cast<std::int64_t>(layout.bytes() / sizeof(float)); }

}  // namespace

PreparedPtr prepare_activation(const Layout& layout, Activation activation) {
  const auto run = [count = floats_of(layout), activation](const Bindings& memory) {
    const auto* x = memory.as<const float>(Role::source);
    auto* y = memory.as<float>(Role::destination);
    parallel_ranges(count, kChunk, [&](std::int64_t first, std::int64_t last) {
      simd::loops().activate(x + first, y + first, last - first, activation);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:activation", std::vector<std::pair<Role, Layout>>{{Role::source, layout}, {Role::destination, layout}},
      std::vector<std::pair<Role, std::size_t>>{}, run);
}

PreparedPtr prepare_activation_backward(const Layout& layout, Activation activation) {
  const auto run = [count = floats_of(layout), activation](const Bindings& memory) {
    const auto* y = memory.as<const float>(Role::destination);
    const auto* dy = memory.as<const float>(Role::diff_destination);
    auto* dx = memory.as<float>(Role::diff_source);
    parallel_ranges(count, kChunk, [&](std::int64_t first, std::int64_t last) {
      simd::loops().activate_gradient(y + first, dy + first, dx + first, last - first, activation);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:activation_backward",
      std::vector<std::pair<Role, Layout>>{
          {Role::destination, layout}, {Role::diff_destination, layout}, {Role::diff_source, layout}},
      std::vector<std::pair<Role, std::size_t>>{}, run);
}

PreparedPtr prepare_add(const Layout& layout, Activation activation) {
  const auto run = [count = floats_of(layout), activation](const Bindings& memory) {
    const auto* a = memory.as<const float>(Role::source);
    const auto* b = memory.as<const float>(Role::source2);
    auto* y = memory.as<float>(Role::destination);
    parallel_ranges(count, kChunk, [&](std::int64_t first, std::int64_t last) {
      simd::loops().add(a + first, b + first, y + first, last - first, activation);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:add",
      std::vector<std::pair<Role, Layout>>{
          {Role::source, layout}, {Role::source2, layout}, {Role::destination, layout}},
      std::vector<std::pair<Role, std::size_t>>{}, run);
}

}  // namespace convoy::kernels
