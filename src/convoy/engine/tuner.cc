#include "convoy/engine/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/kernels/reorder.h"

namespace convoy {
namespace {

using kernels::Layout;
using kernels::Pass;
using kernels::PreparedPtr;
using kernels::Role;

// The operator, adapted to the layouts of the activations at the site.
PreparedPtr fit(const kernels::Device& device, const LayerSite& site, const PreparedPtr& prepared) {
  return kernels::adapt(device, prepared,
                        {{Role::source, site.source},
                         {Role::destination, site.destination},
                         {Role::diff_source, site.source},
                         {Role::diff_destination, site.destination}});
}

// Gradients of weights are floats, whatever type the weights are read as.
Layout gradient_layout(const Layout& weights) { return weights.with(DataType::fp32); }

[[noreturn]] void refuse(const LayerSite& site, Pass pass, const std::string& name) {
  if (name.empty()) {
    throw UserError(
        "the kernel choices name no implementation of layer \"{}\" for {}: they were made for a network that "
        "does without it; compile without them to measure anew",
        site.layer, kernels::name_of(pass));
  }
  throw UserError(
      "layer \"{}\": this machine has no implementation \"{}\" for {}, which the kernel choices name; "
      "compile without them to measure anew",
      site.layer, name, kernels::name_of(pass));
}

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::int64_t age_of(const TunedChoice& choice) { return seconds_since_1970() - choice.measured_at; }

// Whether a provisional choice may be measured again. Not too soon: a machine that was busy a moment ago probably still
// is, and compilations of one session should agree.
bool is_hasty(const TunedChoice& choice) {
  constexpr std::int64_t kPatienceSeconds = 600;
  return choice.provisional && age_of(choice) > kPatienceSeconds;
}

// Whether the system, its libraries or the machine's host may have changed since.
bool is_old(const TunedChoice& choice) {
  constexpr std::int64_t kMonthSeconds = std::int64_t{30} * 24 * 3600;
  return !choice.provisional && age_of(choice) > kMonthSeconds;
}

// What to keep of an older and a newer measurement of the same layer.
TunedChoice better_of(const TunedChoice& known, const TunedChoice& measured) {
  if (!measured.provisional) return measured;
  if (!known.provisional) return known;
  // Disturbed twice, and the same both times: that is no chance. If not, the newer one is worth more, because nobody
  // measures again before the machine is quiet.
  const bool confirmed = known.kernels == measured.kernels;
  return {.kernels = measured.kernels, .measured_at = measured.measured_at, .provisional = !confirmed};
}

}  // namespace

Tuner::Tuner(const kernels::Device& device, TuningCache& cache, std::string machine, TunerMeasures measures)
    : device_(device), cache_(cache), machine_(std::move(machine)), measures_(std::move(measures)) {}

LayerKernels Tuner::choose(const LayerSite& site, const std::optional<KernelChoice>& given, const Layout& weights) {
  if (given) return assemble(site, *given, weights, weights.empty() ? Absent::refuse : Absent::replace);
  return assemble(site, tuned(site), weights, Absent::replace);
}

// Returns a choice from the cache, or measures. A provisional choice is measured again some time later, if the machine
// is quiet then, and fair ones once a month, one in each compilation. Neither takes long enough to be noticed.
KernelChoice Tuner::tuned(const LayerSite& site) {
  const std::string key =
      fmt::format("{} | {} | source {} {}{}", machine_, site.problem, site.source.describe(),
                  site.weight_gradient ? "training" : "inference", site.data_gradient ? "" : ", no data gradient");
  const std::optional<TunedChoice> known = cache_.find(key);
  const bool refreshes = known && is_old(*known) && !has_refreshed_;
  if (known && !refreshes && !(is_hasty(*known) && has_time_again() && is_quiet())) return known->kernels;
  has_refreshed_ |= refreshes;
  const auto begin = Clock::now();
  const TunedChoice measured = measure(site);
  if (!known) {
    cache_.put(key, measured);
    return measured.kernels;
  }
  seconds_again_ += seconds_since(begin);
  const TunedChoice kept = better_of(*known, measured);
  cache_.put(key, kept);
  return kept.kernels;
}

bool Tuner::has_time_again() const {
  constexpr double kHardlyNoticed = 2;
  return seconds_again_ < kHardlyNoticed;
}

// Whether others leave the cores alone now. It is checked once per compilation, when it first matters.
bool Tuner::is_quiet() {
  constexpr std::chrono::milliseconds kLook{150};
  if (!is_quiet_) {
    const QuietWatch watch(measures_.others);
    std::this_thread::sleep_for(kLook);
    is_quiet_ = watch.others_share() < kDisturbedShare;
  }
  return *is_quiet_;
}

TunedChoice Tuner::measure(const LayerSite& site) {
  const QuietWatch watch(measures_.others);
  is_settled_ = true;
  const KernelChoice kernels = fastest(site.trial ? *site.trial : site);
  const double share = watch.others_share();
  const bool disturbed = share >= kDisturbedShare || !is_settled_;
  disturbed_layers_ += disturbed ? 1 : 0;
  worst_share_ = std::max(worst_share_, share);
  return {.kernels = kernels, .measured_at = seconds_since_1970(), .provisional = disturbed};
}

void Tuner::note_disturbance() {
  if (disturbed_layers_ == 0) return;
  const std::string sign = worst_share_ >= kDisturbedShare
                               ? fmt::format("others used up to {:.0f} % of the cores", 100 * worst_share_)
                               : "the time that the same kernel took varied";
  cache_.add_note(fmt::format(
      "kernels of {} layer{} were chosen while {}; they are measured again by later runs that find the machine quiet",
      disturbed_layers_, disturbed_layers_ == 1 ? "" : "s", sign));
}

std::vector<Tuner::Timed> Tuner::time_all(const LayerSite& site, Pass pass) {
  std::vector<PreparedPtr> fitted;
  for (const PreparedPtr& candidate : site.candidates(pass)) fitted.push_back(fit(device_, site, candidate));
  if (fitted.size() == 1) return {{fitted.front(), 0}};  // takes as long in every combination
  const RaceTimes times = measures_.race(stopwatch_, fitted);
  is_settled_ = is_settled_ && times.settled;
  std::vector<Timed> timed;
  for (std::size_t i = 0; i < fitted.size(); ++i) timed.push_back({fitted[i], times.seconds[i]});
  return timed;
}

// Weights that are larger than a core's cache are no longer in it when a pass reorders them; in a race they would be,
// and the reorder would seem cheap.
double Tuner::reorder_seconds(const Layout& from, const Layout& to) {
  constexpr std::size_t kStaysInCache = std::size_t{1} << 20;
  if (from == to) return 0;
  // The same two layouts occur in many combinations of a layer's candidates.
  const auto layouts = std::pair(fmt::format("{} {}", from.describe(), fmt::join(from.dims(), "x")), to.describe());
  const auto known = reorder_seconds_.find(layouts);
  if (known != reorder_seconds_.end()) return known->second;
  const PreparedPtr reorder = kernels::prepare_reorder(device_, from, to);
  const double seconds =
      from.bytes() > kStaysInCache ? stopwatch_.cold_seconds(reorder) : measures_.race(stopwatch_, {reorder}).best();
  return reorder_seconds_[layouts] = seconds;
}

std::pair<std::string, double> Tuner::best_with(const std::vector<Timed>& timed, Role weights_role,
                                                const Layout& layout) {
  std::pair<std::string, double> best{"", std::numeric_limits<double>::infinity()};
  for (const Timed& candidate : timed) {
    if (candidate.seconds >= best.second) continue;
    const Layout own = candidate.prepared->layout(weights_role);
    const bool output = weights_role == Role::diff_weights;
    const double seconds = candidate.seconds + reorder_seconds(output ? own : layout, output ? layout : own);
    if (seconds < best.second) best = {candidate.prepared->implementation(), seconds};
  }
  return best;
}

KernelChoice Tuner::fastest(const LayerSite& site) {
  const auto forward = time_all(site, Pass::forward);
  const auto data = site.data_gradient ? time_all(site, Pass::backward_data) : std::vector<Timed>{};
  const auto weights = site.weight_gradient ? time_all(site, Pass::backward_weights) : std::vector<Timed>{};
  KernelChoice best;
  double best_seconds = std::numeric_limits<double>::infinity();
  for (const Timed& candidate : forward) {
    if (candidate.seconds >= best_seconds) continue;
    const Layout layout = candidate.prepared->layout(Role::weights);
    KernelChoice choice{.forward = candidate.prepared->implementation()};
    double seconds = candidate.seconds;
    if (!data.empty()) {
      const auto [name, time] = best_with(data, Role::weights, layout);
      choice.backward_data = name;
      seconds += time;
    }
    if (!weights.empty()) {
      const auto [name, time] = best_with(weights, Role::diff_weights, gradient_layout(layout));
      choice.backward_weights = name;
      seconds += time;
    }
    if (seconds < best_seconds) {
      best_seconds = seconds;
      best = choice;
    }
  }
  return best;
}

// The implementation with that name, adapted to the activations at the site.
PreparedPtr Tuner::named(const LayerSite& site, Pass pass, const std::string& name, Absent absent) const {
  const auto candidates = site.candidates(pass);
  const auto at = std::find_if(candidates.begin(), candidates.end(),
                               [&](const PreparedPtr& candidate) { return candidate->implementation() == name; });
  if (at != candidates.end()) return fit(device_, site, *at);
  if (absent == Absent::refuse && name != kFirstImplementation) refuse(site, pass, name);
  return fit(device_, site, candidates.front());
}

LayerKernels Tuner::assemble(const LayerSite& site, const KernelChoice& choice, const Layout& weights, Absent absent) {
  LayerKernels layer;
  const PreparedPtr forward = named(site, Pass::forward, choice.forward, absent);
  layer.weights = weights.empty() ? forward->layout(Role::weights) : weights;
  layer.forward = kernels::adapt(device_, forward, {{Role::weights, layer.weights}});
  layer.choice.forward = forward->implementation();
  if (site.data_gradient) {
    const PreparedPtr data = named(site, Pass::backward_data, choice.backward_data, absent);
    layer.backward_data = kernels::adapt(device_, data, {{Role::weights, layer.weights}});
    layer.choice.backward_data = data->implementation();
  }
  if (site.weight_gradient) {
    const PreparedPtr gradient = named(site, Pass::backward_weights, choice.backward_weights, absent);
    layer.backward_weights = kernels::adapt(device_, gradient, {{Role::diff_weights, gradient_layout(layer.weights)}});
    layer.choice.backward_weights = gradient->implementation();
  }
  return layer;
}

}  // namespace convoy
