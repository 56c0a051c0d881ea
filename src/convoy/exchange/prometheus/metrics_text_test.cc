#include "convoy/exchange/prometheus/metrics_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace convoy {
namespace {

TEST(MetricsText, IsAsPrometheusDocumentsIt) {
  MetricsText text;
  text.metric("convoy_loss", MetricKind::gauge, "Loss, in\nnats \\ none").value(0.25);
  text.metric("convoy_samples_total", MetricKind::counter, "Samples")
      .value(1e6, {{"run", "a \"b\"\\c\nd"}, {"rank", "0"}});
  EXPECT_EQ(text.text(),
            "# HELP convoy_loss Loss, in\\nnats \\\\ none\n"
            "# TYPE convoy_loss gauge\n"
            "convoy_loss 0.25\n"
            "# HELP convoy_samples_total Samples\n"
            "# TYPE convoy_samples_total counter\n"
            "convoy_samples_total{run=\"a \\\"b\\\"\\\\c\\nd\",rank=\"0\"} 1000000\n");
}

TEST(MetricsText, SpellsWhatIsNoNumber) {
  MetricsText text;
  text.metric("m", MetricKind::gauge, "m")
      .value(std::numeric_limits<double>::quiet_NaN())
      .value(-std::numeric_limits<double>::infinity());
  EXPECT_TRUE(text.text().ends_with("m NaN\nm -Inf\n"));
}

}  // namespace
}  // namespace convoy
