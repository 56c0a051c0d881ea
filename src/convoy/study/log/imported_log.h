// What another system's log tells of a run, before it becomes a record (import_run.h).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::study {

// One line about one epoch. Logs of several ranks have one from each rank, usually with the same loss.
struct ImportedEpoch {
  std::int64_t epoch = 0;            // from 1
  std::optional<std::int64_t> rank;  // where the log says
  double samples = 0;                // trained on by all ranks together; 0 when not known
  double seconds = 0;                // 0 when not known
  double samples_per_second = 0;     // as printed, or samples / seconds; 0 when not known
  std::optional<double> loss;
  std::optional<double> error;      // share of the training samples that was misclassified
  std::optional<double> test_loss;  // of an evaluation after this epoch
  std::optional<double> test_error;
};

struct ImportedLog {
  std::string name;    // of the file, for messages
  std::string system;  // "CNTK", "CSV", "Keras", "Horovod", "TensorFlow"
  // model, workers, batch, scaling, threads, cores, device, lab: what the file's name and its lines say, and the
  // caller's to change. `samples` are those of an epoch, for logs whose lines do not say them. What they do not say is
  // not there.
  std::map<std::string, std::string> settings;
  std::vector<ImportedEpoch> lines;   // epochs never decrease
  std::int64_t announced_epochs = 0;  // how many there were to be; 0 when the log does not say
  std::vector<std::string> notes;     // lines that were passed over, and how many
};

// Of an epoch, as a user says it for logs whose lines do not.
inline constexpr const char* kSamplesSetting = "samples";

// What a log has to say before it can be told which logs belong together.
inline constexpr std::array<const char*, 3> kDecidingSettings = {"model", "batch", "workers"};

// The words of a name that are not understood, where they cannot be taken for a model: they tell logs apart.
inline constexpr const char* kNameSetting = "name";

// Settings from the words of a name such as lab2-cpu-alexnet-batch256-nodes4.log, between hyphens or underscores: lab,
// device (cpu or gpu), batch, workers (also nodes and ranks), threads and cores, each with its number. What is left is
// the model when device and workers are there; else it is `name`, as a model would be a guess.
[[nodiscard]] std::map<std::string, std::string> settings_from_name(std::string_view name);

// A setting of all logs at once, as a user gives it. Throws UserError when logs say different values of it, as they
// would be taken for the same then.
void set_everywhere(std::span<ImportedLog> logs, const std::string& key, const std::string& value);

}  // namespace convoy::study
