#include "convoy/report/scale_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/report/all_reduce_choice.h"
#include "convoy/report/scale_points.h"
#include "convoy/report/study_subject.h"
#include "convoy/study/pay_off.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;
using study::ScaleSeries;

// More than these are for the table.
constexpr std::size_t kMostSeries = 6;

std::string prefix_of(const ScaleSeries& series) { return series.name.empty() ? "" : series.name + ": "; }

bool is_trusted(const ScalePoint& point) { return point.statistics.throughput && !point.oversubscribed; }

std::vector<const ScalePoint*> beyond_base(const ScaleSeries& series) {
  std::vector<const ScalePoint*> points;
  for (const ScalePoint& point : series.points) {
    if (is_trusted(point) && point.size != series.base_size) points.push_back(&point);
  }
  return points;
}

std::string growth_text(const ScaleSeries& series, const std::string& size_key) {
  std::vector<const ScalePoint*> points = beyond_base(series);
  if (points.empty()) return "";
  // First and last tell the story; what lies between is in the table.
  if (points.size() > 2) points = {points.front(), points.back()};
  std::string text = prefix_of(series);
  for (const ScalePoint* const point : points) {
    const bool first = point == points.front();
    text += fmt::format("{}{}{} {} times as fast{} (efficiency {})", first ? "" : ", ",
                        first ? count_text(point->size, size_key) : fmt::format("{}", point->size),
                        first ? " train" : "", significant_text(*point->speed_up, 3),
                        first ? fmt::format(" as {}", series.base_size) : "", percent_text(*point->efficiency));
  }
  return text + ".";
}

std::string all_growth(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const ScaleSeries& series : analysis.series) {
    std::string text = growth_text(series, analysis.size_key);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  if (texts.empty()) {
    return fmt::format("There are no two numbers of {} to compare, so nothing can be said about scaling.",
                       analysis.size_key);
  }
  const std::size_t more = texts.size() > kMostSeries ? texts.size() - kMostSeries : 0;
  texts.resize(texts.size() - more);
  std::string text = fmt::format("{}", fmt::join(texts, " "));
  return more > 0 ? fmt::format("{} {} more series are in the table.", text, more) : text;
}

// The series that differs in the kind of scaling alone.
const ScaleSeries* weak_twin(const ScaleAnalysis& analysis, const ScaleSeries& strong) {
  study::Point wanted = strong.values;
  wanted["scaling"] = "weak";
  const auto found = std::ranges::find(analysis.series, wanted, &ScaleSeries::values);
  return found == analysis.series.end() ? nullptr : &*found;
}

const ScalePoint* at_size(const ScaleSeries& series, std::int64_t size) {
  const auto found = std::ranges::find(series.points, size, &ScalePoint::size);
  return found == series.points.end() || !is_trusted(*found) ? nullptr : &*found;
}

std::string communication_text(const ScalePoint& weak, const ScalePoint& strong) {
  if (!weak.statistics.shares || !strong.statistics.shares) return "";
  return fmt::format(" Exposed communication takes {} of the time in weak scaling, {} in strong.",
                     percent_text(weak.statistics.shares->exposed_communication),
                     percent_text(strong.statistics.shares->exposed_communication));
}

std::string weak_against_strong(const ScaleSeries& strong, const ScaleSeries& weak, const std::string& size_key) {
  const auto points = beyond_base(strong);
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    const ScalePoint* const twin = at_size(weak, (*point)->size);
    if (twin == nullptr) continue;
    const std::string all_reduce =
        strong.values.contains("allreduce") ? fmt::format(" and `{}`", strong.values.at("allreduce")) : "";
    return fmt::format("With {}{} weak scaling (a global batch of {}) is {} efficient, strong scaling ({}) {}.{}",
                       count_text(twin->size, size_key), all_reduce, twin->global_batch,
                       percent_text(*twin->efficiency), (*point)->global_batch, percent_text(*(*point)->efficiency),
                       communication_text(*twin, **point));
  }
  return "";
}

std::string all_weak_against_strong(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const ScaleSeries& series : analysis.series) {
    const ScaleSeries* const weak = series.is_weak ? nullptr : weak_twin(analysis, series);
    if (weak == nullptr) continue;
    std::string text = weak_against_strong(series, *weak, analysis.size_key);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string all_reduce_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const AllReduceChoice& choice : all_reduce_choices(analysis)) {
    if (!choice.oversubscribed) texts.push_back(choice_text(choice, analysis.size_key));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string step_text(const study::SizeStep& step, const std::string& size_key) {
  return fmt::format("from {} to {} each added {} brings {} of what one of the base does", step.from, step.to,
                     size_key.substr(0, size_key.size() - 1), percent_text(step.gain));
}

std::string knee_text(const ScaleSeries& series, std::int64_t largest, const std::string& size_key) {
  if (!series.universal.fit || !series.universal.fit->knee) return "";
  const study::Estimate& knee = *series.universal.fit->knee;
  std::string text = fmt::format(" By the universal law throughput is highest at about {} {}",
                                 significant_text(knee.value, 2), size_key);
  if (knee.interval_95) {
    const bool open = !std::isfinite(knee.interval_95->high);
    text += fmt::format(" (95 % interval {} to {})", significant_text(knee.interval_95->low, 2),
                        open ? "any number" : significant_text(knee.interval_95->high, 2));
  }
  return text + (knee.value > static_cast<double>(largest) ? ", beyond what was measured." : ".");
}

std::string verdict_text(const ScaleSeries& series, std::int64_t size) {
  const ScalePoint* const point = at_size(series, size);
  if (point == nullptr || !point->verdict) return "";
  return fmt::format(" At {}: {} {}", size, point->verdict->why, point->verdict->advice);
}

std::string pay_off_text(const ScaleSeries& series, const std::string& size_key) {
  const auto answer = study::pay_off(series);
  if (!answer) return "";
  std::string text = prefix_of(series);
  if (answer->last) {
    text += fmt::format("up to {} pay off: {}", count_text(answer->size, size_key), step_text(*answer->last, size_key));
    text += answer->not_worth ? fmt::format(", but {}.", step_text(*answer->not_worth, size_key))
                              : "; no larger number was measured on cores of its own.";
  } else {
    text += fmt::format("more than {} do not pay off: {}.", count_text(answer->size, size_key),
                        step_text(*answer->not_worth, size_key));
  }
  const std::int64_t judged = answer->not_worth ? answer->not_worth->to : answer->size;
  return text + knee_text(series, answer->largest_measured, size_key) + verdict_text(series, judged);
}

}  // namespace

std::vector<std::string> scale_words(const ScaleAnalysis& analysis) {
  std::vector<std::string> words = {all_growth(analysis)};
  words.push_back(all_weak_against_strong(analysis));
  words.push_back(all_reduce_text(analysis));
  const std::size_t series = std::min(analysis.series.size(), kMostSeries);
  for (std::size_t i = 0; i < series; ++i) words.push_back(pay_off_text(analysis.series[i], analysis.size_key));
  std::erase(words, "");
  for (std::string& text : words) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return words;
}

}  // namespace convoy::report
