#include "convoy/report/study/scale_sections.h"

#include <algorithm>

#include "convoy/report/section_list.h"
#include "convoy/report/study/all_reduce_section.h"
#include "convoy/report/study/cpu_use.h"
#include "convoy/report/study/scale_charts.h"
#include "convoy/report/study/scale_summary.h"
#include "convoy/report/study/scaling_laws.h"
#include "convoy/report/study/spread_section.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/study/time_shares.h"

namespace convoy::report {
namespace {

std::string why_no_throughput(const study::ScaleAnalysis& analysis) {
  const bool any_size = std::ranges::any_of(
      analysis.series, [](const auto& series) { return !series.points.empty() && series.points.back().size > 0; });
  return any_size ? "throughput and its spread, since no run has an epoch after its warm-up"
                  : "throughput over " + analysis.size_key + ", since no log says how many there were";
}

bool any_lines(const study::StudyResults& results) {
  return std::ranges::any_of(results.points, [](const study::PointResult& point) {
    return std::ranges::any_of(
        point.runs, [](const study::StudyRun& run) { return run.measures && !run.measures->line_throughputs.empty(); });
  });
}

void add_law_terms(std::vector<Term>& terms, const study::StudyResults& results) {
  terms.insert(terms.end(), {Term::amdahl, Term::universal, Term::cpu_use});
  if (any_lines(results)) terms.push_back(Term::line_throughput);
}

}  // namespace

std::vector<Section> scale_sections(const study::StudyAnalysis& study) {
  const auto& analysis = std::get<study::ScaleAnalysis>(study.of_kind);
  const study::StudyResults& results = study.results;
  const bool imported = study::kind_row(results.spec.kind).imported;
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

std::vector<Term> scale_terms(const study::StudyResults& results) {
  const std::vector<std::string> kinds = values_of(results, "scaling");
  const bool weak = std::ranges::find(kinds, "weak") != kinds.end();
  const bool strong = kinds.empty() || std::ranges::find(kinds, "strong") != kinds.end();
  std::vector<Term> terms = {Term::speed_up, Term::efficiency, Term::pay_off};
  if (strong) terms.push_back(Term::strong_scaling);
  if (weak) terms.insert(terms.end(), {Term::weak_scaling, Term::time_efficiency});
  terms.insert(terms.end(), {Term::turnaround, Term::step_time, Term::shares, Term::free_network});
  add_law_terms(terms, results);
  return terms;
}

std::vector<Term> imported_terms(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::speed_up, Term::efficiency, Term::pay_off};
  add_law_terms(terms, results);
  return terms;
}

}  // namespace convoy::report
