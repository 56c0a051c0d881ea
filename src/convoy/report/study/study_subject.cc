#include "convoy/report/study/study_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/report/words.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::report {
namespace {

std::string one_or_count(const std::vector<std::string>& values, const std::string& things) {
  if (values.empty()) return "";
  return values.size() == 1 ? values.front() : fmt::format("{} {}", values.size(), things);
}

}  // namespace

std::vector<std::string> values_of(const study::StudyResults& results, const std::string& key) {
  std::vector<std::string> values;
  for (const study::PointResult& point : results.points) {
    std::string value = study::value_at(results.spec, point.point, key, "");
    if (!value.empty() && std::ranges::find(values, value) == values.end()) values.push_back(std::move(value));
  }
  std::ranges::sort(values, study::value_before);
  return values;
}

std::string subject_text(const study::StudyResults& results) {
  const std::string model = one_or_count(values_of(results, "model"), "models");
  std::string data = one_or_count(values_of(results, "data"), "data sets");
  if (model.empty()) return data;
  return data.empty() ? model : fmt::format("{} on {}", model, data);
}

std::string study_title(const study::StudyResults& results) {
  const std::string subject = subject_text(results);
  const std::string title(study::kind_row(results.spec.kind).title);
  return subject.empty() ? title : fmt::format("{} of {}", title, subject);
}

std::string runs_text(const study::StudyResults& results) {
  const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
  std::string text = fmt::format("{} of {}", count_text(count(results.ended_runs), "runs"),
                                 count_text(count(results.points.size()), "points"));
  if (results.failed_runs > 0) text += fmt::format(", {} failed", results.failed_runs);
  return text;
}

}  // namespace convoy::report
