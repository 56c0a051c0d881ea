#include "convoy/report/study/kind_reports.h"

#include <algorithm>
#include <array>

#include "convoy/base/check.h"
#include "convoy/report/study/kind_sections.h"
#include "convoy/study/analysis/imported_study.h"

namespace convoy::report {
namespace {

using study::StudyKind;

constexpr std::array kKindReports = {
    KindReport{.kind = StudyKind::scale, .sections = scale_sections, .terms = scale_terms},
    KindReport{.kind = StudyKind::batch, .sections = batch_sections, .terms = batch_terms},
    KindReport{.kind = StudyKind::sweep, .sections = sweep_sections, .terms = sweep_terms},
    KindReport{.kind = StudyKind::converge, .sections = converge_sections, .terms = converge_terms},
    KindReport{.kind = StudyKind::imported, .sections = scale_sections, .terms = imported_terms},
};

}  // namespace

const KindReport& kind_report(StudyKind kind) {
  const auto* const found = std::ranges::find(kKindReports, kind, &KindReport::kind);
  CONVOY_CHECK(found != kKindReports.end());
  return *found;
}

std::vector<Term> terms_of(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::throughput, Term::skipped_epochs, Term::spread, Term::interval};
  if (!study::kind_row(results.spec.kind).imported) terms.push_back(Term::learning_rate);
  const std::vector<Term> of_kind = kind_report(study::question_of(results)).terms(results);
  terms.insert(terms.end(), of_kind.begin(), of_kind.end());
  if (results.spec.price > 0) terms.push_back(Term::cost);
  if (std::ranges::any_of(results.points, &study::PointResult::oversubscribed)) terms.push_back(Term::oversubscribed);
  if (results.disturbed_runs > 0) terms.push_back(Term::disturbed);
  return terms;
}

}  // namespace convoy::report
