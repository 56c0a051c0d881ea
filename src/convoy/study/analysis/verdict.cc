#include "convoy/study/analysis/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "convoy/base/check.h"

namespace convoy::study {

namespace {

constexpr double kFine = 0.9;         // an efficiency that is good enough
constexpr double kMuch = 0.10;        // a share of the time that is always worth an effort
constexpr double kNoticeable = 0.05;  // a share of the time that is worth an effort if efficiency is lost

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

struct Waste {
  Bottleneck kind;
  double share;
};

// One worker does not wait for others: what was counted as such is bookkeeping.
Situation for_its_workers(Situation situation) {
  if (situation.workers > 1) return situation;
  TimeShares& shares = situation.shares;
  shares.other += std::exchange(shares.exposed_communication, 0.0) + std::exchange(shares.straggler_wait, 0.0);
  situation.hidden_share.reset();
  return situation;
}

// If several are equal the first one, so that the verdict does not depend on rounding.
Waste largest_waste(const TimeShares& shares) {
  const std::array wastes = {Waste{Bottleneck::communication, shares.exposed_communication},
                             Waste{Bottleneck::stragglers, shares.straggler_wait},
                             Waste{Bottleneck::input, shares.input_wait}, Waste{Bottleneck::other, shares.other}};
  return *std::ranges::max_element(wastes, {}, &Waste::share);
}

bool loses_efficiency(const Situation& situation) { return situation.efficiency.value_or(1) < kFine; }

std::int64_t idle_cores(const Situation& situation) {
  return std::max<std::int64_t>(situation.cores - situation.workers * situation.threads, 0);
}

Bottleneck find_bottleneck(const Situation& situation) {
  const bool too_many = situation.cores > 0 && situation.workers * situation.threads > situation.cores;
  if (situation.oversubscribed || too_many) return Bottleneck::oversubscription;
  const Waste waste = largest_waste(situation.shares);
  if (waste.share >= (loses_efficiency(situation) ? kNoticeable : kMuch)) return waste.kind;
  return loses_efficiency(situation) || idle_cores(situation) > 0 ? Bottleneck::compute : Bottleneck::none;
}

// "Of the time, 71 % computes, 20 % waits for communication and 9 % for slower workers."
std::string shares_sentence(const TimeShares& shares) {
  std::string text = fmt::format("Of the time, {} computes", percent(shares.compute));
  const auto add = [&](double share, const char* what) {
    if (share >= 0.005) text += fmt::format(", {} {}", percent(share), what);
  };
  add(shares.exposed_communication, "waits for communication");
  add(shares.straggler_wait, "waits for slower workers");
  add(shares.input_wait, "waits for input");
  add(shares.other, "is spent between these");
  return text + ".";
}

std::string why_of(const Situation& situation, Bottleneck bottleneck) {
  std::string text = shares_sentence(situation.shares);
  if (situation.efficiency) text += fmt::format(" Efficiency is {}.", percent(*situation.efficiency));
  if (bottleneck == Bottleneck::oversubscription) {
    text += " More threads than cores take turns, so none of these times is what a core of its own would need.";
  }
  if (bottleneck == Bottleneck::communication && situation.hidden_share) {
    text += fmt::format(" Computing hides {} of the communication.", percent(*situation.hidden_share));
  }
  if (bottleneck == Bottleneck::compute && loses_efficiency(situation)) {
    text += " The loss is in computing itself: the workers share memory and caches, or each has too little to do.";
  }
  return text;
}

std::string oversubscription_advice(const Situation& situation) {
  if (situation.cores == 0) return "Use fewer workers, or fewer threads for each, until every thread has a core.";
  if (situation.workers > situation.cores) {
    return fmt::format("Use at most {} workers with one thread each: there are {} cores.", situation.cores,
                       situation.cores);
  }
  return fmt::format("Give each of the {} workers at most {} threads: there are {} cores.", situation.workers,
                     situation.cores / situation.workers, situation.cores);
}

std::string communication_advice(const Situation& situation) {
  return fmt::format(
      "Use a larger batch per worker, so that there is more to compute for each exchange; then try another "
      "all-reduce{}.",
      situation.workers > 2 ? ", or fewer workers" : "");
}

std::string compute_advice(const Situation& situation) {
  const std::int64_t idle = idle_cores(situation);
  if (idle >= situation.workers) {
    return fmt::format("{} of {} cores are idle: give each worker {} threads, or use more workers, at most {}.", idle,
                       situation.cores, situation.cores / situation.workers, situation.cores / situation.threads);
  }
  if (idle >= situation.threads) {
    return fmt::format("{} of {} cores are idle: use up to {} workers.", idle, situation.cores,
                       situation.cores / situation.threads);
  }
  if (loses_efficiency(situation)) {
    return "Use a larger batch per worker, or fewer workers with more threads each; beyond that only more machines "
           "help.";
  }
  return "Nothing: the cores are busy computing. More machines would make it faster.";
}

std::string advice_of(const Situation& situation, Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::oversubscription:
      return oversubscription_advice(situation);
    case Bottleneck::communication:
      return communication_advice(situation);
    case Bottleneck::stragglers:
      return "Find the worker that comes late: a slower or busier host, fewer cores, or uneven shares of the batch.";
    case Bottleneck::input:
      return "Give the loader more threads, or pack the data set once so that nothing is decoded while training.";
    case Bottleneck::other:
      return "Record a trace and look between the steps: it is neither computing, communication nor input.";
    case Bottleneck::compute:
      return compute_advice(situation);
    case Bottleneck::none:
      return "Nothing: the time goes into computing.";
  }
  return "";
}

void add_free_network(const Situation& situation, Verdict& verdict) {
  if (!situation.efficiency || situation.workers < 2) return;
  const double efficiency = *situation.efficiency;
  const double rest = 1 - situation.shares.exposed_communication;
  const double most = std::max(1.0, efficiency);
  const bool capped = efficiency > most * rest;
  verdict.free_network_efficiency = capped ? most : efficiency / rest;
  verdict.free_network =
      capped ? fmt::format(
                   "With a network that takes no time, efficiency would be {}: waiting for communication explains "
                   "all that is lost.",
                   percent(most))
             : fmt::format("With a network that takes no time, efficiency would be {} instead of {}.",
                           percent(*verdict.free_network_efficiency), percent(efficiency));
}

}  // namespace

std::string_view to_text(Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::none:
      return "none";
    case Bottleneck::oversubscription:
      return "oversubscription";
    case Bottleneck::communication:
      return "communication";
    case Bottleneck::stragglers:
      return "stragglers";
    case Bottleneck::input:
      return "input";
    case Bottleneck::other:
      return "other";
    case Bottleneck::compute:
      return "compute";
  }
  return "";
}

Verdict judge(const Situation& seen) {
  CONVOY_CHECK(seen.workers >= 1);
  CONVOY_CHECK(seen.threads >= 1);
  const Situation situation = for_its_workers(seen);
  Verdict verdict;
  verdict.bottleneck = find_bottleneck(situation);
  verdict.why = why_of(situation, verdict.bottleneck);
  verdict.advice = advice_of(situation, verdict.bottleneck);
  add_free_network(situation, verdict);
  return verdict;
}

}  // namespace convoy::study
