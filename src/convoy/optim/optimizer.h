// What turns gradients into new parameters: one pass over slices of the arenas. make_optimizer() makes any of them.
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

// Which parameters weight decay applies to: weights usually, not biases and not batch norm.

// A contiguous stretch of the parameter arena that decays, in floats.
struct DecayRange {
  std::size_t offset = 0;
  std::size_t count = 0;
};

class DecayRanges {
 public:
  // Everything decays when no ranges are given, nothing when there are none in the list. Throws
  // UserError unless they are sorted, lie within the arena and do not overlap.
  DecayRanges(const std::optional<std::vector<DecayRange>>& ranges, std::size_t arena_floats);

  struct Stretch {
    bool decays;
    std::size_t end;
  };
  // Whether the element at `offset` decays, and up to where (exclusive) all others after it do likewise. The last
  // stretch ends with the arena.
  [[nodiscard]] Stretch at(std::size_t offset) const;

 private:
  std::vector<std::size_t> bounds_;  // ascending; stretches in turn without and with decay, the first from 0 without
};

// What a rule remembers of each parameter, in the layout of the parameter arena.
struct OptimizerState {
  std::string name;         // "velocity", "first_moment"
  std::span<float> values;  // the optimizer's own memory: writing here restores a checkpoint
};

// A step is begin_step() and then update() for slices of the parameter arena, each element at most once, cut and
// ordered in any way: the result is the same to the bit, whatever the cuts and the number of threads. Parameters that
// are not to change are never passed.
//
// Layer-wise rules have to know norms of whole layers before anything changes: between the two, measure() is called for
// the same slices, and where others have updated the rest of the arena, squares() are added up over all of them. Norms
// are of double precision: how slices are cut shows in their last bits only, and hardly ever in a parameter's.
//
// Thread rule: updates of disjoint slices may run at once on several threads; everything else needs the object alone.
class Optimizer {
 public:
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  // Counts the step. Throws UserError unless the learning rate is finite and at least 0.
  void begin_step(double learning_rate);

  // Updates the elements from `offset` on of the parameter arena, whose gradients are complete; these are taken times
  // gradient_scale, so that clipping needs no pass of its own. Where kernels read parameters in bf16, `copies` gets
  // them rounded in the same pass; it may be empty. Uses the calling thread's OpenMP threads and allocates nothing.
  // Throws UserError for a slice that leaves the arena, for gradients or copies that are not as many as the parameters,
  // and when no step has begun.
  void update(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
              float gradient_scale = 1.0F, std::span<BFloat16> copies = {});

  // For layer-wise rules: takes in the elements that update() will be called for, with the same arguments.
  void measure(std::size_t offset, std::span<float> parameters, std::span<const float> gradients,
               float gradient_scale = 1.0F);
  // Sums of squares of what was measured, two for each layer. Empty for rules that are not layer-wise.
  [[nodiscard]] std::span<double> squares() { return squares_; }

  // All that a checkpoint needs beside steps(), zero before the first step. The spans stay valid.
  [[nodiscard]] std::vector<OptimizerState> state();
  // Of the arena it was made for.
  [[nodiscard]] std::size_t arena_floats() const { return arena_floats_; }

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  // Throws UserError for a negative number.
  void set_steps(std::int64_t steps);

 protected:
  static constexpr std::size_t kMostStates = 2;

  static constexpr int kNoLayer = -1;

  // A stretch of a slice that one thread updates at once, of one layer, and that decays everywhere or nowhere.
  struct Stretch {
    std::int64_t count;
    float* parameters;
    const float* gradients;
    std::array<float*, kMostStates> states;
    float gradient_scale;
    bool decays;
    int layer;         // or kNoLayer
    BFloat16* copies;  // null without any
  };

  // A layer-wise rule is given the layers it goes by, in order; what is in none of them is updated as by its step
  // alone.
  Optimizer(std::vector<std::string> state_names, std::size_t arena_floats, DecayRanges decay,
            std::optional<std::vector<ArenaSlice>> layers = std::nullopt);

  // The two norms of a layer, of what measure_stretch() gave.
  [[nodiscard]] std::array<double, 2> norms_of(int layer) const;

 private:
  // Works out what is the same for all parameters in a step; steps() already counts it.
  virtual void prepare(double learning_rate) = 0;
  // On several threads at once.
  virtual void update_stretch(const Stretch& stretch) const = 0;

  // Sums of squares of the parameters, and of what the rule compares them with.
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
  bool is_measured_ = false;  // something of this step
};

// An optimizer for an arena of that many floats. Weight decay applies to `decaying` (see DecayRanges), to everything if
// left out. Layer-wise rules go by `layers`, sorted and not overlapping: the tensors of weights. Throws UserError for
// options out of range.
[[nodiscard]] std::unique_ptr<Optimizer> make_optimizer(
    const OptimizerOptions& options, std::size_t arena_floats,
    const std::optional<std::vector<DecayRange>>& decaying = std::nullopt, std::vector<ArenaSlice> layers = {});

}  // namespace convoy
