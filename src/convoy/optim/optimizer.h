// Turns gradients into new parameters, in one pass over slices of the arenas. make_optimizer() makes any of the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/optim/optimizer_options.h"
#include "convoy/tensor/aligned_buffer.h"
#include "convoy/tensor/arena_slice.h"
#include "convoy/tensor/data_type.h"

namespace convoy {

// Which parameters weight decay applies to: usually weights, but not biases and not batch norm.

// A contiguous part of the parameter arena that decays, in floats.
struct DecayRange {
  std::size_t offset = 0;
  std::size_t count = 0;
};

class DecayRanges {
 public:
  // Without `ranges` everything decays; with an empty list nothing does. Throws UserError unless the ranges are sorted,
  // lie within the arena and do not overlap.
  DecayRanges(const std::optional<std::vector<DecayRange>>& ranges, std::size_t arena_floats);

  struct Stretch {
    bool decays;
    std::size_t end;
  };
  // Whether the element at `offset` decays, and the end (exclusive) of the elements after it that do the same. The last
  // stretch ends with the arena.
  [[nodiscard]] Stretch at(std::size_t offset) const;

 private:
  // Ascending; stretches without and with decay alternate, the first begins at 0 without.
  std::vector<std::size_t> bounds_;
};

// One value per parameter that a rule keeps from step to step, in the layout of the parameter arena.
struct OptimizerState {
  std::string name;         // "velocity", "first_moment"
  std::span<float> values;  // the optimizer's own memory: writing to it restores a checkpoint
};

// A step is begin_step(), then update() for slices of the parameter arena, each element at most once. Slices may be cut
// and ordered in any way: the bits of the result do not depend on that, nor on the number of threads. Parameters that
// must not change are never passed.
//
// Layer-wise rules need the norms of whole layers before anything changes. So measure() is called between the two, for
// the same slices; and where other ranks update the rest of the arena, squares() are summed over all of them. The norms
// are in double precision, so how slices are cut affects only their last bits, and hardly ever a parameter.
//
// Thread rule: updates of disjoint slices may run at once on several threads; everything else needs exclusive access.
class Optimizer {
 public:
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  // Begins a step and counts it. Throws UserError unless the learning rate is finite and at least 0.
  void begin_step(double learning_rate);

  // Updates the elements of the parameter arena from `offset` on, whose gradients are complete. Gradients are
  // multiplied by gradient_scale, so that clipping needs no pass of its own. Where kernels read parameters in bf16, the
  // same pass writes the rounded parameters to `copies`, which may be empty. Uses the calling thread's OpenMP threads
  // and allocates nothing. Throws UserError for a slice outside the arena, when gradients or copies are not as many as
  // the parameters, and when no step has begun.
  void update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
              float gradient_scale = 1.0F, std::span<BFloat16> copies = {});

  // For layer-wise rules: measures the elements that update() will be called for, with the same arguments.
  void measure(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
               float gradient_scale = 1.0F);
  // The sums of squares that measure() has gathered, two for each layer. Empty for rules that are not layer-wise.
  [[nodiscard]] std::span<double> squares() { return squares_; }

  // Everything that a checkpoint needs besides steps(); zero before the first step. The spans stay valid.
  [[nodiscard]] std::vector<OptimizerState> state();
  // The size of the arena it was made for.
  [[nodiscard]] std::size_t arena_floats() const { return arena_floats_; }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  // Throws UserError for a negative number.
  void set_steps(std::int64_t steps);

 protected:
  static constexpr std::size_t kMostStates = 2;

  static constexpr int kNoLayer = -1;

  // A part of a slice that one thread updates at once. It belongs to one layer or none, and all of it decays or none of
  // it.
  struct Stretch {
    std::int64_t count;
    float* parameters;
    const float* gradients;
    std::array<float*, kMostStates> states;
    float gradient_scale;
    bool decays;
    int layer;         // its index, or kNoLayer
    BFloat16* copies;  // null when there are none
  };

  // A layer-wise rule gets the layers whose norms it uses, in order. Elements outside all layers take the rule's step
  // without a layer's factor.
  Optimizer(std::vector<std::string> state_names, std::size_t arena_floats, DecayRanges decay,
            std::optional<std::vector<ArenaSlice>> layers = std::nullopt);

  // The two norms of a layer, from what measure_stretch() has summed.
  [[nodiscard]] std::array<double, 2> norms_of(int layer) const;

 private:
  // Computes what is the same for all parameters in a step; steps() already counts this step.
  virtual void prepare(double learning_rate) = 0;
  // Called on several threads at once.
  virtual void update_stretch(const Stretch& stretch) const = 0;

  // The sums of squares of the parameters, and of what the rule compares them with.
  [[nodiscard]] virtual std::array<double, 2> measure_stretch(const Stretch& /*stretch*/) const { return {}; }

  void require_inside(std::size_t offset, std::size_t parameters, std::size_t gradients) const;
  template <typename Visit>
  void visit_stretches(std::size_t offset, Stretch chunk, const Visit& visit);

  std::vector<std::string> state_names_;
  std::array<AlignedBuffer, kMostStates> states_;
  std::size_t arena_floats_;
  DecayRanges decay_;
  std::vector<ArenaSlice> layers_;
  std::vector<double> squares_;
  bool is_layerwise_;
  std::int64_t steps_ = 0;
  bool in_step_ = false;
  bool is_measured_ = false;  // whether measure() was called in this step
};

// Makes an optimizer for an arena of that many floats. Weight decay applies to `decaying` (see DecayRanges), or to
// everything if it is left out. Layer-wise rules use the norms of `layers`, the weight tensors, sorted and not
// overlapping. Throws UserError for options out of range.
[[nodiscard]] std::unique_ptr<Optimizer> make_optimizer(
    const OptimizerOptions& options, std::size_t arena_floats,
    const std::optional<std::vector<DecayRange>>& decaying = std::nullopt, std::vector<ArenaSlice> layers = {});

}  // namespace convoy
