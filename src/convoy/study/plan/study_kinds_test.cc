#include "convoy/study/plan/study_kinds.h"

#include <gtest/gtest.h>

namespace convoy::study {
namespace {

TEST(StudyKinds, HasARowForEachKindUnderItsName) {
  for (const auto kind :
       {StudyKind::scale, StudyKind::batch, StudyKind::sweep, StudyKind::converge, StudyKind::imported}) {
    const KindRow& row = kind_row(kind);
    EXPECT_EQ(row.kind, kind);
    EXPECT_EQ(to_text(kind), row.name);
    EXPECT_EQ(kind_named(row.name), &row);
    EXPECT_FALSE(row.title.empty());
  }
  EXPECT_EQ(kind_named("imported"), nullptr) << "the command is called import";
}

TEST(StudyKinds, ThroughputIsMeasuredInOneGo) {
  EXPECT_FALSE(kind_row(StudyKind::scale).resumable);
  EXPECT_FALSE(kind_row(StudyKind::batch).resumable);
  EXPECT_TRUE(kind_row(StudyKind::sweep).resumable);
  EXPECT_TRUE(kind_row(StudyKind::converge).resumable);
}

}  // namespace
}  // namespace convoy::study
