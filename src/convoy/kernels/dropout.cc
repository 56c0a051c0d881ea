#include <cmath>

#include "convoy/base/rng.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// One draw of philox() is enough for eight elements, sixteen bits each.
constexpr std::int64_t kPerDraw = 8;

struct Rows {
  std::int64_t samples;
  std::int64_t elements;  // per sample
};

Rows rows_of(const Layout& layout) {
  const std::int64_t samples = layout.dims()[0];
  return {samples, layout.elements() / samples};
}

// The key of one layer in one step. It is itself a random number, because the counter of a draw has only room for the
// sample and the place in it, but not for the step.
std::uint64_t step_key(const StepInfo& info, std::uint64_t stream) {
  const auto words = philox(info.seed, stream, info.step);
  return (std::uint64_t{words[1]} << 32U) | words[0];
}

// An element is kept if its sixteen random bits are at or above the threshold.
void draw_mask(std::uint64_t key, std::uint64_t sample, std::uint32_t threshold, std::int64_t elements,
               std::uint8_t* mask) {
  for (std::int64_t i = 0; i < elements; i += kPerDraw) {
    const auto words = philox(key, sample, static_cast<std::uint64_t>(i / kPerDraw));
    for (std::int64_t k = 0; k < kPerDraw && i + k < elements; ++k) {
      const std::uint32_t bits = (words[static_cast<std::size_t>(k / 2)] >> (k % 2 * 16)) & 0xffffU;
      mask[i + k] = bits >= threshold ? 1 : 0;
    }
  }
}

template <typename Element>
void apply_mask(const Element* x, const std::uint8_t* mask, float scale, Element* y, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements; ++i) {
    y[i] = from_float<Element>(to_float(x[i]) * (static_cast<float>(mask[i]) * scale));
  }
}

// Calls run<Element>(memory) with the element type of the layout.
template <typename Run>
LoopOperator::Run typed(const Layout& layout, const Run& run) {
  return with_element(layout.type(), [&]<typename Element>() -> LoopOperator::Run {
    return [run](const Bindings& memory) { run.template operator()<Element>(memory); };
  });
}

}  // namespace

PreparedPtr prepare_dropout(const Layout& layout, float rate, std::uint64_t stream) {
  const Rows rows = rows_of(layout);
  const auto threshold = static_cast<std::uint32_t>(std::lround(rate * 65536.0F));
  const float scale = 1.0F / (1.0F - rate);
  const auto run = [=]<typename Element>(const Bindings& memory) {
    const auto& info = *memory.as<const StepInfo>(Role::step_info);
    const std::uint64_t key = step_key(info, stream);
    parallel_for(rows.samples, [&](std::int64_t n) {
      auto* mask = memory.as<std::uint8_t>(Role::workspace) + n * rows.elements;
      draw_mask(key, info.first_sample + static_cast<std::uint64_t>(n), threshold, rows.elements, mask);
      apply_mask(memory.as<const Element>(Role::source) + n * rows.elements, mask, scale,
                 memory.as<Element>(Role::destination) + n * rows.elements, rows.elements);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:dropout", std::vector<std::pair<Role, Layout>>{{Role::source, layout}, {Role::destination, layout}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, static_cast<std::size_t>(layout.elements())},
                                                {Role::step_info, sizeof(StepInfo)}},
      typed(layout, run));
}

PreparedPtr prepare_dropout_backward(const Layout& layout, float rate) {
  const Rows rows = rows_of(layout);
  const float scale = 1.0F / (1.0F - rate);
  const auto run = [=]<typename Element>(const Bindings& memory) {
    parallel_for(rows.samples, [&](std::int64_t n) {
      apply_mask(memory.as<const Element>(Role::diff_destination) + n * rows.elements,
                 memory.as<const std::uint8_t>(Role::workspace) + n * rows.elements, scale,
                 memory.as<Element>(Role::diff_source) + n * rows.elements, rows.elements);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:dropout_backward",
      std::vector<std::pair<Role, Layout>>{{Role::diff_destination, layout}, {Role::diff_source, layout}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, static_cast<std::size_t>(layout.elements())}},
      typed(layout, run));
}

}  // namespace convoy::kernels
