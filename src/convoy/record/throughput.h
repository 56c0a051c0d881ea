// How fast a run trained: the samples per second of its epochs, with their spread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "convoy/record/epoch_record.h"

namespace convoy {

// Samples per second; NaN when no epoch counts.
struct Throughput {
  std::int64_t epochs = 0;          // how many epochs count
  std::int64_t skipped_epochs = 0;  // how many at the beginning were left out
  double median = 0;
  double mean = 0;
  double cv = 0;

  bool operator==(const Throughput&) const = default;
};

// Uses all epochs except the first `skipped_epochs` and those without a finite throughput.
[[nodiscard]] Throughput throughput_of(std::span<const EpochRecord> epochs, std::int64_t skipped_epochs = 0);

[[nodiscard]] nlohmann::ordered_json to_json(const Throughput& throughput);
[[nodiscard]] Throughput throughput_from(const nlohmann::ordered_json& json);

}  // namespace convoy
