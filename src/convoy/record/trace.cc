#include "convoy/record/trace.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "convoy/base/file/atomic_file.h"

namespace convoy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kLaneNames = {"compute", "communication"};
constexpr double kMicroseconds = 1e6;

Json name_of(const char* kind, int rank, int lane, const std::string& name) {
  return {{"ph", "M"}, {"name", kind}, {"pid", rank}, {"tid", lane}, {"args", {{"name", name}}}};
}

Json stretch(int rank, const TimelineEvent& event) {
  const auto lane = static_cast<std::size_t>(event.lane);
  return {{"ph", "X"},
          {"name", event.name},
          {"cat", kLaneNames.at(lane)},
          {"pid", rank},
          {"tid", lane},
          {"ts", event.begin * kMicroseconds},
          {"dur", event.seconds * kMicroseconds}};
}

}  // namespace

std::string trace_events(int rank, const std::string& host, std::span<const TimelineEvent> events) {
  Json list = {name_of("process_name", rank, 0, fmt::format("rank {} on {}", rank, host))};
  for (int lane = 0; lane < static_cast<int>(kLaneNames.size()); ++lane) {
    list.push_back(name_of("thread_name", rank, lane, kLaneNames[static_cast<std::size_t>(lane)]));
  }
  for (const TimelineEvent& event : events) list.push_back(stretch(rank, event));
  return list.dump();
}

void write_trace(const std::filesystem::path& file, const std::vector<std::string>& ranks) {
  Json all = Json::array();
  for (const std::string& text : ranks) {
    for (Json& event : Json::parse(text)) all.push_back(std::move(event));
  }
  write_file_atomically(file, Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(all)}}.dump(1) + "\n");
}

}  // namespace convoy
