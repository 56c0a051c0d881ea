// A study on disk:
//
//   study.json       its specification
//   outcomes.jsonl   the outcome of each run, one line each
//   runs/ID/         the record of each run
//   networks/        networks that were given as files, so that the study does not depend on them
//   logs/ID.log      what a run wrote to stderr; ID.out what it wrote to stdout
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/study/plan/study_plan.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::study {

class StudyFolder {
 public:
  // Makes the folder and writes the specification. If it contains the same study already, opens it to continue. Throws
  // UserError when it contains another one.
  [[nodiscard]] static StudyFolder create(const std::filesystem::path& path, const StudySpec& spec);

  // A study without a folder: nothing is read or written.
  [[nodiscard]] static StudyFolder imagined(const std::filesystem::path& path, const StudySpec& spec) {
    return {path, spec};
  }

  // Throws DataError when there is no study or it cannot be read, UserError for one of a newer version of Convoy.
  [[nodiscard]] static StudyFolder open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const StudySpec& spec() const { return spec_; }
  // One for each run that has ended, in the order in which they ended.
  [[nodiscard]] const std::vector<RunOutcome>& outcomes() const { return outcomes_; }

  // What was damaged when the folder was opened and is left out, one sentence each.
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

  // Adds an outcome; it is on the disk when this returns. Throws SystemError.
  void add(const RunOutcome& outcome);

  // Forgets failed runs, as if they had never been started; what they left is removed when they are started again.
  // Throws SystemError.
  void forget_failed();

  // The same for runs that ended well but whose record somebody deleted. Returns their ids, sorted. Throws SystemError.
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
