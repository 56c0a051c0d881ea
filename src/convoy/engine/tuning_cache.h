// Remembers on disk which implementations were fastest, by machine, library version, threads and problem. If the cache
// cannot be read or written, that only costs time: the reason is kept as a note for whoever prints.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convoy/engine/choices.h"

namespace convoy {

// A choice as it was measured. If the machine was disturbed meanwhile it is provisional: good enough to go on with, and
// measured again when the machine is quiet.
struct TunedChoice {
  KernelChoice kernels;
  std::int64_t measured_at = 0;  // seconds since 1970
  bool provisional = false;

  bool operator==(const TunedChoice&) const = default;
};

class TuningCache {
 public:
  // Keeps nothing on disk.
  TuningCache() = default;

  // Reads `file` if it exists. A file that is not a tuning cache is ignored, with a note, and replaced by save().
  explicit TuningCache(std::filesystem::path file);

  [[nodiscard]] std::optional<TunedChoice> find(const std::string& key) const;
  void put(const std::string& key, const TunedChoice& choice);

  // Writes new choices, together with what other processes have written meanwhile.
  void save();

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  // A note that was added before is ignored: plans that are compiled alike give the same notes.
  void add_note(std::string note);

 private:
  using Entries = std::map<std::string, TunedChoice>;
  [[nodiscard]] Entries read();

  std::filesystem::path file_;
  Entries entries_;
  bool changed_ = false;
  std::vector<std::string> notes_;
};

}  // namespace convoy
