#include "convoy/report/study/scale_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/report/study/all_reduce_choice.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"
#include "convoy/study/pay_off.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;
using study::ScaleSeries;

// More than these are for the table.
constexpr std::size_t kMostSeries = 6;

// A series that a paragraph is about.
struct Leader {
  const ScaleSeries* series = nullptr;
  std::size_t rivals = 1;  // series that differ in the all-reduce alone, itself counted
};

// Of the series that differ in the all-reduce alone the fastest: the others are compared in a paragraph of its own.
std::vector<Leader> leaders_of(const ScaleAnalysis& analysis) {
  std::vector<std::pair<study::Point, Leader>> leaders;
  for (const ScaleSeries& series : analysis.series) {
    study::Point rest = series.values;
    rest.erase("allreduce");
    const auto found = std::ranges::find(leaders, rest, &std::pair<study::Point, Leader>::first);
    if (found == leaders.end()) {
      leaders.emplace_back(std::move(rest), Leader{.series = &series});
      continue;
    }
    ++found->second.rivals;
    if (best_beyond_base(series) > best_beyond_base(*found->second.series)) found->second.series = &series;
  }
  std::vector<Leader> result;
  for (const auto& [rest, leader] : leaders) result.push_back(leader);
  return result;
}

// "Weak scaling with ring", "With batch 64"; empty for the only series.
std::string phrase_of(const ScaleSeries& series) {
  if (series.name.empty()) return "";
  const auto scaling = series.values.find("scaling");
  const auto place = scaling == series.values.end() ? std::string::npos : series.name.find(scaling->second);
  if (place == std::string::npos) return fmt::format("With {}", series.name);
  // What is left of "ring, weak" or "weak, ring" without the kind.
  std::string rest = series.name;
  rest.erase(place, scaling->second.size());
  while (rest.ends_with(',') || rest.ends_with(' ')) rest.pop_back();
  while (rest.starts_with(',') || rest.starts_with(' ')) rest.erase(0, 1);
  const std::string kind = capitalized(scaling->second) + " scaling";
  return rest.empty() ? kind : fmt::format("{} with {}", kind, rest);
}

std::string prefix_of(const Leader& leader) {
  const std::string phrase = phrase_of(*leader.series);
  if (phrase.empty()) return "";
  return leader.rivals == 1 ? phrase + ": "
                            : fmt::format("{} (the fastest of {} all-reduces): ", phrase, leader.rivals);
}

std::vector<const ScalePoint*> beyond_base(const ScaleSeries& series) {
  std::vector<const ScalePoint*> points;
  for (const ScalePoint& point : series.points) {
    if (is_trusted(point) && point.size != series.base_size) points.push_back(&point);
  }
  return points;
}

std::string growth_text(const ScaleSeries& series, const std::string& size_key) {
  std::vector<const ScalePoint*> points = beyond_base(series);
  if (points.empty() || series.base_is_disturbed) return "";
  // First and last tell the story; what lies between is in the table.
  if (points.size() > 2) points = {points.front(), points.back()};
  const ScalePoint& first = *points.front();
  std::string text = fmt::format("{} train {} times as fast as {} (efficiency {})", count_text(first.size, size_key),
                                 significant_text(*first.speed_up, 3), series.base_size, efficiency_text(first));
  if (points.size() > 1) {
    const ScalePoint& last = *points.back();
    text += fmt::format(", {} train {} times as fast (efficiency {})", last.size, significant_text(*last.speed_up, 3),
                        efficiency_text(last));
  }
  return text + ".";
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
  std::vector<const ScalePoint*> points = beyond_base(strong);
  if (strong.base_is_disturbed || weak.base_is_disturbed) return "";
  std::ranges::reverse(points);  // the largest size that both have
  for (const ScalePoint* const point : points) {
    const ScalePoint* const twin = at_size(weak, point->size);
    if (twin == nullptr) continue;
    const std::string all_reduce =
        strong.values.contains("allreduce") ? fmt::format(" and `{}`", strong.values.at("allreduce")) : "";
    return fmt::format("With {}{} weak scaling (a global batch of {}) is {} efficient, strong scaling ({}) {}.{}",
                       count_text(twin->size, size_key), all_reduce, twin->global_batch, efficiency_text(*twin),
                       point->global_batch, efficiency_text(*point), communication_text(*twin, *point));
  }
  return "";
}

std::string all_weak_against_strong(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const Leader& leader : leaders_of(analysis)) {
    const ScaleSeries* const weak = leader.series->is_weak ? nullptr : weak_twin(analysis, *leader.series);
    if (weak == nullptr) continue;
    std::string text = weak_against_strong(*leader.series, *weak, analysis.size_key);
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
  if (step.gain < 0) return fmt::format("from {} to {} throughput falls", step.from, step.to);
  return fmt::format("from {} to {} each added {} brings {} of what one of the base does", step.from, step.to,
                     size_key.substr(0, size_key.size() - 1), percent_text(step.gain));
}

std::string knee_text(const ScaleSeries& series, std::int64_t largest, const std::string& size_key) {
  if (!series.universal.fit || !series.universal.fit->knee) return "";
  const study::Estimate& knee = *series.universal.fit->knee;
  if (!is_near(knee.value, series)) {
    return fmt::format(" By the universal law throughput still grows at {} {}, as far as it can be trusted.",
                       farthest_prediction(series), size_key);
  }
  std::string text =
      fmt::format(" By the universal law throughput is highest at about {} {}", short_text(knee.value), size_key);
  if (knee.interval_95) {
    const bool open = !std::isfinite(knee.interval_95->high);
    text += fmt::format(" (95 % interval {}{})", short_text(knee.interval_95->low),
                        open ? " or more" : " to " + short_text(knee.interval_95->high));
  }
  return text + (knee.value > static_cast<double>(largest) ? ", beyond what was measured." : ".");
}

std::string verdict_text(const ScaleSeries& series, std::int64_t size, const std::string& size_key) {
  const ScalePoint* const point = at_size(series, size);
  if (point == nullptr || !point->verdict) return "";
  return fmt::format(" With {}: {} What to change first: {}", count_text(size, size_key), point->verdict->why,
                     point->verdict->advice);
}

std::string nothing_larger(const ScaleSeries& series) {
  const bool any = std::ranges::any_of(series.points, &ScalePoint::is_doubtful);
  return any ? "; nothing larger was measured on cores of its own." : "; nothing larger was measured.";
}

std::string pay_off_text(const ScaleSeries& series, const std::string& size_key) {
  const auto answer = study::pay_off(series);
  if (!answer) return "";
  std::string text;
  if (answer->last) {
    text = fmt::format(" Up to {} pay off: {}", count_text(answer->size, size_key), step_text(*answer->last, size_key));
    text +=
        answer->not_worth ? fmt::format(", but {}.", step_text(*answer->not_worth, size_key)) : nothing_larger(series);
  } else {
    text = fmt::format(" More than {} do not pay off: {}.", count_text(answer->size, size_key),
                       step_text(*answer->not_worth, size_key));
  }
  const std::int64_t judged = answer->not_worth ? answer->not_worth->to : answer->size;
  return text + knee_text(series, answer->largest_measured, size_key) + verdict_text(series, judged, size_key);
}

std::string nothing_text(const ScaleAnalysis& analysis) {
  std::string text = fmt::format("There are no two numbers of {} to compare", analysis.size_key);
  if (analysis.any_oversubscribed) text += " that were measured on cores of their own";
  if (analysis.any_disturbed) text += analysis.any_oversubscribed ? " and undisturbed" : " that nobody disturbed";
  return text + ", so nothing certain can be said about scaling.";
}

std::vector<std::string> series_words(const ScaleAnalysis& analysis) {
  std::vector<std::string> words;
  for (const Leader& leader : leaders_of(analysis)) {
    const std::string growth = growth_text(*leader.series, analysis.size_key);
    if (!growth.empty()) words.push_back(prefix_of(leader) + growth + pay_off_text(*leader.series, analysis.size_key));
  }
  if (words.empty()) return {nothing_text(analysis)};
  if (words.size() > kMostSeries) {
    const std::size_t more = words.size() - kMostSeries;
    words.resize(kMostSeries);
    words.push_back(fmt::format("{} more series are in the table.", more));
  }
  return words;
}

}  // namespace

std::vector<std::string> scale_words(const ScaleAnalysis& analysis) {
  std::vector<std::string> words = series_words(analysis);
  words.push_back(all_weak_against_strong(analysis));
  words.push_back(all_reduce_text(analysis));
  std::erase(words, "");
  return words;
}

}  // namespace convoy::report
