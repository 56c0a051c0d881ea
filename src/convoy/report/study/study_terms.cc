#include "convoy/report/study/study_terms.h"

#include <algorithm>

#include "convoy/report/study/kind_reports.h"

namespace convoy::report {

std::vector<Term> terms_of(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::throughput, Term::warm_up, Term::spread, Term::interval};
  const std::vector<Term> of_kind = kind_report(results.spec.kind).terms(results);
  terms.insert(terms.end(), of_kind.begin(), of_kind.end());
  if (results.spec.price > 0) terms.push_back(Term::cost);
  if (std::ranges::any_of(results.points, &study::PointResult::oversubscribed)) terms.push_back(Term::oversubscribed);
  if (results.disturbed_runs > 0) terms.push_back(Term::disturbed);
  return terms;
}

}  // namespace convoy::report
