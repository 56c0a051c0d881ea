#include "convoy/run/bench/communication_tuning.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/run/settings/amounts.h"

namespace convoy {
namespace {

constexpr double kNear = 1.1;  // times the fastest

double time_of(const TuningResult& result) { return median(result.seconds); }

const TuningResult& fastest(std::span<const TuningResult> results, bool exact_only) {
  const TuningResult* best = nullptr;
  for (const TuningResult& result : results) {
    if (exact_only && !result.candidate.is_exact()) continue;
    if (best == nullptr || time_of(result) < time_of(*best)) best = &result;
  }
  CONVOY_CHECK(best != nullptr);
  return *best;
}

// A single round has no spread and thus proves nothing.
bool is_faster_for_sure(const TuningResult& one, const TuningResult& other) {
  const Summary a = one.summary();
  const Summary b = other.summary();
  return a.has_interval() && b.has_interval() && a.high_95 < b.low_95;
}

}  // namespace

std::string TuningCandidate::flags() const {
  const TuningCandidate usual;
  std::string text;
  const auto add = [&](const char* flag, const std::string& value) {
    text += fmt::format("{}--{} {}", text.empty() ? "" : " ", flag, value);
  };
  if (all_reduce != usual.all_reduce) add("allreduce", all_reduce);
  if (bucket_bytes != usual.bucket_bytes) add("bucket", byte_size_text(bucket_bytes));
  if (dense_exchange != usual.dense_exchange && local_steps == 1) add("dense-exchange", dense_exchange);
  if (compress != usual.compress) add("compress", compress);
  if (local_steps != usual.local_steps) add("local-steps", fmt::format("{}", local_steps));
  return text;
}

ReducerOptions TuningCandidate::reducer() const {
  return {.algorithm = algorithm_named(all_reduce),
          .bucket_bytes = bucket_bytes,
          .compression = {.codec = codec_named(compress)},
          .local = {.steps = local_steps}};
}

std::vector<TuningCandidate> exact_candidates(const TuningScope& scope) {
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  std::vector<TuningCandidate> all = {{}};
  for (const char* const name : {"hierarchical", "ring", "rabenseifner", "recursive-doubling"}) {
    all.push_back({.all_reduce = name});
  }
  if (scope.has_library_all_reduce) all.push_back({.all_reduce = "mpi"});
  for (const std::size_t bytes : {kMiB, 4 * kMiB, 16 * kMiB}) all.push_back({.bucket_bytes = bytes});
  if (scope.has_dense && scope.nodes > 1) {
    all.push_back({.dense_exchange = "gradients"});
    all.push_back({.dense_exchange = "factors"});
    all.push_back({.dense_exchange = "activations"});
  }
  return all;
}

std::vector<TuningCandidate> lossy_candidates(const TuningScope& scope, const TuningCandidate& exact) {
  std::vector<TuningCandidate> all;
  for (const std::string& codec : codec_names()) {
    if (scope.nodes == 1 || codec == "none") continue;
    all.push_back(exact);
    all.back().compress = codec;
  }
  for (const std::int64_t steps : {4, 16}) {
    all.push_back(exact);
    all.back().local_steps = steps;
    all.back().dense_exchange = TuningCandidate().dense_exchange;
  }
  return all;
}

std::optional<TuningCandidate> combined(std::span<const TuningResult> exact) {
  const TuningCandidate usual;
  const TuningResult& defaults = exact.front();
  TuningCandidate best;
  const auto take_fastest = [&](auto member) {
    double least = time_of(defaults);
    for (const TuningResult& result : exact) {
      if (result.candidate.*member == usual.*member || time_of(result) >= least) continue;
      least = time_of(result);
      best.*member = result.candidate.*member;
    }
  };
  take_fastest(&TuningCandidate::all_reduce);
  take_fastest(&TuningCandidate::bucket_bytes);
  take_fastest(&TuningCandidate::dense_exchange);
  const bool is_known = std::ranges::any_of(exact, [&](const auto& result) { return result.candidate == best; });
  return is_known ? std::nullopt : std::optional(best);
}

bool is_contender(const TuningResult& result, std::span<const TuningResult> results) {
  const bool is_default = result.candidate == results.front().candidate;
  const TuningResult& best = fastest(results, result.candidate.is_exact());
  return is_default || time_of(result) <= kNear * time_of(best);
}

const TuningResult* exact_winner(std::span<const TuningResult> results) {
  const TuningResult& best = fastest(results, true);
  return is_faster_for_sure(best, results.front()) ? &best : nullptr;
}

const TuningResult* lossy_winner(std::span<const TuningResult> results) {
  const TuningResult& best = fastest(results, false);
  if (best.candidate.is_exact()) return nullptr;
  return is_faster_for_sure(best, fastest(results, true)) ? &best : nullptr;
}

}  // namespace convoy
