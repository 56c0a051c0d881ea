// Chooses implementations for the layers that have several, by timing them or from the cache.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/engine/choices.h"
#include "convoy/engine/stopwatch.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/kernels/convolution.h"
#include "convoy/kernels/device.h"

namespace convoy {

// A convolution or dense layer at its place in the network.
struct LayerSite {
  std::string layer;                                                           // its name, for messages
  std::string problem;                                                         // identifies it in the cache
  std::function<std::vector<kernels::PreparedPtr>(kernels::Pass)> candidates;  // implementations of a pass
  kernels::Layout source;                                                      // of the activations around it
  kernels::Layout destination;
  bool data_gradient = true;    // false for a layer that reads the samples
  bool weight_gradient = true;  // false in inference
  // The same layer with fewer images, which is timed in its place; null if it is small anyway.
  std::shared_ptr<const LayerSite> trial = nullptr;
};

// The kernels of one layer, all with the same layout of weights. Null for passes that the site does not need.
struct LayerKernels {
  kernels::PreparedPtr forward;
  kernels::PreparedPtr backward_data;
  kernels::PreparedPtr backward_weights;
  kernels::Layout weights;
  KernelChoice choice;
};

using RaceKernels = std::function<RaceTimes(Stopwatch&, const std::vector<kernels::PreparedPtr>&)>;

// How a tuner measures. Only tests replace parts of it, because nobody knows what a real machine does meanwhile.
struct TunerMeasures {
  OthersClock others = others_cpu_seconds;
  RaceKernels race = &Stopwatch::race;
};

class Tuner {
 public:
  // `machine` is part of the cache's keys: everything that makes timings useless on another machine.
  Tuner(const kernels::Device& device, TuningCache& cache, std::string machine, TunerMeasures measures = {});

  // Finds the fastest combination: weights have forward's layout, and the other passes pay for reorders. With `given`
  // nothing is timed, and an implementation that does not exist here causes a UserError. With `weights` the layout is
  // fixed, as for a second plan over the same parameters; if an implementation does not exist for the other batch, the
  // first one is used instead.
  [[nodiscard]] LayerKernels choose(const LayerSite& site, const std::optional<KernelChoice>& given,
                                    const kernels::Layout& weights);

  // Adds a note to the cache if what was measured was disturbed.
  void note_disturbance();

 private:
  struct Timed {
    kernels::PreparedPtr prepared;  // adapted to the site's activations
    double seconds;
  };
  [[nodiscard]] KernelChoice tuned(const LayerSite& site);
  [[nodiscard]] TunedChoice measure(const LayerSite& site);
  [[nodiscard]] bool is_quiet();
  // Whether another known choice may be measured again in this compilation.
  [[nodiscard]] bool has_time_again() const;
  [[nodiscard]] KernelChoice fastest(const LayerSite& site);
  [[nodiscard]] std::vector<Timed> time_all(const LayerSite& site, kernels::Pass pass);
  [[nodiscard]] std::pair<std::string, double> best_with(const std::vector<Timed>& timed, kernels::Role weights_role,
                                                         const kernels::Layout& layout);
  [[nodiscard]] double reorder_seconds(const kernels::Layout& from, const kernels::Layout& to);
  // What to do if an implementation does not exist here.
  enum class Absent : std::uint8_t { refuse, replace };
  [[nodiscard]] LayerKernels assemble(const LayerSite& site, const KernelChoice& choice, const kernels::Layout& weights,
                                      Absent absent);
  [[nodiscard]] kernels::PreparedPtr named(const LayerSite& site, kernels::Pass pass, const std::string& name,
                                           Absent absent) const;

  const kernels::Device& device_;
  TuningCache& cache_;
  std::string machine_;
  TunerMeasures measures_;
  Stopwatch stopwatch_;
  std::map<std::pair<std::string, std::string>, double> reorder_seconds_;  // by the layouts and their shape
  std::optional<bool> is_quiet_;                                           // no value until it was checked
  bool has_refreshed_ = false;                                             // an old choice was checked again
  double seconds_again_ = 0;                                               // spent on choices that were known
  bool is_settled_ = true;                                                 // all races of the layer that is measured
  int disturbed_layers_ = 0;
  double worst_share_ = 0;  // the largest share of the cores that others had while a layer was measured
};

}  // namespace convoy
