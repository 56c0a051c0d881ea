// Samples per second that benchmarks on this machine found before, kept in the user's cache: so one precision can be
// compared with another that was measured at another time.
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

// A file that is missing or cannot be read holds nothing, and one that cannot be written is left as it is: who only
// compares can do without.
class MeasuredRates {
 public:
  // An empty path keeps nothing.
  explicit MeasuredRates(std::filesystem::path file);

  // `key` says what was measured and on what.
  [[nodiscard]] std::optional<MeasuredRate> find(const std::string& key) const;
  void keep(const std::string& key, const MeasuredRate& rate);

 private:
  std::filesystem::path file_;
  std::map<std::string, MeasuredRate> rates_;
};

}  // namespace convoy
