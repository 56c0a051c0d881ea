#include "convoy/report/study/scale_sections.h"

#include <algorithm>

#include "convoy/report/section_list.h"
#include "convoy/report/study/all_reduce_section.h"
#include "convoy/report/study/cpu_use.h"
#include "convoy/report/study/scale_charts.h"
#include "convoy/report/study/scale_summary.h"
#include "convoy/report/study/scaling_laws.h"
#include "convoy/report/study/spread_section.h"
#include "convoy/report/study/time_shares.h"
#include "convoy/study/scale_analysis.h"

namespace convoy::report {
namespace {

std::string why_no_throughput(const study::ScaleAnalysis& analysis) {
  const bool any_size = std::ranges::any_of(
      analysis.series, [](const auto& series) { return !series.points.empty() && series.points.back().size > 0; });
  return any_size ? "throughput and its spread, since no run has an epoch after its warm-up"
                  : "throughput over " + analysis.size_key + ", since no log says how many there were";
}

}  // namespace

std::vector<Section> scale_sections(const study::StudyResults& results) {
  const study::ScaleAnalysis analysis = study::analyse_scaling(results);
  const bool imported = results.spec.kind == study::StudyKind::imported;
  SectionList sections;
  sections.add(scale_summary(analysis, results.spec.price));
  sections.add(throughput_section(analysis), why_no_throughput(analysis));
  sections.add(readings_section(analysis), "");
  sections.add(speed_up_section(analysis), "");
  sections.add(efficiency_section(analysis), "");
  sections.add(all_reduce_section(analysis), "");
  sections.add(time_section(analysis), "turnaround and step time, which imported logs do not tell");
  sections.add(cost_section(analysis), imported ? "cost, since the turnaround of imported runs is not known"
                                       : results.spec.price > 0
                                           ? "cost, since no run ended well"
                                           : "cost, since no `--price` of a worker-hour was given");
  sections.add(time_shares_section(analysis), imported ? "where the time goes, since imported logs do not tell"
                                                       : "where the time goes, since no run recorded its steps");
  sections.add(laws_section(analysis), "");
  sections.add(spread_section(analysis), "");
  sections.add(cpu_use_section(results, analysis), "CPU use over time, which no record tells");
  return sections.take();
}

}  // namespace convoy::report
