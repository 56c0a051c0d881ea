// A study on disk:
//
//   study.json       its specification
//   outcomes.jsonl   what became of each run, a line each
//   runs/ID/         the record of each run
//   networks/        networks that were given as files, so that the study does not depend on them
//   logs/ID.log      what it said on stderr; ID.out what it printed
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/study/plan/study_plan.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {

class StudyFolder {
 public:
  // Makes the folder and writes the specification. A folder that holds the same study is opened: it goes on. Throws
  // UserError when it holds another one.
  [[nodiscard]] static StudyFolder create(const std::filesystem::path& path, const StudySpec& spec);

  // One that is not there: nothing is read or written.
  [[nodiscard]] static StudyFolder imagined(const std::filesystem::path& path, const StudySpec& spec) {
    return {path, spec};
  }

  // Throws DataError when there is no study or it cannot be read, UserError for one of a newer version of Convoy.
  [[nodiscard]] static StudyFolder open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const StudySpec& spec() const { return spec_; }
  // One for each run that has ended, in the order in which they did.
  [[nodiscard]] const std::vector<RunOutcome>& outcomes() const { return outcomes_; }

  // What was damaged when it was opened and is left out, a sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  [[nodiscard]] std::filesystem::path run_folder(const std::string& id) const { return path_ / "runs" / id; }
  [[nodiscard]] std::filesystem::path log_file(const std::string& id) const { return path_ / "logs" / (id + ".log"); }
  [[nodiscard]] std::filesystem::path output_file(const std::string& id) const {
    return path_ / "logs" / (id + ".out");
  }

  [[nodiscard]] std::filesystem::path network_file(const std::string& model) const {
    return path_ / "networks" / (model + ".toml");
  }

  // Null when the run has not ended yet.
  [[nodiscard]] const RunOutcome* outcome_of(const std::string& id) const;

  // On disk when this returns. Throws SystemError.
  void add(const RunOutcome& outcome);

  // Runs that failed are as if they had never been started; what they left is removed when they are. Throws
  // SystemError.
  void forget_failed();

  // The same for runs that ended well and whose record is gone, because somebody deleted it. Says which, in order of
  // their names. Throws SystemError.
  std::vector<std::string> forget_gone();

 private:
  StudyFolder(std::filesystem::path path, StudySpec spec) : path_(std::move(path)), spec_(std::move(spec)) {}
  void read_outcomes();
  void remember(RunOutcome outcome);
  void write_outcomes() const;

  std::filesystem::path path_;
  StudySpec spec_;
  std::vector<RunOutcome> outcomes_;
  std::vector<std::string> notes_;
};

[[nodiscard]] bool is_study_folder(const std::filesystem::path& path);

}  // namespace convoy::study
