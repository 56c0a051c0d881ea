#include "convoy/report/study/kind_reports.h"

#include <algorithm>
#include <array>

#include "convoy/base/check.h"
#include "convoy/report/study/batch_sections.h"
#include "convoy/report/study/converge_sections.h"
#include "convoy/report/study/scale_sections.h"
#include "convoy/report/study/sweep_sections.h"

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

}  // namespace convoy::report
