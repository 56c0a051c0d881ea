#include "convoy/report/study/study_document.h"

#include <iterator>
#include <utility>

#include "convoy/report/study/batch_sections.h"
#include "convoy/report/study/converge_sections.h"
#include "convoy/report/study/provenance.h"
#include "convoy/report/study/published_section.h"
#include "convoy/report/study/scale_sections.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/study/sweep_sections.h"

namespace convoy::report {
namespace {

std::vector<Section> sections_of(const study::StudyResults& results) {
  if (results.points.empty()) {
    return {{.id = "summary",
             .title = "Summary",
             .blocks = {Notice{Notice::Kind::warning, "No runs yet", "No run of this study has ended."}}}};
  }
  switch (results.spec.kind) {
    case study::StudyKind::scale:
    case study::StudyKind::imported:
      return scale_sections(results);
    case study::StudyKind::batch:
      return batch_sections(results);
    case study::StudyKind::sweep:
      return sweep_sections(results);
    case study::StudyKind::converge:
      return converge_sections(results);
  }
  return {};
}

}  // namespace

Document study_document(const study::StudyResults& results) {
  Document document{.title = study_title(results), .subtitle = runs_text(results), .sections = sections_of(results)};
  std::vector<Block> notices = state_notices(results);
  std::vector<Block>& first = document.sections.front().blocks;
  first.insert(first.begin(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  if (auto published = published_section(results)) document.sections.push_back(std::move(*published));
  document.sections.push_back(provenance_section(results));
  return document;
}

}  // namespace convoy::report
