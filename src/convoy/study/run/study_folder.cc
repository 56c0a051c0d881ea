#include "convoy/study/run/study_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/record/json_fields.h"
#include "convoy/record/run_record.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudyFile = "study.json";
constexpr const char* kOutcomesFile = "outcomes.jsonl";

StudySpec parse_spec(const fs::path& file) {
  const nlohmann::ordered_json json = read_json_file(file);
  try {
    return study_spec_from(json);
  } catch (const DataError& error) {
    throw DataError("{}: {}", file.string(), error.what());
  }
}

StudySpec read_spec(const fs::path& folder) {
  const fs::path file = folder / kStudyFile;
  if (!fs::exists(file)) throw DataError("{} holds no study: there is no {}", folder.string(), kStudyFile);
  try {
    return parse_spec(file);
  } catch (const DataError& error) {
    throw DataError(
        "{}; put a copy of it back, or start the study again with another --study-dir; its runs can be read "
        "alone: `convoy report {}/*`",
        error.what(), (folder / "runs").string());
  }
}

// An outcome with an id or a point that the study does not have is damaged. Imported runs have no plan to compare with.
void require_planned(const RunOutcome& outcome, const StudySpec& spec, const std::vector<PlannedRun>& plan) {
  if (kind_row(spec.kind).imported) return;
  const bool is_planned = std::ranges::any_of(plan, [&](const PlannedRun& run) {
    const PlannedRun meant = outcome.run.retrained ? retrained_run(run) : attempt_of(run, outcome.run.attempt);
    return run.point == outcome.run.point && run.repeat == outcome.run.repeat && meant.id == outcome.run.id;
  });
  if (!is_planned) throw DataError("the study has no such run");
}

}  // namespace

bool is_study_folder(const fs::path& path) { return fs::is_regular_file(path / kStudyFile); }

StudyFolder StudyFolder::create(const fs::path& path, const StudySpec& spec) {
  if (is_study_folder(path)) {
    StudyFolder there = open(path);
    if (there.spec().same_runs(spec)) return there;
    throw UserError(
        "{} holds another study; give another --study-dir, or go on with that one by `convoy study continue {}`",
        path.string(), path.string());
  }
  for (const char* part : {"runs", "logs"}) make_folder(path / part);
  write_file_atomically(path / kStudyFile, json_file_text(to_json(spec)));
  return {path, spec};
}

StudyFolder StudyFolder::open(const fs::path& path) {
  StudyFolder folder(path, read_spec(path));
  folder.read_outcomes();
  return folder;
}

void StudyFolder::read_outcomes() {
  const fs::path file = path_ / kOutcomesFile;
  if (!fs::exists(file)) return;
  const auto plan = kind_row(spec_.kind).imported ? std::vector<PlannedRun>() : plan_runs(spec_);
  std::ifstream lines(file);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      RunOutcome outcome = run_outcome_from(parse_json(line));
      require_planned(outcome, spec_, plan);
      remember(std::move(outcome));
    } catch (const DataError& error) {
      notes_.push_back(
          fmt::format("{}:{}: the line is damaged and left out ({}), and so is the run that it told of; `convoy study "
                      "continue {}` runs it again",
                      file.string(), number, error.what(), path_.string()));
    }
  }
}

const RunOutcome* StudyFolder::outcome_of(const std::string& id) const {
  const auto found = std::ranges::find_if(outcomes_, [&](const RunOutcome& outcome) { return outcome.run.id == id; });
  return found == outcomes_.end() ? nullptr : &*found;
}

void StudyFolder::remember(RunOutcome outcome) {
  std::erase_if(outcomes_, [&](const RunOutcome& earlier) { return earlier.run.id == outcome.run.id; });
  outcomes_.push_back(std::move(outcome));
}

void StudyFolder::add(const RunOutcome& outcome) {
  remember(outcome);
  write_outcomes();
}

void StudyFolder::forget_failed() {
  std::erase_if(outcomes_, [](const RunOutcome& outcome) { return outcome.exit_code != 0; });
  write_outcomes();
}

std::vector<std::string> StudyFolder::forget_gone() {
  // A failed run may never have had a record.
  const auto is_gone = [&](const RunOutcome& outcome) {
    return outcome.exit_code == 0 && !is_run_folder(run_folder(outcome.run.id));
  };
  std::vector<std::string> gone;
  for (const RunOutcome& outcome : outcomes_) {
    if (is_gone(outcome)) gone.push_back(outcome.run.id);
  }
  if (gone.empty()) return gone;
  std::erase_if(outcomes_, is_gone);
  write_outcomes();
  std::ranges::sort(gone);
  return gone;
}

void StudyFolder::write_outcomes() const {
  std::string lines;
  for (const RunOutcome& outcome : outcomes_) lines += to_json(outcome).dump() + '\n';
  write_file_atomically(path_ / kOutcomesFile, lines);
}

}  // namespace convoy::study
