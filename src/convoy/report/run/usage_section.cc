#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "convoy/base/statistics.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/run/run_charts.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

constexpr double kMebibyte = 1024 * 1024;
constexpr double kMegabyte = 1e6;
// In megabytes per second. Below this a network counts as idle, and no figure is drawn.
constexpr double kLeastTraffic = 0.01;
// With more workers than this, one line shows their mean and a band their range.
constexpr std::size_t kMostWorkers = 8;
// With more samples than this, neighbouring ones are drawn as one point, their mean.
constexpr double kMostSamples = 240;

using UsageValue = std::function<std::optional<double>(const UsageRecord&)>;
using Samples = std::vector<const UsageRecord*>;
using SamplesByRank = std::map<std::int64_t, Samples>;

SamplesByRank by_rank(const std::vector<UsageRecord>& usage) {
  SamplesByRank ranks;
  for (const UsageRecord& record : usage) ranks[record.rank].push_back(&record);
  return ranks;
}

// How many seconds a point stands for: 1, or more in a long run, so that it has at most kMostSamples points.
double span_of_point(const std::vector<UsageRecord>& usage) {
  double last = 0;
  for (const UsageRecord& record : usage) last = std::max(last, record.seconds);
  return std::max(1.0, std::ceil(last / kMostSamples));
}

// The mean of each span of seconds, at its middle. Seconds are rounded, because samples may be a little late.
std::vector<Point> points_of(const Samples& samples, double span, const UsageValue& get) {
  std::map<std::int64_t, std::vector<double>> spans;
  for (const UsageRecord* const sample : samples) {
    const std::optional<double> value = get(*sample);
    if (value) spans[std::llround(sample->seconds / span)].push_back(*value);
  }
  std::vector<Point> points;
  for (const auto& [number, values] : spans) {
    points.push_back({.x = span * static_cast<double>(number), .y = mean(values), .low = {}, .high = {}});
  }
  return points;
}

// The mean over all workers, with the lowest and the highest value as a band around it.
Series band_of(const SamplesByRank& ranks, double span, const UsageValue& get) {
  std::map<double, std::vector<double>> all;
  for (const auto& [rank, samples] : ranks) {
    for (const Point& point : points_of(samples, span, get)) all[point.x].push_back(point.y);
  }
  Series line{.name = fmt::format("mean of {} workers, with the least and the most", ranks.size()), .points = {}};
  for (const auto& [x, values] : all) {
    line.points.push_back(
        {.x = x, .y = mean(values), .low = std::ranges::min(values), .high = std::ranges::max(values)});
  }
  return line;
}

std::vector<Series> worker_lines(const SamplesByRank& ranks, double span, const UsageValue& get) {
  if (ranks.size() > kMostWorkers) return {band_of(ranks, span, get)};
  std::vector<Series> lines;
  for (const auto& [rank, samples] : ranks) {
    lines.push_back({.name = fmt::format("worker {}", rank), .points = points_of(samples, span, get)});
  }
  return lines;
}

// The first worker of each machine has the machine's samples. Hosts are in the same order.
std::string machine_name(const RunRecord& run, std::size_t number) {
  if (run.info.hosts.size() < 2 || number >= run.info.hosts.size()) return "whole machine";
  return "machine " + run.info.hosts[number].name;
}

std::vector<Series> machine_lines(const RunRecord& run, const SamplesByRank& ranks, double span,
                                  const UsageValue& get) {
  std::vector<Series> lines;
  for (const auto& [rank, samples] : ranks) {
    std::vector<Point> points = points_of(samples, span, get);
    if (points.empty()) continue;
    lines.push_back({.name = machine_name(run, lines.size()), .points = std::move(points)});
  }
  return lines;
}

double highest(const std::vector<Series>& lines) {
  double most = 0;
  for (const Series& line : lines) {
    for (const Point& point : line.points) most = std::max(most, point.high.value_or(point.y));
  }
  return most;
}

// A line at the number of hardware threads, unless it is so high that the other lines would look flat.
void add_hardware_threads(const RunRecord& run, std::vector<Series>& lines) {
  constexpr double kFlattening = 5;
  std::int64_t threads = 0;
  double end = 0;
  for (const HostInfo& host : run.info.hosts) threads = std::max(threads, host.hardware_threads);
  for (const Series& line : lines) end = std::max(end, line.points.back().x);
  const auto all = static_cast<double>(threads);
  if (threads == 0 || all > kFlattening * highest(lines)) return;
  const auto at = [&](double x) { return Point{.x = x, .y = all, .low = {}, .high = {}}; };
  lines.push_back({.name = "hardware threads of the machine", .points = {at(0), at(end)}, .dashed = true});
}

LineChart chart_of_usage(std::string title, std::vector<Series> lines) {
  return {.x = {.title = "seconds since the start of the run", .from_zero = true, .categories = {}},
          .y = {.title = std::move(title), .from_zero = true, .categories = {}},
          .series = std::move(lines)};
}

std::string with_span(std::string definition, double span) {
  if (span > 1) definition += fmt::format(" Each point is a mean over {:g} s; `usage.csv` has every second.", span);
  return definition;
}

std::vector<Series> network_lines(const RunRecord& run, const SamplesByRank& ranks, double span) {
  std::vector<Series> lines;
  const auto rate = [](const std::optional<double>& bytes) {
    return bytes ? std::optional(*bytes / kMegabyte) : std::nullopt;
  };
  const auto received = machine_lines(
      run, ranks, span, [&](const UsageRecord& record) { return rate(record.received_bytes_per_second); });
  const auto sent =
      machine_lines(run, ranks, span, [&](const UsageRecord& record) { return rate(record.sent_bytes_per_second); });
  for (std::size_t i = 0; i < std::min(received.size(), sent.size()); ++i) {
    const std::string of = run.info.hosts.size() < 2 ? "" : received[i].name + ", ";
    lines.push_back({.name = of + "received", .points = received[i].points});
    lines.push_back({.name = of + "sent", .points = sent[i].points, .paired_with = lines.size() - 1});
  }
  return lines;
}

// The mean with this many digits after the point; "-" without values.
std::string mean_of(const Samples& samples, const UsageValue& get, double unit = 1, int digits = 2) {
  std::vector<double> values;
  for (const UsageRecord* const sample : samples) {
    if (const std::optional<double> value = get(*sample)) values.push_back(*value / unit);
  }
  return values.empty() ? "-" : fmt::format("{:.{}f}", mean(values), digits);
}

Table usage_table(const SamplesByRank& ranks) {
  Table table{.id = "usage",
              .caption = "Means over the run, of each worker and, in the row of its first worker, of a machine",
              .header = {"worker", "CPU use (cores)", "memory (MiB)", "most memory (MiB)", "machine's CPU use (cores)",
                         "received (MB/s)", "sent (MB/s)"},
              .rows = {}};
  for (const auto& [rank, samples] : ranks) {
    const auto memory = [](const UsageRecord& record) { return std::optional<double>(record.memory_bytes); };
    std::int64_t most = 0;
    for (const UsageRecord* const sample : samples) most = std::max(most, sample->memory_bytes);
    table.add_row({fmt::format("{}", rank),
                   mean_of(samples, [](const UsageRecord& record) { return std::optional(record.cpu_use); }),
                   mean_of(samples, memory, kMebibyte, 0), fmt::format("{:.0f}", static_cast<double>(most) / kMebibyte),
                   mean_of(samples, [](const UsageRecord& record) { return record.machine_cpu_use; }),
                   mean_of(
                       samples, [](const UsageRecord& record) { return record.received_bytes_per_second; }, kMegabyte),
                   mean_of(
                       samples, [](const UsageRecord& record) { return record.sent_bytes_per_second; }, kMegabyte)});
  }
  return table;
}

}  // namespace

std::optional<Section> usage_section(const NamedRun& run) {
  const SamplesByRank ranks = by_rank(run.record->usage);
  const double span = span_of_point(run.record->usage);
  const auto enough = [](const auto& entry) { return entry.second.size() >= 2; };
  if (!std::ranges::any_of(ranks, enough)) return std::nullopt;
  Section section{.id = "usage", .title = "Usage over time", .blocks = {}};
  std::vector<Series> cpu =
      worker_lines(ranks, span, [](const UsageRecord& record) { return std::optional(record.cpu_use); });
  for (Series& line :
       machine_lines(*run.record, ranks, span, [](const UsageRecord& record) { return record.machine_cpu_use; })) {
    cpu.push_back(std::move(line));
  }
  add_hardware_threads(*run.record, cpu);
  section.blocks.emplace_back(make_figure("usage-cpu", "CPU use over time", with_span(meaning(Term::usage), span),
                                          chart_of_usage("cores kept busy", std::move(cpu))));
  section.blocks.emplace_back(make_figure(
      "usage-memory", "Memory over time", with_span("What each worker holds (resident), read each second.", span),
      chart_of_usage("memory (MiB)", worker_lines(ranks, span, [](const UsageRecord& record) {
                       return std::optional(static_cast<double>(record.memory_bytes) / kMebibyte);
                     }))));
  std::vector<Series> network = network_lines(*run.record, ranks, span);
  if (highest(network) >= kLeastTraffic) {
    section.blocks.emplace_back(make_figure(
        "usage-network", "Network over time",
        with_span("Bytes over all network interfaces of a machine but the loopback, whoever sent them.", span),
        chart_of_usage("network (MB/s)", std::move(network))));
  }
  section.blocks.emplace_back(usage_table(ranks));
  return section;
}

}  // namespace convoy::report
