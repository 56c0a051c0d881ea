// Which way of communicating suits a network on the ranks at hand: the candidates, and what their times say.
// `convoy tune` measures them (tuning_bench.h); everything here is data and pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/sync/gradient_reducer.h"

namespace convoy {

// A way of communicating, as settings of `convoy train`.
struct TuningCandidate {
  std::string all_reduce = "auto";
  std::size_t bucket_bytes = 0;  // by the network
  std::string dense_exchange = "auto";
  std::string compress = "none";
  std::int64_t local_steps = 1;

  // Whether it trains as one worker would, but for rounding.
  [[nodiscard]] bool is_exact() const { return compress == "none" && local_steps == 1; }
  // For `convoy train`; empty for its defaults.
  [[nodiscard]] std::string flags() const;
  [[nodiscard]] ReducerOptions reducer() const;

  bool operator==(const TuningCandidate&) const = default;
};

// What the ranks and the network make worth trying.
struct TuningScope {
  int nodes = 1;
  bool has_dense = false;
  bool has_library_all_reduce = false;
};

// Exact ways that differ from the defaults, which are the first, in one setting.
[[nodiscard]] std::vector<TuningCandidate> exact_candidates(const TuningScope& scope);
// Those that are not exact, on top of an exact one. Between nodes only there is something to compress.
[[nodiscard]] std::vector<TuningCandidate> lossy_candidates(const TuningScope& scope, const TuningCandidate& exact);

struct TuningResult {
  TuningCandidate candidate;
  std::vector<double> seconds;  // of a step, the mean of each round
  double wire_bytes = 0;        // of a step, sent by all ranks to other nodes
  double exposed_seconds = 0;   // of a step, communication that nothing hid

  [[nodiscard]] Summary summary() const { return summarize(seconds); }
};

// Takes the fastest value of each setting, by their times so far; nothing where that was measured already.
[[nodiscard]] std::optional<TuningCandidate> combined(std::span<const TuningResult> exact);

// Whether a result is near enough to the fastest one to be measured again.
[[nodiscard]] bool is_contender(const TuningResult& result, std::span<const TuningResult> results);

// Of the exact results, the fastest if it is faster than the defaults, the first, beyond their spreads; else nothing.
[[nodiscard]] const TuningResult* exact_winner(std::span<const TuningResult> results);
// The fastest of all if it is faster than all exact ones beyond their spreads; else nothing.
[[nodiscard]] const TuningResult* lossy_winner(std::span<const TuningResult> results);

}  // namespace convoy
