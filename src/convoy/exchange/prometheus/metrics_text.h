// Writes numbers in the text format of Prometheus, as node_exporter's textfile collector reads it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy {

enum class MetricKind { gauge, counter };

using MetricLabels = std::vector<std::pair<std::string, std::string>>;

class MetricsText {
 public:
  // Begins a metric with its explanation; its values follow. Each metric is added once.
  MetricsText& metric(std::string_view name, MetricKind kind, std::string_view help);
  // Adds a value to the last metric. NaN and infinities are written as Prometheus does.
  MetricsText& value(double value, const MetricLabels& labels = {});

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string name_;
  std::string text_;
};

}  // namespace convoy
