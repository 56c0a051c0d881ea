#include "convoy/study/plan/study_kinds.h"

#include <algorithm>
#include <array>

#include "convoy/base/check.h"

namespace convoy::study {
namespace {

template <auto analyse_kind>
KindAnalysis analyse_as(const StudyResults& results) {
  return analyse_kind(results);
}

constexpr std::array kKinds = {
    KindRow{.kind = StudyKind::scale, .name = "scale", .title = "Scaling", .analyse = analyse_as<analyse_scaling>},
    KindRow{.kind = StudyKind::batch, .name = "batch", .title = "Batch sizes", .analyse = analyse_as<analyse_batches>},
    KindRow{.kind = StudyKind::sweep,
            .name = "sweep",
            .title = "Sweep of settings",
            .analyse = analyse_as<analyse_sweep>,
            .resumable = true,
            .picks_points = true},
    KindRow{.kind = StudyKind::converge,
            .name = "converge",
            .title = "Convergence",
            .analyse = analyse_as<analyse_convergence>,
            .resumable = true,
            .has_target = true},
    KindRow{.kind = StudyKind::imported,
            .name = "import",
            .title = "Imported runs",
            .analyse = analyse_as<analyse_scaling>,
            .imported = true},
};

}  // namespace

const KindRow& kind_row(StudyKind kind) {
  const auto* const found = std::ranges::find(kKinds, kind, &KindRow::kind);
  CONVOY_CHECK(found != kKinds.end());
  return *found;
}

const KindRow* kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &KindRow::name);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace convoy::study
