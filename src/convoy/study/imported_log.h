// What another system's log tells of a run, before it becomes a record (import_run.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::study {

// One line about one epoch. Logs of several ranks have one from each rank, usually with the same loss.
struct ImportedEpoch {
  std::int64_t epoch = 0;            // from 1
  std::optional<std::int64_t> rank;  // where the log says
  double samples = 0;                // trained on by all ranks together
  double seconds = 0;
  double samples_per_second = 0;  // as printed, or samples / seconds
  std::optional<double> loss;
  std::optional<double> error;       // share of the training samples that was misclassified
  std::optional<double> test_error;  // of an evaluation after this epoch
};

struct ImportedLog {
  std::string name;    // of the file, for messages
  std::string system;  // "CNTK", "CSV"
  // model, workers, batch, cores, device, lab: guessed from the file's name, and the caller's to change.
  std::map<std::string, std::string> settings;
  std::vector<ImportedEpoch> lines;   // epochs never decrease
  std::int64_t announced_epochs = 0;  // how many there were to be; 0 when the log does not say
  std::vector<std::string> notes;     // lines that were passed over, and how many
};

// Settings from a name of the form lab2-cpu-alexnet-batch256-nodes4.log: lab, device (cpu or gpu), model, cores, batch,
// and nodes as workers. Empty when it has no device or no nodes, as a guess would be one.
[[nodiscard]] std::map<std::string, std::string> settings_from_name(std::string_view name);

}  // namespace convoy::study
