// What another system's log says about a run, before it becomes a record (import_run.h).
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
  std::int64_t epoch = 0;            // counted from 1
  std::optional<std::int64_t> rank;  // if the log says it
  double samples = 0;                // of all ranks together; 0 when not known
  double seconds = 0;                // 0 when not known
  double samples_per_second = 0;     // as printed, or samples / seconds; 0 when not known
  std::optional<double> loss;
  std::optional<double> error;      // share of the training samples that were misclassified
  std::optional<double> test_loss;  // by an evaluation after this epoch
  std::optional<double> test_error;
};

struct ImportedLog {
  std::string name;    // the file's, for messages
  std::string system;  // "CNTK", "CSV", "Keras", "Horovod", "TensorFlow"
  // model, workers, batch, scaling, threads, device, lab: what the file's name and its lines say; the caller may
  // change it. `samples` is the number per epoch, for logs whose lines do not say it. Settings that are not said are
  // not in the map.
  std::map<std::string, std::string> settings;
  std::vector<ImportedEpoch> lines;   // epochs never decrease
  std::int64_t announced_epochs = 0;  // how many epochs were planned; 0 when the log does not say
  std::vector<std::string> notes;     // which lines were skipped, and how many
};

// The number of samples of an epoch, which a user gives for logs whose lines do not say it.
inline constexpr const char* kSamplesSetting = "samples";

// What a log must say to decide which logs belong together.
inline constexpr std::array<const char*, 3> kDecidingSettings = {"model", "batch", "workers"};

// The words of a file's name that are not understood and cannot be taken for a model: they keep logs apart.
inline constexpr const char* kNameSetting = "name";

// Settings from the words of a name such as lab2-cpu-alexnet-batch256-nodes4.log, separated by hyphens or underscores:
// lab, device (cpu or gpu), batch, workers (also nodes and ranks) and threads (also cores), each with its number. The
// rest is the model if device and workers are given; otherwise it becomes `name`, because calling it a model would be a
// guess.
[[nodiscard]] std::map<std::string, std::string> settings_from_name(std::string_view name);

// Changes a setting in all logs at once, as a user asks for. Throws UserError if logs have different values for it,
// because they would then be mistaken for the same.
void set_everywhere(std::span<ImportedLog> logs, const std::string& key, const std::string& value);

}  // namespace convoy::study
