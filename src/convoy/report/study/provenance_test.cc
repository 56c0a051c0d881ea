#include "convoy/report/study/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"

namespace convoy::report {
namespace {

using ::testing::ElementsAre;

RunInfo run_on(const HostInfo& host) {
  RunInfo info;
  info.hosts = {host};
  return info;
}

TEST(MachineText, ABindingIsNoMachine) {
  const RunInfo alone = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  const RunInfo bound = run_on({.cpu_model = "EPYC", .usable_cores = 1, .hardware_threads = 2});
  EXPECT_THAT(machine_texts(std::vector{&alone, &bound}),
              ElementsAre("EPYC, 2 hardware threads", "EPYC, 2 hardware threads"));
}

TEST(MachineText, OtherHardwareIsAnotherMachine) {
  const RunInfo small = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  const RunInfo large = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 64});
  EXPECT_THAT(machine_texts(std::vector{&small, &large}),
              ElementsAre("EPYC, 2 hardware threads", "EPYC, 64 hardware threads"));
}

TEST(MachineText, WhatARecordDoesNotTellMakesNoDifference) {
  const RunInfo earlier = run_on({.cpu_model = "EPYC", .usable_cores = 1});
  const RunInfo now = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  EXPECT_THAT(machine_texts(std::vector{&earlier, &now}), ElementsAre("EPYC", "EPYC"));
}

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Document alone(Section section) { return {.title = "t", .sections = {std::move(section)}}; }

TEST(Provenance, HasCommandSettingsMachineAndOrder) {
  const Document document = alone(provenance_section(scale_study()));
  const std::string words = words_of(document.sections[0]);
  EXPECT_THAT(words, HasSubstr("convoy study scale --model resnet20 --name 'two words'"));
  EXPECT_THAT(words, HasSubstr("26 of 26 planned runs have ended."));
  EXPECT_THAT(words, HasSubstr("shuffled by the seed 1"));
  EXPECT_THAT(words, HasSubstr("The first epoch of each run is skipped"));
  const Table& settings = table_of(document, "settings");
  EXPECT_EQ(cell_of(settings, {"workers (varies)"}, "value"), "1, 2, 4, 8");
  EXPECT_EQ(cell_of(settings, {"model"}, "value"), "resnet20");
  EXPECT_EQ(cell_of(settings, {"price of a worker-hour"}, "value"), "0.5");
  EXPECT_EQ(cell_of(settings, {"cores of all hosts"}, "value"), "4");
  const Table& machine = table_of(document, "machine");
  EXPECT_EQ(cell_of(machine, {"node1, node2"}, "value"), "Test CPU, 8 hardware threads, 8 GiB");
  EXPECT_EQ(cell_of(machine, {"oneDNN"}, "value"), "2.6.3");
  EXPECT_THAT(cell_of(machine, {"Convoy"}, "value"), HasSubstr("abc1234"));
}

TEST(Provenance, DefinesTheTermsOfTheKindAndNoOthers) {
  const std::string scale = words_of(provenance_section(scale_study()));
  EXPECT_THAT(scale, AllOf(HasSubstr("weak scaling: "), HasSubstr("cost: "), HasSubstr("oversubscribed: "),
                           Not(HasSubstr("area under the loss curve"))));
  const std::string sweep = words_of(provenance_section(sweep_study()));
  EXPECT_THAT(sweep, AllOf(HasSubstr("area under the loss curve: "), HasSubstr("given up: "), Not(HasSubstr("Amdahl")),
                           Not(HasSubstr("oversubscribed: "))));
  EXPECT_THAT(words_of(provenance_section(converge_study())),
              AllOf(HasSubstr("epochs to stable accuracy: "), HasSubstr("time to target: "), HasSubstr("trend: ")));
  EXPECT_THAT(words_of(provenance_section(import_study())),
              AllOf(HasSubstr("throughput by lines: "), Not(HasSubstr("turnaround: "))));
}

TEST(Provenance, FailedRunsAreNotNotesToo) {
  study::StudyResults results = scale_study();
  results.notes.emplace_back("run-1: a last line was cut short");
  const Document document = alone(provenance_section(results));
  ASSERT_EQ(table_of(document, "notes").rows.size(), 1U);
  EXPECT_EQ(table_of(document, "notes").rows[0].cells[0], "run-1: a last line was cut short");
}

TEST(Provenance, EqualNotesOfSeveralRunsAreOne) {
  study::StudyResults results = scale_study();
  const std::string first = results.points[0].runs[0].outcome.run.id;
  const std::string second = results.points[1].runs[0].outcome.run.id;
  ASSERT_NE(first, second);
  results.notes = {first + ": 10 lines: too many", "the log: 10 lines: too many", second + ": 10 lines: too many"};
  const Document document = alone(provenance_section(results));
  const Table& notes = table_of(document, "notes");
  ASSERT_EQ(notes.rows.size(), 2U);
  EXPECT_EQ(cell_of(notes, {"10 lines: too many"}, "runs"), first + ", " + second);
  EXPECT_EQ(cell_of(notes, {"the log: 10 lines: too many"}, "runs"), "");
}

TEST(StudyDocument, SaysFirstThatItIsIncomplete) {
  study::StudyResults results = scale_study();
  results.planned_runs = 30;
  const Document document = study_document(study::analyse(results));
  const auto* const notice = std::get_if<Notice>(document.sections[0].blocks.data());
  ASSERT_NE(notice, nullptr);
  EXPECT_EQ(notice->kind, Notice::Kind::warning);
  EXPECT_EQ(notice->title, "Incomplete");
  EXPECT_THAT(notice->text, HasSubstr("26 of 30 runs have ended"));
}

TEST(StudyDocument, OfAnEmptyStudySaysSo) {
  for (const auto kind : {study::StudyKind::scale, study::StudyKind::batch, study::StudyKind::sweep,
                          study::StudyKind::converge, study::StudyKind::imported}) {
    study::StudyResults results = empty_study(kind);
    results.planned_runs = 4;
    const Document document = study_document(study::analyse(results));
    expect_sound(document);
    EXPECT_THAT(words_of(document.sections[0]), AllOf(HasSubstr("0 of 4 runs"), HasSubstr("No run of this study")));
  }
}

TEST(StudyDocument, OfNothingButFailedRunsIsSound) {
  for (study::StudyResults results : {scale_study(), batch_study(), sweep_study(), converge_study(), import_study()}) {
    for (study::PointResult& point : results.points) {
      for (study::StudyRun& run : point.runs) run = failed_run(point.point, 1, "no space left");
    }
    count_runs(results);
    expect_sound(study_document(study::analyse(results)));
  }
}

}  // namespace

}  // namespace convoy::report
