// Samples per second that earlier benchmarks on this machine measured, kept in the user's cache. With it, one precision
// can be compared with another that was measured at another time.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace convoy {

struct MeasuredRate {
  double samples_per_second = 0;
  std::string day;  // "2026-11-17"

  bool operator==(const MeasuredRate&) const = default;
};

// A file that is missing or cannot be read counts as empty, and one that cannot be written is left unchanged: the rates
// serve only for comparison.
class MeasuredRates {
 public:
  // With an empty path nothing is kept.
  explicit MeasuredRates(std::filesystem::path file);

  // `key` identifies what was measured and on which machine.
  [[nodiscard]] std::optional<MeasuredRate> find(const std::string& key) const;
  void keep(const std::string& key, const MeasuredRate& rate);

 private:
  std::filesystem::path file_;
  std::map<std::string, MeasuredRate> rates_;
};

}  // namespace convoy
