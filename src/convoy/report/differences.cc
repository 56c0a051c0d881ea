#include "convoy/report/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace convoy::report {
namespace {

std::string value_of(const Compared& each, const std::string& key) {
  const auto found = each.settings.find(key);
  return found == each.settings.end() ? "" : found->second;
}

struct Warning {
  const char* key;
  const char* title;
  const char* consequence;
};

constexpr std::array kWarnings = {
    Warning{"model", "Different models",
            "Throughput, loss and accuracy belong to the model: none of them says which is better."},
    Warning{"data", "Different data",
            "Loss and accuracy on other data cannot be compared, nor can throughput where images differ in size."},
    Warning{"machine", "Different machines",
            "Throughput, times and speed-ups are those of the machine; only loss and accuracy over epochs compare."},
};

}  // namespace

bool differs(const std::vector<Compared>& compared, const std::string& key) {
  return std::ranges::any_of(compared,
                             [&](const Compared& each) { return value_of(each, key) != value_of(compared[0], key); });
}

std::string difference_text(const std::vector<Compared>& compared, const std::string& key) {
  std::vector<std::string> parts;
  for (const Compared& each : compared) {
    const std::string value = value_of(each, key);
    parts.push_back(fmt::format("{} has {}", each.name, value.empty() ? "none that is known" : value));
  }
  return fmt::format("{}: {}", key, fmt::join(parts, ", "));
}

Table difference_table(const std::vector<Compared>& compared) {
  Table table{.id = "differences", .caption = "Settings that differ", .header = {"setting"}, .rows = {}};
  std::set<std::string> keys;
  for (const Compared& each : compared) {
    table.header.push_back(each.name);
    for (const auto& [key, value] : each.settings) keys.insert(key);
  }
  for (const std::string& key : keys) {
    if (!differs(compared, key)) continue;
    std::vector<std::string> cells = {key};
    for (const Compared& each : compared) {
      const std::string value = value_of(each, key);
      cells.push_back(value.empty() ? "-" : value);
    }
    table.add_row(std::move(cells));
  }
  return table;
}

std::vector<Block> difference_notices(const std::vector<Compared>& compared) {
  std::vector<Block> notices;
  for (const Warning& warning : kWarnings) {
    if (!differs(compared, warning.key)) continue;
    notices.emplace_back(
        Notice{.kind = Notice::Kind::warning,
               .title = warning.title,
               .text = fmt::format("{}. {}", difference_text(compared, warning.key), warning.consequence)});
  }
  return notices;
}

}  // namespace convoy::report
