#include "convoy/run/settings/kept_settings.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/record/run_writer.h"
#include "convoy/run/run_folder.h"
#include "convoy/run/settings/settings_file.h"
#include "convoy/run/settings/train_settings.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// The folder of a run with learning rate 0.1, three epochs and one checkpoint.
class KeptSettingsTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    run_ = folder_ / "run";
    settings_.learning_rate = 0.1;
    settings_.epochs = 3;
    choices_.training["conv1"] = {.forward = "a", .backward_data = "b", .backward_weights = "c"};
    choices_.evaluation["conv1"] = {.forward = "a", .backward_data = "", .backward_weights = ""};
    write_run();
    save(kept_json(list_, choices_, data_));
  }

  void write_run() {
    fs::remove_all(run_);
    (void)RunWriter::create(run_, describe_run({"convoy"}, settings_json(list_)));
    put(run_ / kResolvedFile, settings_toml(list_));
    write_choices(run_ / kChoicesFolder, choices_);
  }
  void save(const nlohmann::ordered_json& kept) {
    Checkpoint checkpoint{.model = "lenet", .data = "mnist", .step = 7, .training = {}, .run = kept};
    CheckpointStore(run_ / kCheckpointsFolder).save(checkpoint, {});
  }
  void alter(const std::string& before, const std::string& after) const {
    std::string text = read(run_ / kResolvedFile);
    put(run_ / kResolvedFile, text.replace(text.find(before), before.size(), after));
  }
  TrainSettings settings_read(Altered altered = Altered::refused, const std::string& given = "") {
    notes_.clear();
    TrainSettings settings;
    read_run_settings(
        run_, train_setting_list(settings), [&](const std::string& key) { return key == given; }, altered,
        [&](const std::string& note) { notes_.push_back(note); });
    return settings;
  }
  [[nodiscard]] bool refused(const std::string& part) {
    return throws_with<DataError>([&] { (void)settings_read(); }, part);
  }
  RunChoices choices_read(bool accepts_altered = false) {
    notes_.clear();
    const CheckpointStore store(run_ / kCheckpointsFolder);
    const auto start = store.empty() ? std::nullopt : std::optional(store.latest());
    return choices_to_continue(run_, start, accepts_altered, [&](const std::string& note) { notes_.push_back(note); });
  }

  fs::path run_;
  TrainSettings settings_;
  std::vector<Setting> list_ = train_setting_list(settings_);
  RunChoices choices_;
  data::SourceDigest data_{.train = 50, .test = 10, .classes = {"cat", "dog"}, .hash = "ab"};
  std::vector<std::string> notes_;
};

TEST_F(KeptSettingsTest, AreReadAsTheyWere) {
  EXPECT_EQ(settings_read().learning_rate, 0.1);
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(choices_read().training, choices_.training);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(KeptSettingsTest, AnAlteredValueIsRefusedUnlessItIsAccepted) {
  alter("lr = 0.1", "lr = 0.5");
  EXPECT_TRUE(refused((run_ / kResolvedFile).string() + " was altered since the run wrote it: lr is 0.5 and was 0.1;"));
  EXPECT_TRUE(refused("--accept-altered"));
  EXPECT_EQ(settings_read(Altered::accepted).learning_rate, 0.5);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("lr is 0.5 and was 0.1"), std::string::npos) << notes_[0];
  EXPECT_EQ(settings_read(Altered::not_looked_for).learning_rate, 0.5);
  EXPECT_TRUE(notes_.empty());
}

TEST_F(KeptSettingsTest, AValueThatWasAddedOrRemovedIsFoundToo) {
  alter("lr = 0.1\n", "pad = 4\n");
  EXPECT_TRUE(refused("pad is 4 and was not set, lr is not set and was 0.1"));
}

// scale-lr used to be a yes-or-no setting.
TEST_F(KeptSettingsTest, AYesOrNoThatBecameAWordIsNotAltered) {
  nlohmann::ordered_json kept = kept_json(list_, choices_, data_);
  kept["settings"]["scale-lr"] = false;
  save(kept);
  alter("scale-lr = \"none\"", "scale-lr = false");
  EXPECT_EQ(settings_read().scale_learning_rate, "false");
  alter("scale-lr = false", "scale-lr = true");
  EXPECT_TRUE(refused("scale-lr is \"true\" and was false"));
}

TEST_F(KeptSettingsTest, WhatAFlagSaysIsMeant) {
  alter("epochs = 3", "epochs = 9");
  EXPECT_TRUE(refused("epochs is 9 and was 3"));
  (void)settings_read(Altered::refused, "epochs");
  EXPECT_TRUE(notes_.empty());
}

// A sitting that should have gone on to more epochs but was killed before its first checkpoint.
TEST_F(KeptSettingsTest, WhatTheLastSittingWroteCounts) {
  settings_.epochs = 9;
  write_run();
  settings_.epochs = 3;
  save(kept_json(list_, choices_, data_));
  EXPECT_EQ(settings_read().epochs, 9);
  // This holds only for settings that may change: for the others the checkpoint decides.
  settings_.learning_rate = 0.7;
  write_run();
  settings_.learning_rate = 0.1;
  save(kept_json(list_, choices_, data_));
  EXPECT_TRUE(refused("lr is 0.7 and was 0.1"));
}

TEST_F(KeptSettingsTest, DamagedSettingsComeFromTheCheckpoint) {
  for (const char* text : {"", "lr = ", "lr = 0.9\nunknown = 1\n"}) {
    if (*text == '\0') {
      fs::remove(run_ / kResolvedFile);
    } else {
      put(run_ / kResolvedFile, text);
    }
    EXPECT_EQ(settings_read().learning_rate, 0.1);
    EXPECT_EQ(settings_read().epochs, 3);
    ASSERT_EQ(notes_.size(), 1U);
    EXPECT_NE(notes_[0].find("settings are taken from the newest checkpoint"), std::string::npos) << notes_[0];
  }
}

TEST_F(KeptSettingsTest, WithoutACheckpointRunJsonIsTheWitness) {
  fs::remove_all(run_ / kCheckpointsFolder);
  EXPECT_EQ(settings_read().learning_rate, 0.1);
  EXPECT_TRUE(notes_.empty());
  alter("lr = 0.1", "lr = 0.5");
  EXPECT_TRUE(refused("lr is 0.5 and was 0.1"));
  put(run_ / kResolvedFile, "=");
  EXPECT_EQ(settings_read().learning_rate, 0.1);
  EXPECT_NE(notes_.at(0).find("taken from run.json"), std::string::npos) << notes_[0];
  put(run_ / "run.json", "=");
  EXPECT_TRUE(refused("nothing else here says how the run was set up"));
}

TEST_F(KeptSettingsTest, CheckpointsOfEarlierVersionsKeepNone) {
  save(nullptr);
  EXPECT_EQ(settings_read().learning_rate, 0.1);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("of an earlier version and keep no settings"), std::string::npos) << notes_[0];
  alter("lr = 0.1", "lr = 0.5");
  EXPECT_TRUE(refused("lr is 0.5 and was 0.1"));
  EXPECT_EQ(choices_read().training, choices_.training);
  put(run_ / kChoicesFolder / "training.json", "{");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)choices_read(); }, "--accept-altered"));
  EXPECT_TRUE(choices_read(true).training.empty());
}

TEST_F(KeptSettingsTest, AlteredKernelsAreRefusedUnlessTheyAreAccepted) {
  RunChoices other = choices_;
  other.evaluation["conv1"].forward = "z";
  write_choices(run_ / kChoicesFolder, other);
  EXPECT_TRUE(
      throws_with<DataError>([&] { (void)choices_read(); },
                             "altered since the run wrote them: evaluation.json has other kernels for layer conv1"));
  EXPECT_EQ(choices_read(true).evaluation, other.evaluation);
  EXPECT_EQ(notes_.size(), 1U);
}

TEST_F(KeptSettingsTest, OtherDataIsRefusedUnlessItIsAccepted) {
  const std::optional<Checkpoint> start = CheckpointStore(run_ / kCheckpointsFolder).latest();
  const auto go_on = [&](const data::SourceDigest& now, bool accepts_altered) {
    notes_.clear();
    require_same_data(now, "mnist", start, accepts_altered, [&](const std::string& note) { notes_.push_back(note); });
  };
  go_on(data_, false);
  data::SourceDigest other = data_;
  other.hash = "cd";
  EXPECT_TRUE(throws_with<DataError>([&] { go_on(other, false); }, "its images or their labels are others"));
  other.train = 49;
  EXPECT_TRUE(throws_with<DataError>([&] { go_on(other, false); }, "it has 49 images to train on and had 50"));
  other.classes[1] = "wolf";
  EXPECT_TRUE(throws_with<DataError>([&] { go_on(other, false); }, "class 1 is 'wolf' and was 'dog'"));
  go_on(other, true);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("other data than before step 7"), std::string::npos) << notes_[0];
}

TEST_F(KeptSettingsTest, DataIsNotComparedWithCheckpointsOfEarlierVersions) {
  nlohmann::ordered_json kept = kept_json(list_, choices_, data_);
  kept.erase("data");
  save(kept);
  EXPECT_NO_THROW(require_same_data({}, "mnist", CheckpointStore(run_ / kCheckpointsFolder).latest(), false, {}));
}

TEST_F(KeptSettingsTest, DamagedKernelsComeFromTheCheckpoint) {
  put(run_ / kChoicesFolder / "evaluation.json", "{");
  EXPECT_EQ(choices_read().training, choices_.training);
  EXPECT_EQ(choices_read().evaluation, choices_.evaluation);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_NE(notes_[0].find("kernels are taken from the checkpoint"), std::string::npos) << notes_[0];
  fs::remove_all(run_ / kCheckpointsFolder);
  EXPECT_TRUE(choices_read().training.empty());
  EXPECT_NE(notes_.at(0).find("kernels are measured anew"), std::string::npos) << notes_[0];
}

}  // namespace
}  // namespace convoy
