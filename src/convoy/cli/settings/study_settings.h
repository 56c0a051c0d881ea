// What a user can tell a study, as flags or in a TOML file: settings of its runs, each a single value or, if the study
// varies it, a list; and settings of the study itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "convoy/run/settings/setting.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {

// How the kinds of study differ.
struct StudyForm {
  study::StudyKind kind = study::StudyKind::scale;
  std::string main_axis;                        // always varies, even if it has a single value
  std::vector<std::string> axes;                // other settings that take lists
  std::map<std::string, std::string> defaults;  // of settings, including lists, if the user gives none
  int repeats = 3;                              // 0: as many as time allows
  std::int64_t skipped_epochs = 1;
};

// Runs per point that are enough for a useful interval.
inline constexpr int kUsualRepeats = 3;

class StudySettings {
 public:
  explicit StudySettings(const StudyForm& form);
  StudySettings(const StudySettings&) = delete;
  StudySettings& operator=(const StudySettings&) = delete;

  // All settings as flags and keys; refers to this object.
  [[nodiscard]] const std::vector<Setting>& list() const { return list_; }
  // Where the study is kept; empty if the user did not say.
  [[nodiscard]] const std::string& folder() const { return study_dir_; }
  // The settings of `convoy train` that are known before a run, for estimates: the defaults and what was given; of a
  // list the first value.
  [[nodiscard]] const TrainSettings& train() const { return train_; }

  // Whether the number of repeats depends on the time they take; the specification then has the usual number.
  [[nodiscard]] bool repeats_are_open() const { return repeats_ == 0; }

  // The specification. `cores` are those of this machine; hosts are assumed to be like it. Throws UserError if the
  // settings do not make a study, and for more threads than cores unless that was asked for.
  [[nodiscard]] study::StudySpec spec(int cores, std::vector<std::string> command);

 private:
  void add_train_settings();
  void add_own_settings();
  void take_value(const Setting& setting, const std::string& text);
  void take_list(const Setting& setting, const std::string& text);
  void take_varied(const std::string& text);
  void require_given_once() const;
  void fill_defaults();
  void fill_threads(study::StudySpec& spec) const;
  [[nodiscard]] const Setting& train_setting(const std::string& key) const;

  StudyForm form_;
  TrainSettings train_;
  std::vector<Setting> train_list_ = train_setting_list(train_);
  std::map<std::string, std::string> values_;             // given values of settings that do not vary
  std::map<std::string, std::vector<std::string>> axes_;  // given lists
  std::vector<std::string> axis_order_;
  std::set<std::string> varied_keys_;  // those of --vary
  std::set<std::string> flag_keys_;    // those given by their own names

  int repeats_ = 1;
  std::uint64_t order_seed_ = 1;
  std::int64_t skipped_epochs_ = 1;
  std::string price_ = "0";
  bool oversubscribe_ = false;
  std::string study_dir_;
  int random_points_ = 0;
  int halving_ = 0;  // eta; 0: no point is given up
  std::int64_t first_epochs_ = 1;
  std::int64_t retrain_epochs_ = 0;
  double target_percent_ = 0;
  double stable_points_ = 0.5;
  std::string varied_;
  std::vector<Setting> list_;
};

}  // namespace convoy::cli
