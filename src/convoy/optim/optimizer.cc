#include "convoy/optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/optim/update_rules.h"
#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

CONVOY_VECTOR_CLONES void round_to_bfloat16(const float* values, std::int64_t count, BFloat16* copies) {
  for (std::int64_t i = 0; i < count; ++i) copies[i] = to_bfloat16(values[i]);
}

}  // namespace

DecayRanges::DecayRanges(const std::optional<std::vector<DecayRange>>& ranges, std::size_t arena_floats) {
  std::size_t last_end = 0;
  for (const DecayRange& range : ranges.value_or(std::vector<DecayRange>{{.offset = 0, .count = arena_floats}})) {
    if (range.offset < last_end || range.offset > arena_floats || range.count > arena_floats - range.offset) {
      throw UserError(
          "weight decay of {} parameters from {} on: ranges must be sorted, not overlap and lie within the arena of {}",
          range.count, range.offset, arena_floats);
    }
    last_end = range.offset + range.count;
    bounds_.push_back(range.offset);
    bounds_.push_back(last_end);
  }
  bounds_.push_back(arena_floats);
}

DecayRanges::Stretch DecayRanges::at(std::size_t offset) const {
  const auto end = std::ranges::upper_bound(bounds_, offset);
  CONVOY_CHECK(end != bounds_.end());
  return {.decays = (end - bounds_.begin()) % 2 == 1, .end = *end};
}

Optimizer::Optimizer(std::vector<std::string> state_names, std::size_t arena_floats, DecayRanges decay,
                     std::optional<std::vector<ArenaSlice>> layers)
    : state_names_(std::move(state_names)),
      arena_floats_(arena_floats),
      decay_(std::move(decay)),
      is_layerwise_(layers.has_value()) {
  if (layers) layers_ = std::move(*layers);
  squares_.resize(2 * layers_.size());
  CONVOY_CHECK_LE(state_names_.size(), kMostStates);
  for (std::size_t i = 0; i < state_names_.size(); ++i) {
    states_[i] = AlignedBuffer(arena_floats * sizeof(float));
  }
}

void Optimizer::begin_step(double learning_rate) {
  if (!(std::isfinite(learning_rate) && learning_rate >= 0)) {
    throw UserError("the learning rate of a step must be a number and at least 0, got {}", learning_rate);
  }
  ++steps_;
  in_step_ = true;
  is_measured_ = false;
  std::ranges::fill(squares_, 0.0);
  prepare(learning_rate);
}

void Optimizer::require_inside(std::size_t offset, std::size_t parameters, std::size_t gradients) const {
  if (!in_step_) throw UserError("the optimizer's begin_step(learning_rate) comes before its updates");
  if (parameters != gradients) {
    throw UserError("cannot update {} parameters by {} gradients: frozen parameters have none and are not passed",
                    parameters, gradients);
  }
  if (parameters > arena_floats_ || offset > arena_floats_ - parameters) {
    throw UserError("cannot update {} parameters from {} on: the optimizer was made for an arena of {}", parameters,
                    offset, arena_floats_);
  }
}

void Optimizer::measure(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
                        float gradient_scale) {
  require_inside(offset, parameters.size(), gradients.size());
  is_measured_ = true;
  if (!is_layerwise_) return;
  const Stretch whole{.count = static_cast<std::int64_t>(parameters.size()),
                      .parameters = parameters.data(),
                      .gradients = gradients.data(),
                      .states = {},
                      .gradient_scale = gradient_scale,
                      .decays = false,
                      .layer = kNoLayer,
                      .copies = nullptr};
  visit_stretches(offset, whole, [&](const Stretch& stretch) {
    const std::array<double, 2> squares = measure_stretch(stretch);
    if (stretch.layer == kNoLayer) return;
    for (std::size_t i = 0; i < 2; ++i) squares_[2 * static_cast<std::size_t>(stretch.layer) + i] += squares[i];
  });
}

std::array<double, 2> Optimizer::norms_of(int layer) const {
  const std::size_t at = 2 * static_cast<std::size_t>(layer);
  return {std::sqrt(squares_[at]), std::sqrt(squares_[at + 1])};
}

void Optimizer::update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
                       float gradient_scale, std::span<BFloat16> copies) {
  require_inside(offset, parameters.size(), gradients.size());
  if (!copies.empty() && copies.size() != parameters.size()) {
    throw UserError("cannot keep {} parameters in {} copies", parameters.size(), copies.size());
  }
  if (is_layerwise_ && !is_measured_) {
    throw UserError("a layer-wise optimizer's measure() comes before its updates, for all that they are for");
  }
  // What a chunk takes of parameters, gradients and one state fits into the first-level cache, so that rounding costs
  // no more reads.
  constexpr std::int64_t kChunk = 4096;
  const auto body = [&](std::int64_t first, std::int64_t last) {
    const Stretch chunk{.count = last - first,
                        .parameters = parameters.data() + first,
                        .gradients = gradients.data() + first,
                        .states = {},
                        .gradient_scale = gradient_scale,
                        .decays = false,
                        .layer = kNoLayer,
                        .copies = copies.empty() ? nullptr : copies.data() + first};
    visit_stretches(offset + static_cast<std::size_t>(first), chunk, [&](const Stretch& stretch) {
      update_stretch(stretch);
      if (stretch.copies != nullptr) {
        round_to_bfloat16(stretch.parameters, stretch.count, stretch.copies);
      }
    });
  };
  parallel_chunks(static_cast<std::int64_t>(parameters.size()), kChunk, body);
}

// Cuts a chunk where a layer or a decaying range begins or ends.
template <typename Visit>
void Optimizer::visit_stretches(std::size_t offset, Stretch chunk, const Visit& visit) {
  const std::size_t end = offset + static_cast<std::size_t>(chunk.count);
  auto layer = std::ranges::upper_bound(layers_, offset, {}, &ArenaSlice::end);
  while (offset < end) {
    const DecayRanges::Stretch stretch = decay_.at(offset);
    std::size_t stop = std::min(stretch.end, end);
    chunk.layer = kNoLayer;
    if (layer != layers_.end()) {
      const bool is_inside = layer->offset <= offset;
      if (is_inside) chunk.layer = static_cast<int>(layer - layers_.begin());
      stop = std::min(stop, is_inside ? layer->end() : layer->offset);
      if (stop == layer->end()) ++layer;
    }
    const std::size_t count = stop - offset;
    chunk.count = static_cast<std::int64_t>(count);
    chunk.decays = stretch.decays;
    for (std::size_t i = 0; i < state_names_.size(); ++i) {
      chunk.states[i] = states_[i].floats().data() + offset;
    }
    visit(std::as_const(chunk));
    if (chunk.copies != nullptr) chunk.copies += count;
    chunk.parameters += count;
    chunk.gradients += count;
    offset = stop;
  }
}

std::vector<OptimizerState> Optimizer::state() {
  std::vector<OptimizerState> all;
  for (std::size_t i = 0; i < state_names_.size(); ++i) {
    all.push_back({.name = state_names_[i], .values = states_[i].floats()});
  }
  return all;
}

void Optimizer::set_steps(std::int64_t steps) {
  if (steps < 0) throw UserError("an optimizer cannot have made {} steps", steps);
  steps_ = steps;
  in_step_ = false;
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, std::size_t arena_floats,
                                          const std::optional<std::vector<DecayRange>>& decaying,
                                          std::vector<ArenaSlice> layers) {
  check_options(options);
  DecayRanges decay(decaying, arena_floats);
  switch (options.kind) {
    case OptimizerKind::sgd:
      return std::make_unique<Sgd>(options, arena_floats, std::move(decay));
    case OptimizerKind::momentum:
    case OptimizerKind::nesterov:
      return std::make_unique<Momentum>(options, arena_floats, std::move(decay));
    case OptimizerKind::adam:
    case OptimizerKind::adamw:
      return std::make_unique<Adam>(options, arena_floats, std::move(decay));
    case OptimizerKind::adadelta:
      return std::make_unique<Adadelta>(options, arena_floats, std::move(decay));
    case OptimizerKind::lars:
      return std::make_unique<Lars>(options, arena_floats, std::move(decay), std::move(layers));
    case OptimizerKind::lamb:
      return std::make_unique<Lamb>(options, arena_floats, std::move(decay), std::move(layers));
  }
  throw InternalError("no such kind of optimizer");
}

}  // namespace convoy
