#include "convoy/comm/all_reduce_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 2;  // version of the file's format and of the way of measuring
// How many times as long the usual algorithm may take and still be chosen: smaller differences are chance.
constexpr double kChance = 1.05;
// The best algorithm at the largest measured size is also used for messages up to this many times that size.
constexpr std::size_t kReach = 8;
// If sizes up to this one were measured, it is used for all larger messages: at such sizes time goes into moving bytes
// and hardly into waiting.
constexpr std::size_t kMovesBytes = std::size_t{4} << 20U;

// FNV-1a: small, and the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211U;
  }
  return hash;
}

Json json_of(const std::vector<AllReduceRow>& rows) {
  Json json = Json::array();
  for (const AllReduceRow& row : rows) {
    Json times = Json::object();
    for (const AllReduceTime& time : row.times) {
      times[name_of(time.algorithm)] = time.seconds;
    }
    json.push_back({{"bytes", row.bytes}, {"seconds", std::move(times)}});
  }
  return json;
}

std::vector<AllReduceRow> rows_of(const Json& json) {
  std::vector<AllReduceRow> rows;
  for (const Json& entry : json) {
    AllReduceRow row{.bytes = entry.at("bytes").get<std::size_t>(), .times = {}};
    for (const auto& [name, seconds] : entry.at("seconds").items()) {
      row.times.push_back({.algorithm = algorithm_named(name), .seconds = seconds.get<double>()});
    }
    const bool larger = rows.empty() || rows.back().bytes < row.bytes;
    if (row.bytes == 0 || row.times.empty() || !larger) throw DataError("its sizes are not in order or not measured");
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw DataError("it has no sizes");
  return rows;
}

// How many times as large the larger one is, so that 3 KiB is as near to 2 KiB as 3 MiB to 2 MiB.
double distance(std::size_t a, std::size_t b) {
  return static_cast<double>(std::max(a, b)) / static_cast<double>(std::min(a, b));
}

}  // namespace

std::string topology_of(const NodeMap& nodes) {
  std::string places;
  for (int rank = 0; rank < nodes.rank_count(); ++rank) {
    places += fmt::format("{} {}\n", nodes.node_of(rank), nodes.host_of(rank));
  }
  return fmt::format("ranks {}, nodes {}, hosts {:016x}", nodes.rank_count(), nodes.node_count(), hash_of(places));
}

Algorithm AllReduceRow::choose(Algorithm usual) const {
  CONVOY_CHECK(!times.empty());
  const auto fastest = std::ranges::min_element(times, {}, &AllReduceTime::seconds);
  const auto known = std::ranges::find(times, usual, &AllReduceTime::algorithm);
  return known != times.end() && known->seconds <= kChance * fastest->seconds ? usual : fastest->algorithm;
}

Algorithm AllReduceTable::choose(std::size_t bytes, bool in_shared_memory, Algorithm usual) const {
  const std::vector<AllReduceRow>& rows = in_shared_memory ? shared : elsewhere;
  if (rows.empty()) return usual;
  const std::size_t largest = rows.back().bytes;
  if (largest < kMovesBytes && bytes / kReach > largest) return usual;
  const std::size_t size = std::max<std::size_t>(1, bytes);
  return std::ranges::min_element(rows, {}, [&](const AllReduceRow& row) { return distance(row.bytes, size); })
      ->choose(usual);
}

std::string AllReduceTable::to_json() const {
  return Json{
      {"format", kFormat}, {"topology", topology}, {"shared", json_of(shared)}, {"elsewhere", json_of(elsewhere)}}
      .dump();
}

AllReduceTable AllReduceTable::from_json(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format").get<int>() != kFormat) throw DataError("it was written by another version of Convoy");
    return {.topology = json.at("topology").get<std::string>(),
            .shared = rows_of(json.at("shared")),
            .elsewhere = rows_of(json.at("elsewhere"))};
  } catch (const std::exception& error) {
    throw DataError("this is not a table of all-reduce times: {}; delete it and it will be measured again",
                    error.what());
  }
}

double wire_rate(const std::optional<AllReduceTable>& table, int nodes) {
  constexpr double kUnknown = 1.25e9;
  if (!table || table->shared.empty() || table->shared.back().times.empty()) return kUnknown;
  const AllReduceRow& longest = table->shared.back();
  const double seconds = std::ranges::min(longest.times, {}, &AllReduceTime::seconds).seconds;
  return 2.0 * static_cast<double>(longest.bytes) * (nodes - 1) / nodes / seconds;
}

}  // namespace convoy
