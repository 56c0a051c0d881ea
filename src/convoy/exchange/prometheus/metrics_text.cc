#include "convoy/exchange/prometheus/metrics_text.h"

#include <fmt/format.h>

#include <cmath>

namespace convoy {
namespace {

// Escapes text for a label, which is in quotes, or for an explanation, which is not.
std::string escaped(std::string_view text, bool is_label) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || (c == '"' && is_label)) result += '\\';
    result += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return result;
}

std::string number_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

MetricsText& MetricsText::metric(std::string_view name, MetricKind kind, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name,
                       kind == MetricKind::gauge ? "gauge" : "counter");
  return *this;
}

MetricsText& MetricsText::value(double value, const MetricLabels& labels) {
  text_ += name_;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text_ += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", labels[i].first, escaped(labels[i].second, true));
  }
  text_ += fmt::format("{} {}\n", labels.empty() ? "" : "}", number_of(value));
  return *this;
}

}  // namespace convoy
