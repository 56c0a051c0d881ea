#include "convoy/report/study/sweep_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/study/run/study_results.h"

namespace convoy::report {
namespace {

using study::SweepAnalysis;
using study::SweepPoint;

constexpr std::size_t kMostMaps = 8;

const study::Axis* axis_of(const study::StudySpec& spec, const std::string& key) {
  const auto found = std::ranges::find(spec.axes, key, &study::Axis::key);
  return found == spec.axes.end() || found->values.size() < 2 ? nullptr : &*found;
}

struct AxisPair {
  const study::Axis* row;
  const study::Axis* column;
};

std::optional<AxisPair> choose_axes(const study::StudySpec& spec) {
  const study::Axis* const batch = axis_of(spec, "batch");
  const study::Axis* const rate = axis_of(spec, "lr");
  if (batch != nullptr && rate != nullptr) return AxisPair{batch, rate};
  std::vector<const study::Axis*> axes;
  for (const study::Axis& axis : spec.axes) {
    if (axis.values.size() > 1) axes.push_back(&axis);
  }
  if (axes.size() < 2) return std::nullopt;
  // Workers are the last choice for the side of a map: each number of workers is a question of its own and gets its own
  // map.
  std::ranges::stable_sort(axes, [](const study::Axis* a, const study::Axis* b) {
    if ((a->key == "workers") != (b->key == "workers")) return b->key == "workers";
    return a->values.size() > b->values.size();
  });
  return AxisPair{axes[0], axes[1]};
}

std::vector<std::string> sorted_values(const study::Axis& axis) {
  std::vector<std::string> values = axis.values;
  std::ranges::sort(values, study::value_before);
  return values;
}

HeatMap empty_map(const AxisPair& axes) {
  HeatMap map{.row_title = axes.row->key,
              .column_title = axes.column->key,
              .value_title = "mean loss over time",
              .rows = sorted_values(*axes.row),
              .columns = sorted_values(*axes.column),
              .values = {},
              .better = Better::lower};
  map.values.assign(map.rows.size(), std::vector<double>(map.columns.size(), std::numeric_limits<double>::quiet_NaN()));
  return map;
}

std::size_t place_of(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

std::map<std::string, HeatMap> maps_of(const study::StudySpec& spec, const SweepAnalysis& analysis,
                                       const AxisPair& axes) {
  std::vector<std::string> others = study::varied_keys(spec);
  std::erase(others, axes.row->key);
  std::erase(others, axes.column->key);
  std::map<std::string, HeatMap> maps;
  for (const SweepPoint& point : analysis.ranked) {
    if (!is_drawable(point, analysis)) continue;
    if (!point.point.contains(axes.row->key) || !point.point.contains(axes.column->key)) continue;
    std::string name = others.empty() ? "" : study::point_text(point.point, others);
    if (point.oversubscribed) name += " (oversubscribed)";
    HeatMap& map = maps.try_emplace(name, empty_map(axes)).first->second;
    const std::size_t row = place_of(map.rows, point.point.at(axes.row->key));
    const std::size_t column = place_of(map.columns, point.point.at(axes.column->key));
    map.values[row][column] = *point.loss_by_seconds;
  }
  return maps;
}

}  // namespace

std::optional<Section> sweep_maps_section(const study::StudySpec& spec, const SweepAnalysis& analysis) {
  const std::optional<AxisPair> axes = choose_axes(spec);
  if (!axes) return std::nullopt;
  std::map<std::string, HeatMap> maps = maps_of(spec, analysis, *axes);
  if (maps.empty()) return std::nullopt;
  Section section{
      .id = "maps", .title = fmt::format("Loss over {} and {}", axes->row->key, axes->column->key), .blocks = {}};
  std::size_t number = 0;
  for (auto& [name, map] : maps) {
    if (++number > kMostMaps) break;
    section.blocks.emplace_back(make_figure(
        fmt::format("map-{}", number), name.empty() ? "Mean loss over time" : "Mean loss over time: " + name,
        meaning(Term::loss_area) + " Empty cells were not tried, were given up, or have a loss that is not finite or "
                                   "more than a hundred times the best.",
        std::move(map)));
  }
  if (maps.size() > kMostMaps) {
    section.blocks.emplace_back(
        Paragraph{fmt::format("{} more combinations are in the table of the summary.", maps.size() - kMostMaps)});
  }
  return section;
}

}  // namespace convoy::report
