// Says in words why a run is as fast as it is, and what to change first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "convoy/study/measure/run_measures.h"

namespace convoy::study {

// What is known about a run that is judged.
struct Situation {
  TimeShares shares;
  std::int64_t workers = 1;
  std::int64_t threads = 1;            // of each worker
  std::int64_t cores = 0;              // of all hosts together; 0 when not known
  bool oversubscribed = false;         // more threads than cores
  std::optional<double> efficiency;    // compared with the base; absent for the base itself
  std::optional<double> hidden_share;  // share of communication that was hidden behind computing
};

enum class Bottleneck : std::uint8_t { none, oversubscription, communication, stragglers, input, other, compute };

[[nodiscard]] std::string_view to_text(Bottleneck bottleneck);

struct Verdict {
  Bottleneck bottleneck = Bottleneck::none;
  std::string why;     // one or two sentences with shares of the time
  std::string advice;  // the first thing to change, or that there is none
  // The efficiency with a network that takes no time: efficiency / (1 - exposed communication), at most 1 unless the
  // efficiency itself is higher. Absent without an efficiency or with one worker.
  std::optional<double> free_network_efficiency;
  std::string free_network;  // the same as a sentence; empty when absent
};

// Too many threads come first, because they distort every other number. Then the largest of the four kinds of waiting,
// if it takes a tenth of the time, or a twentieth if efficiency is below 90 %. Then computing, if efficiency is below
// 90 % or cores are idle. Otherwise there is nothing to change. Never advises more workers than cores.
[[nodiscard]] Verdict judge(const Situation& situation);

}  // namespace convoy::study
