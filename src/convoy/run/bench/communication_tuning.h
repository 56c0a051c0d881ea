// Which way of communicating suits a network on these ranks: the candidates, and conclusions from their times. `convoy
// tune` measures them (tuning_bench.h); everything here is data and pure functions.
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
  std::size_t bucket_bytes = 0;  // 0: chosen for the network
  std::string dense_exchange = "auto";
  std::string compress = "none";
  std::int64_t local_steps = 1;

  // Whether it trains as one worker would, apart from rounding.
  [[nodiscard]] bool is_exact() const { return compress == "none" && local_steps == 1; }
  // As flags of `convoy train`; empty for the defaults.
  [[nodiscard]] std::string flags() const;
  [[nodiscard]] ReducerOptions reducer() const;

  bool operator==(const TuningCandidate&) const = default;
};

// What decides which candidates are worth trying.
struct TuningScope {
  int nodes = 1;
  bool has_dense = false;
  bool has_library_all_reduce = false;
};

// Exact candidates, each of which differs in one setting from the defaults, which come first.
[[nodiscard]] std::vector<TuningCandidate> exact_candidates(const TuningScope& scope);
// Candidates that are not exact, based on an exact one. Compression is tried only where there are several nodes.
[[nodiscard]] std::vector<TuningCandidate> lossy_candidates(const TuningScope& scope, const TuningCandidate& exact);

struct TuningResult {
  TuningCandidate candidate;
  std::vector<double> seconds;  // of a step, the mean of each round
  double wire_bytes = 0;        // of a step, sent by all ranks to other nodes
  double exposed_seconds = 0;   // of a step: communication that was not hidden behind computation

  [[nodiscard]] Summary summary() const { return summarize(seconds); }
};

// Combines the fastest value of each setting so far; no value if that combination was measured already.
[[nodiscard]] std::optional<TuningCandidate> combined(std::span<const TuningResult> exact);

// Whether a result is near enough to the fastest one to be measured again.
[[nodiscard]] bool is_contender(const TuningResult& result, std::span<const TuningResult> results);

// The fastest exact result if it is faster than the defaults, which come first, by more than their spreads; otherwise
// null.
[[nodiscard]] const TuningResult* exact_winner(std::span<const TuningResult> results);
// The fastest of all if it is faster than all exact ones by more than their spreads; otherwise null.
[[nodiscard]] const TuningResult* lossy_winner(std::span<const TuningResult> results);

}  // namespace convoy
