#include "convoy/report/study/sweep_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::SweepAnalysis;
using study::SweepPoint;

std::string value_cell(const study::Point& point, const std::string& key) {
  const auto found = point.find(key);
  return found == point.end() ? "-" : found->second;
}

RowMark sweep_mark(const SweepPoint& point, bool is_best) {
  if (!point.trouble.empty()) return RowMark::failed;
  if (point.oversubscribed || point.statistics.rests_on_disturbed) return RowMark::doubtful;
  return is_best ? RowMark::best : RowMark::none;
}

// Empty if there is an axis "lr", which already says it.
std::string effective_rate_cell(const SweepPoint& point) {
  std::string rate = rate_cell(point.statistics.learning_rate);
  return rate == value_cell(point.point, "lr") ? "-" : rate;
}

std::vector<std::string> measured_cells(const SweepPoint& point, bool has_price) {
  std::vector<std::string> cells = {effective_rate_cell(point), number_cell(point.loss_by_seconds),
                                    number_cell(point.loss_by_samples)};
  if (has_price) cells.push_back(number_cell(point.loss_by_cost));
  cells.insert(cells.end(), {number_cell(point.final_loss), percent_cell(point.final_accuracy),
                             mean_cell(point.statistics.throughput), sweep_remark(point)});
  return cells;
}

std::vector<std::string> measured_header(bool has_price) {
  std::vector<std::string> header = {"effective lr", "mean loss over time", "over samples"};
  if (has_price) header.emplace_back("over cost");
  header.insert(header.end(), {"final loss", "accuracy (%)", "samples/s", "remarks"});
  return header;
}

}  // namespace

std::string short_trouble(const SweepPoint& point) {
  return point.trouble.substr(0, std::min(point.trouble.find(", "), point.trouble.find("; ")));
}

std::string sweep_remark(const SweepPoint& point) {
  std::vector<std::string> remarks;
  if (point.given_up) remarks.push_back("given up after " + count_text(point.epochs, "epochs"));
  if (point.oversubscribed) remarks.emplace_back("oversubscribed");
  if (point.statistics.rests_on_disturbed) remarks.emplace_back("disturbed");
  if (!point.trouble.empty()) remarks.push_back(short_trouble(point));
  return fmt::format("{}", fmt::join(remarks, "; "));
}

bool is_drawable(const SweepPoint& point, const SweepAnalysis& analysis) {
  constexpr double kFarOff = 100;
  if (!point.loss_by_seconds) return false;
  return *point.loss_by_seconds <= kFarOff * *analysis.ranked.front().loss_by_seconds;
}

Table ranking_table(const study::StudySpec& spec, const SweepAnalysis& analysis) {
  const std::vector<std::string> keys = study::varied_keys(spec);
  Table table{.id = "ranking",
              .caption = "All points, by the mean loss over time: smaller is better",
              .header = {"rank"},
              .rows = {},
              .details = {"over samples", "over cost", "final loss"},
              .keys = 1 + keys.size()};
  table.header.insert(table.header.end(), keys.begin(), keys.end());
  for (std::string& title : measured_header(spec.price > 0)) table.header.push_back(std::move(title));
  const bool is_decided = analysis.lead.is_shown();
  std::size_t rank = 0;
  for (const SweepPoint& point : analysis.ranked) {
    std::vector<std::string> cells = {point.loss_by_seconds ? fmt::format("{}", ++rank) : "-"};
    for (const std::string& key : keys) cells.push_back(value_cell(point.point, key));
    for (std::string& cell : measured_cells(point, spec.price > 0)) cells.push_back(std::move(cell));
    table.add_row(std::move(cells), sweep_mark(point, is_decided && &point == &analysis.ranked.front()));
  }
  return table;
}

std::optional<Table> best_table(const study::StudySpec& spec, const SweepAnalysis& analysis) {
  std::set<std::int64_t> workers;
  for (const SweepPoint& point : analysis.ranked) workers.insert(point.workers);
  const std::vector<std::size_t>& best = analysis.best_for_workers;
  if (workers.size() < 2 || best.empty()) return std::nullopt;
  std::vector<std::string> keys = study::varied_keys(spec);
  std::erase(keys, "workers");
  Table table{.id = "best-by-workers",
              .caption = "The best settings for each number of workers, by the mean loss over time",
              .header = {"workers", "settings"},
              .rows = {},
              .details = {"over samples", "over cost", "final loss"},
              .keys = 2};
  for (std::string& title : measured_header(spec.price > 0)) table.header.push_back(std::move(title));
  for (const std::size_t index : best) {
    const SweepPoint& point = analysis.ranked[index];
    std::vector<std::string> cells = {fmt::format("{}", point.workers), study::point_text(point.point, keys)};
    for (std::string& cell : measured_cells(point, spec.price > 0)) cells.push_back(std::move(cell));
    table.add_row(std::move(cells), mark_of(point.statistics, point.oversubscribed));
  }
  return table;
}

}  // namespace convoy::report
