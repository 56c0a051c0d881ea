#include "convoy/report/study/study_document.h"

#include <iterator>
#include <utility>

#include "convoy/report/study/kind_reports.h"
#include "convoy/report/study/provenance.h"
#include "convoy/report/study/published_section.h"
#include "convoy/report/study/study_subject.h"

namespace convoy::report {
namespace {

std::vector<Section> sections_of(const study::StudyAnalysis& study) {
  if (study.results.points.empty()) {
    return {{.id = "summary",
             .title = "Summary",
             .blocks = {Notice{Notice::Kind::warning, "No runs yet", "No run of this study has ended."}}}};
  }
  return kind_report(study.results.spec.kind).sections(study);
}

}  // namespace

Document study_document(const study::StudyAnalysis& study) {
  const study::StudyResults& results = study.results;
  Document document{.title = study_title(results), .subtitle = runs_text(results), .sections = sections_of(study)};
  std::vector<Block> notices = state_notices(study);
  std::vector<Block>& first = document.sections.front().blocks;
  first.insert(first.begin(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  if (auto published = published_section(study.published)) document.sections.push_back(std::move(*published));
  document.sections.push_back(provenance_section(results));
  return document;
}

}  // namespace convoy::report
