// What one rank used in one second or so: a line of usage.jsonl and a row of usage.csv.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace convoy {

// Ranks send it byte by byte, so it must be trivially copyable.
struct UsageRecord {
  double seconds = 0;     // since the run's start, over all sittings, when the sample was taken
  std::int64_t step = 0;  // steps of the run done by then; a resumed run keeps the samples up to its checkpoint's step
  std::int64_t rank = 0;
  double cpu_use = 0;             // how many cores the rank kept busy since its previous sample
  std::int64_t memory_bytes = 0;  // that the rank had
  // Of the whole machine, since the previous sample. Only the first rank of each node has these, and only if the system
  // says them.
  std::optional<double> machine_cpu_use;            // by all programs
  std::optional<double> received_bytes_per_second;  // over all network interfaces but the loopback
  std::optional<double> sent_bytes_per_second;

  bool operator==(const UsageRecord&) const = default;
};

// Calls visit(name, member) for each field, in the order of the file.
template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, UsageRecord>
void visit_fields(Record& record, Visit&& visit) {
  visit("seconds", record.seconds);
  visit("step", record.step);
  visit("rank", record.rank);
  visit("cpu_use", record.cpu_use);
  visit("memory_bytes", record.memory_bytes);
  visit("machine_cpu_use", record.machine_cpu_use);
  visit("received_bytes_per_second", record.received_bytes_per_second);
  visit("sent_bytes_per_second", record.sent_bytes_per_second);
}

}  // namespace convoy
