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

Optimizer::Optimizer(std::vector<std::string> state_names, std::size_t arena_floats, DecayRanges decay)
    : state_names_(std::move(state_names)), arena_floats_(arena_floats), decay_(std::move(decay)) {
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
  prepare(learning_rate);
}

void Optimizer::update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
                       float gradient_scale, std::span<BFloat16> copies) {
  if (!in_step_) throw UserError("the optimizer's begin_step(learning_rate) comes before its updates");
  if (parameters.size() != gradients.size()) {
    throw UserError("cannot update {} parameters by {} gradients: frozen parameters have none and are not passed",
                    parameters.size(), gradients.size());
  }
  if (!copies.empty() && copies.size() != parameters.size()) {
    throw UserError("cannot keep {} parameters in {} copies", parameters.size(), copies.size());
  }
  if (parameters.size() > arena_floats_ || offset > arena_floats_ - parameters.size()) {
    throw UserError("cannot update {} parameters from {} on: the optimizer was made for an arena of {}",
                    parameters.size(), offset, arena_floats_);
  }
  constexpr std::int64_t kChunk = 16384;
  const auto body = [&](std::int64_t first, std::int64_t last) {
    update_chunk(offset + static_cast<std::size_t>(first),
                 {.count = last - first,
                  .parameters = parameters.data() + first,
                  .gradients = gradients.data() + first,
                  .states = {},
                  .gradient_scale = gradient_scale,
                  .decays = false,
                  .copies = copies.empty() ? nullptr : copies.data() + first});
  };
  parallel_chunks(static_cast<std::int64_t>(parameters.size()), kChunk, body);
}

void Optimizer::update_chunk(std::size_t offset, Stretch chunk) {
  const std::size_t end = offset + static_cast<std::size_t>(chunk.count);
  while (offset < end) {
    const DecayRanges::Stretch stretch = decay_.at(offset);
    const std::size_t count = std::min(stretch.end, end) - offset;
    chunk.count = static_cast<std::int64_t>(count);
    chunk.decays = stretch.decays;
    for (std::size_t i = 0; i < state_names_.size(); ++i) {
      chunk.states[i] = states_[i].floats().data() + offset;
    }
    update_stretch(chunk);
    if (chunk.copies != nullptr) {
      round_to_bfloat16(chunk.parameters, chunk.count, chunk.copies);
      chunk.copies += count;
    }
    chunk.parameters += count;
    chunk.gradients += count;
    offset += count;
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
                                          const std::optional<std::vector<DecayRange>>& decaying) {
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
  }
  throw InternalError("no such kind of optimizer");
}

}  // namespace convoy
