#include "convoy/report/study/study_terms.h"

#include <algorithm>
#include <initializer_list>

#include "convoy/report/study/study_subject.h"

namespace convoy::report {
namespace {

using study::StudyKind;

void add(std::vector<Term>& terms, std::initializer_list<Term> more) {
  for (const Term term : more) terms.push_back(term);
}

bool has_lines(const study::StudyResults& results) {
  return std::ranges::any_of(results.points, [](const study::PointResult& point) {
    return std::ranges::any_of(
        point.runs, [](const study::StudyRun& run) { return run.measures && !run.measures->line_throughputs.empty(); });
  });
}

void add_scale_terms(std::vector<Term>& terms, const study::StudyResults& results) {
  const std::vector<std::string> kinds = values_of(results, "scaling");
  const bool weak = std::ranges::find(kinds, "weak") != kinds.end();
  const bool strong = kinds.empty() || std::ranges::find(kinds, "strong") != kinds.end();
  const bool imported = results.spec.kind == StudyKind::imported;
  add(terms, {Term::speed_up, Term::efficiency, Term::pay_off});
  if (!imported && strong) terms.push_back(Term::strong_scaling);
  if (!imported && weak) add(terms, {Term::weak_scaling, Term::time_efficiency});
  if (!imported) add(terms, {Term::turnaround, Term::step_time, Term::shares, Term::free_network});
  add(terms, {Term::amdahl, Term::universal, Term::cpu_use});
  if (has_lines(results)) terms.push_back(Term::line_throughput);
}

void add_learning_terms(std::vector<Term>& terms, const study::StudyResults& results) {
  if (results.spec.kind == StudyKind::sweep) {
    terms.push_back(Term::loss_area);
    if (results.spec.halving) terms.push_back(Term::given_up);
    terms.push_back(Term::final_accuracy);
    return;
  }
  add(terms, {Term::final_accuracy, Term::stable_accuracy});
  if (results.spec.target_accuracy > 0) terms.push_back(Term::time_to_target);
  if (values_of(results, "workers").size() > 1) terms.push_back(Term::trend);
}

}  // namespace

std::vector<Term> terms_of(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::throughput, Term::warm_up, Term::spread, Term::interval};
  switch (results.spec.kind) {
    case StudyKind::scale:
    case StudyKind::imported:
      add_scale_terms(terms, results);
      break;
    case StudyKind::batch:
      add(terms, {Term::batch_advice, Term::step_time, Term::peak_memory});
      break;
    case StudyKind::sweep:
    case StudyKind::converge:
      add_learning_terms(terms, results);
      break;
  }
  if (results.spec.price > 0) terms.push_back(Term::cost);
  if (std::ranges::any_of(results.points, &study::PointResult::oversubscribed)) terms.push_back(Term::oversubscribed);
  if (results.disturbed_runs > 0) terms.push_back(Term::disturbed);
  return terms;
}

}  // namespace convoy::report
