#include "convoy/report/study/time_shares.h"

#include <fmt/format.h>

#include "convoy/report/cell_text.h"
#include "convoy/report/figure_data.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;

StackedBarChart chart_of(const ScaleAnalysis& analysis) {
  StackedBarChart chart{
      .stack_title = "point", .share_title = "share of step time (%)", .parts = share_names(), .stacks = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    if (!listed.point->statistics.shares) continue;
    chart.stacks.push_back({point_name(analysis, listed), share_amounts(*listed.point->statistics.shares)});
  }
  return chart;
}

Table why_table(const ScaleAnalysis& analysis) {
  Table table{.id = "why",
              .caption = "Why each point is as fast as it is, and the first thing to change",
              .header = {"point", "limited by", "why", "efficiency with a free network (%)", "first thing to change"},
              .rows = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    const ScalePoint& point = *listed.point;
    if (!point.verdict) continue;
    table.add_row({point_name(analysis, listed), std::string(to_text(point.verdict->bottleneck)), point.verdict->why,
                   percent_cell(point.verdict->free_network_efficiency), point.verdict->advice},
                  mark_of(point.statistics, point.oversubscribed));
  }
  return table;
}

}  // namespace

std::vector<std::string> share_names() {
  return {"compute", "exposed communication", "straggler wait", "input wait", "other"};
}

std::vector<double> share_amounts(const study::TimeShares& shares) {
  return {shares.compute * kPercent, shares.exposed_communication * kPercent, shares.straggler_wait * kPercent,
          shares.input_wait * kPercent, shares.other * kPercent};
}

std::optional<Section> time_shares_section(const ScaleAnalysis& analysis) {
  StackedBarChart chart = chart_of(analysis);
  if (chart.stacks.empty()) return std::nullopt;
  Section section{.id = "shares", .title = "Where the time goes", .blocks = {}};
  section.blocks.emplace_back(
      make_figure("shares", "Where the time of a step goes", meaning(Term::shares), std::move(chart)));
  if (Table why = why_table(analysis); !why.rows.empty()) {
    section.blocks.emplace_back(std::move(why));
    section.blocks.emplace_back(Paragraph{meaning(Term::free_network)});
  }
  return section;
}

}  // namespace convoy::report
