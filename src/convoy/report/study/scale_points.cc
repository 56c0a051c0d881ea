#include "convoy/report/study/scale_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/number_text.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/words.h"

namespace convoy::report {

std::string hollow_text(bool any_oversubscribed, bool any_disturbed) {
  if (any_oversubscribed && any_disturbed) return "more threads than cores, or others used them: doubtful";
  return any_oversubscribed ? kOversubscribedMeans : any_disturbed ? kDisturbedMeans : "";
}

std::string hollow_text(const study::ScaleAnalysis& analysis) {
  return hollow_text(analysis.any_oversubscribed, analysis.any_disturbed);
}

namespace {

// What tells one base from another, "model lenet"; empty if there is nothing.
std::string settings_of_base(const study::ScaleAnalysis& analysis, const ListedPoint& base) {
  study::Point rest = base.point->point;
  rest.erase(analysis.size_key);
  return rest.empty() ? "" : study::point_text(rest);
}

}  // namespace

std::vector<ListedPoint> listed_points(const study::ScaleAnalysis& analysis) {
  std::vector<ListedPoint> listed;
  for (const study::ScaleSeries& series : analysis.series) {
    for (const study::ScalePoint& point : series.points) {
      const auto same = [&](const ListedPoint& other) { return other.point->point == point.point; };
      const auto found = std::ranges::find_if(listed, same);
      if (found == listed.end()) {
        listed.push_back({series.name, &series, &point});
      } else {
        found->begins_several = true;
      }
    }
  }
  for (ListedPoint& point : listed) {
    if (!point.begins_several) continue;
    const std::string rest = settings_of_base(analysis, point);
    point.series = rest.empty() ? "base" : "base, " + rest;
  }
  return listed;
}

std::size_t listed_index(const std::vector<ListedPoint>& listed, const study::ScalePoint& point) {
  const auto found = std::ranges::find_if(listed, [&](const auto& each) { return each.point->point == point.point; });
  return static_cast<std::size_t>(found - listed.begin());
}

std::string point_name(const study::ScaleAnalysis& analysis, const ListedPoint& listed) {
  if (listed.point->size == 0) return listed.series.empty() ? analysis.size_key + " unknown" : listed.series;
  const std::string before = listed.begins_several ? settings_of_base(analysis, listed) : listed.series;
  std::string name = before.empty() ? "" : before + ", ";
  name += count_text(listed.point->size, analysis.size_key);
  if (listed.point->oversubscribed) name += " (oversubscribed)";
  if (listed.point->is_disturbed()) name += " (disturbed)";
  return name;
}

RowMark mark_of(const study::PointStatistics& statistics, bool oversubscribed) {
  if (statistics.runs == 0) return RowMark::failed;
  return oversubscribed || statistics.rests_on_disturbed ? RowMark::doubtful : RowMark::none;
}

std::string remark_of(const study::PointStatistics& statistics, bool oversubscribed) {
  std::vector<std::string> remarks;
  if (oversubscribed) remarks.emplace_back("oversubscribed");
  if (statistics.rests_on_disturbed) {
    remarks.emplace_back("disturbed");
  } else if (statistics.disturbed > 0) {
    remarks.push_back(fmt::format("{} left out", count_text(statistics.disturbed, "disturbed runs")));
  }
  if (statistics.runs == 0 && statistics.failed > 0) {
    remarks.emplace_back("failed");
  } else if (statistics.failed > 0) {
    remarks.push_back(fmt::format("{} of {} runs failed", statistics.failed, statistics.failed + statistics.runs));
  }
  if (statistics.runs > 0 && !statistics.throughput) {
    remarks.emplace_back(statistics.imported ? "its log tells no throughput" : "no epoch after the skipped ones");
  }
  return fmt::format("{}", fmt::join(remarks, "; "));
}

std::string unknown_text(const study::Point& point) {
  std::vector<std::string> remarks;
  for (const auto& [key, value] : point) {
    if (value == study::kUnknownValue) remarks.push_back(key + " unknown");
  }
  return fmt::format("{}", fmt::join(remarks, "; "));
}

std::string efficiency_cell(const study::ScalePoint& point) {
  return percent_cell(point.efficiency) + (point.beyond_linear ? " ?" : "");
}

std::string efficiency_text(const study::ScalePoint& point) {
  std::string text = percent_text(*point.efficiency);
  if (point.beyond_linear) text += ", more than linear and so doubtful: was the base held up?";
  return text;
}

}  // namespace convoy::report
