#include <cmath>

#include "convoy/base/rng.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// One draw of philox() serves eight elements, sixteen bits each.
constexpr std::int64_t kPerDraw = 8;

struct Rows {
  std::int64_t samples;
  std::int64_t floats;  // per sample
};

Rows rows_of(const Layout& layout) {
  const std::int64_t samples = layout.dims()[0];
  return {samples, static_cast<std::int64_t>(layout.bytes() / sizeof(float)) / samples};
}

// The key of one layer in one step. It is drawn itself, as the words a draw is addressed by have no room for the step
// beside the sample and the place in it.
std::uint64_t step_key(const StepInfo& info, std::uint64_t stream) {
  const auto words = philox(info.seed, stream, info.step);
  return (std::uint64_t{words[1]} << 32U) | words[0];
}

// Keeps an element when its sixteen random bits are at or above the threshold.
void draw_mask(std::uint64_t key, std::uint64_t sample, std::uint32_t threshold, std::int64_t floats,
               std::uint8_t* mask) {
  for (std::int64_t i = 0; i < floats; i += kPerDraw) {
    const auto words = philox(key, sample, static_cast<std::uint64_t>(i / kPerDraw));
    for (std::int64_t k = 0; k < kPerDraw && i + k < floats; ++k) {
      const std::uint32_t bits = (words[static_cast<std::size_t>(k / 2)] >> (k % 2 * 16)) & 0xffffU;
      mask[i + k] = bits >= threshold ? 1 : 0;
    }
  }
}

void apply_mask(const float* x, const std::uint8_t* mask, float scale, float* y, std::int64_t floats) {
  for (std::int64_t i = 0; i < floats; ++i) y[i] = x[i] * (static_cast<float>(mask[i]) * scale);
}

}  // namespace

PreparedPtr prepare_dropout(const Layout& layout, float rate, std::uint64_t stream) {
  const Rows rows = rows_of(layout);
  const auto threshold = static_cast<std::uint32_t>(std::lround(rate * 65536.0F));
  const float scale = 1.0F / (1.0F - rate);
  const auto run = [=](const Bindings& memory) {
    const auto& info = *memory.as<const StepInfo>(Role::step_info);
    const std::uint64_t key = step_key(info, stream);
    parallel_for(rows.samples, [&](std::int64_t n) {
      auto* mask = memory.as<std::uint8_t>(Role::workspace) + n * rows.floats;
      draw_mask(key, info.first_sample + static_cast<std::uint64_t>(n), threshold, rows.floats, mask);
      apply_mask(memory.as<const float>(Role::source) + n * rows.floats, mask, scale,
                 memory.as<float>(Role::destination) + n * rows.floats, rows.floats);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:dropout", std::vector<std::pair<Role, Layout>>{{Role::source, layout}, {Role::destination, layout}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, layout.bytes() / sizeof(float)},
                                                {Role::step_info, sizeof(StepInfo)}},
      run);
}

PreparedPtr prepare_dropout_backward(const Layout& layout, float rate) {
  const Rows rows = rows_of(layout);
  const float scale = 1.0F / (1.0F - rate);
  const auto run = [=](const Bindings& memory) {
    parallel_for(rows.samples, [&](std::int64_t n) {
      apply_mask(memory.as<const float>(Role::diff_destination) + n * rows.floats,
                 memory.as<const std::uint8_t>(Role::workspace) + n * rows.floats, scale,
                 memory.as<float>(Role::diff_source) + n * rows.floats, rows.floats);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:dropout_backward",
      std::vector<std::pair<Role, Layout>>{{Role::diff_destination, layout}, {Role::diff_source, layout}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, layout.bytes() / sizeof(float)}}, run);
}

}  // namespace convoy::kernels
