#include "convoy/report/study/scale_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;
using study::ScaleSeries;

// If there are more, they are only in the table.
constexpr std::size_t kMostSeries = 6;

// "Weak scaling with ring", "With batch 64"; empty for the only series.
std::string phrase_of(const ScaleSeries& series) {
  if (series.name.empty()) return "";
  const auto scaling = series.values.find("scaling");
  const auto place = scaling == series.values.end() ? std::string::npos : series.name.find(scaling->second);
  if (place == std::string::npos) return fmt::format("With {}", series.name);
  // The kind is removed from names like "ring, weak" and "weak, ring".
  std::string rest = series.name;
  rest.erase(place, scaling->second.size());
  while (rest.ends_with(',') || rest.ends_with(' ')) rest.pop_back();
  while (rest.starts_with(',') || rest.starts_with(' ')) rest.erase(0, 1);
  const std::string kind = capitalized(scaling->second) + " scaling";
  return rest.empty() ? kind : fmt::format("{} with {}", kind, rest);
}

std::string prefix_of(const ScaleAnalysis& analysis, const study::SeriesLeader& leader) {
  const std::string phrase = phrase_of(analysis.series[leader.series]);
  if (phrase.empty()) return "";
  return leader.rivals == 1 ? phrase + ": "
                            : fmt::format("{} (the fastest of {} all-reduces): ", phrase, leader.rivals);
}

std::string growth_text(const ScaleSeries& series, const std::string& size_key) {
  std::vector<const ScalePoint*> points = series.trusted_beyond_base();
  if (points.empty() || series.base_is_disturbed) return "";
  // The first and the last point are enough here; those in between are in the table.
  if (points.size() > 2) points = {points.front(), points.back()};
  const ScalePoint& first = *points.front();
  std::string text = fmt::format("{} train {} times as fast as {} (efficiency {})", count_text(first.size, size_key),
                                 significant_text(*first.speed_up, 3), series.base_size, efficiency_text(first));
  if (points.size() > 1) {
    const ScalePoint& last = *points.back();
    text += fmt::format(", {} train {} times as fast (efficiency {})", last.size, significant_text(*last.speed_up, 3),
                        efficiency_text(last));
  }
  const ScalePoint& largest = *points.back();
  if (series.is_weak && largest.step_increase) {
    text += fmt::format("; a step of {} takes {} times as long as one of {}", largest.size,
                        significant_text(*largest.step_increase, 3), series.base_size);
  }
  return text + ".";
}

std::string communication_text(const ScalePoint& weak, const ScalePoint& strong) {
  if (!weak.statistics.shares || !strong.statistics.shares) return "";
  return fmt::format(" Exposed communication takes {} of the time in weak scaling, {} in strong.",
                     percent_text(weak.statistics.shares->exposed_communication),
                     percent_text(strong.statistics.shares->exposed_communication));
}

std::string compared_text(const ScaleAnalysis& analysis, const study::WeakAgainstStrong& both) {
  const ScalePoint& weak = analysis.at(both.weak);
  const ScalePoint& strong = analysis.at(both.strong);
  const study::Point& values = analysis.series[both.strong.series].values;
  const std::string all_reduce = values.contains("allreduce") ? fmt::format(" and `{}`", values.at("allreduce")) : "";
  return fmt::format("With {}{} weak scaling (a global batch of {}) is {} efficient, strong scaling ({}) {}.{}",
                     count_text(weak.size, analysis.size_key), all_reduce, weak.global_batch, efficiency_text(weak),
                     strong.global_batch, efficiency_text(strong), communication_text(weak, strong));
}

std::string weak_against_strong_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const study::WeakAgainstStrong& both : analysis.answer.weak_against_strong) {
    texts.push_back(compared_text(analysis, both));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

// "With 4 workers the fastest all-reduce is `ring`, 3.1 % ahead of `mpi`; ..."
std::string choice_text(const study::AllReduceChoice& choice, const std::string& size_key) {
  const study::MeasuredAllReduce& first = choice.measured[0];
  const study::MeasuredAllReduce& second = choice.measured[1];
  const std::string place = count_text(choice.size, size_key) +
                            (choice.circumstances.empty() ? "" : fmt::format(" ({})", choice.circumstances)) +
                            (choice.oversubscribed ? ", oversubscribed," : "");
  if (std::abs(choice.lead.value) < 0.0005 * second.throughput.mean) {
    return fmt::format("With {} the all-reduces `{}` and `{}` are equally fast.", place, first.name, second.name);
  }
  std::string text = fmt::format("With {} the fastest all-reduce is `{}`, {} ahead of `{}`", place, first.name,
                                 percent_text(first.throughput.mean / second.throughput.mean - 1), second.name);
  if (!std::isfinite(choice.lead.half_width_95)) {
    return text + "; at least one of them was measured only once, so whether that is more than chance is not known.";
  }
  const double half = choice.lead.half_width_95 / second.throughput.mean;
  const double lead = choice.lead.value / second.throughput.mean;
  return fmt::format("{} (95 % interval {} to {}): {}.", text, percent_text(lead - half), percent_text(lead + half),
                     choice.is_decided() ? "more than the spread of the runs"
                                         : "not more than the spread of the runs, so take either");
}

std::string all_reduce_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const study::AllReduceChoice& choice : analysis.all_reduces) {
    if (!choice.oversubscribed) texts.push_back(choice_text(choice, analysis.size_key));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

// "`auto` is the fastest", or by how much it is not.
std::string auto_text(const study::AllReduceChoice& choice, const std::string& size_key) {
  const study::AutoComparison& seen = *choice.automatic;
  const double lead = seen.lead.value / seen.rival_throughput;
  const std::string place = count_text(choice.size, size_key) +
                            (choice.circumstances.empty() ? "" : fmt::format(" ({})", choice.circumstances));
  const std::string how = fmt::format("with {} it is {} {} `{}`", place, percent_text(std::abs(lead)),
                                      lead < 0 ? "behind" : "ahead of", seen.rival);
  if (!seen.is_repeated) return how + ", measured too seldom to tell that from chance";
  if (!seen.is_decided()) return how + ", not more than the spread of the runs: as good as the best";
  return how + (lead < 0 ? ", more than the spread: no" : ", more than the spread: yes");
}

std::string is_auto_best_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> texts;
  for (const study::AllReduceChoice& choice : analysis.all_reduces) {
    if (choice.automatic && !choice.oversubscribed) texts.push_back(auto_text(choice, analysis.size_key));
  }
  if (!texts.empty()) {
    return fmt::format("Is `auto` the best? {}.", capitalized(fmt::format("{}", fmt::join(texts, "; "))));
  }
  const auto is_auto = [](const ScaleSeries& series) {
    const auto found = series.values.find("allreduce");
    return found != series.values.end() && found->second == "auto";
  };
  const bool is_asked = std::ranges::any_of(analysis.series, is_auto) && analysis.series.size() > 1;
  return is_asked && analysis.any_disturbed
             ? "Is `auto` the best? Not known: others used the cores, so no two all-reduces can be compared."
             : "";
}

std::string step_text(const study::SizeStep& step, const std::string& size_key) {
  if (step.gain < 0) return fmt::format("from {} to {} throughput falls", step.from, step.to);
  const std::string one = size_key.substr(0, size_key.size() - 1);
  return fmt::format("from {} to {} each added {} brings {} of the throughput of a base {}", step.from, step.to, one,
                     percent_text(step.gain), one);
}

std::string knee_text(const ScaleSeries& series, std::int64_t largest, const std::string& size_key) {
  if (!series.universal.fit || !series.universal.fit->knee) return "";
  const study::Estimate& knee = *series.universal.fit->knee;
  if (!series.is_near(knee.value)) {
    return fmt::format(" By the universal law throughput still grows at {} {}, as far as it can be trusted.",
                       series.farthest_prediction(), size_key);
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
  const ScalePoint* const point = series.trusted_at(size);
  if (point == nullptr || !point->verdict) return "";
  return fmt::format(" With {}: {} What to change first: {}", count_text(size, size_key), point->verdict->why,
                     point->verdict->advice);
}

std::string nothing_larger(const ScaleSeries& series) {
  const bool any = std::ranges::any_of(series.points, &ScalePoint::is_doubtful);
  return any ? "; nothing larger was measured on cores of its own." : "; nothing larger was measured.";
}

std::string pay_off_text(const ScaleSeries& series, const std::string& size_key) {
  const auto& answer = series.pay_off;
  if (!answer) return "";
  std::string text;
  if (answer->last) {
    text = fmt::format(" Up to {} pay off: {}", count_text(answer->size, size_key), step_text(*answer->last, size_key));
    text +=
        answer->not_worth ? fmt::format(", but {}.", step_text(*answer->not_worth, size_key)) : nothing_larger(series);
  } else {
    text = fmt::format(" Going beyond {} does not pay off: {}.", count_text(answer->size, size_key),
                       step_text(*answer->not_worth, size_key));
  }
  return text + knee_text(series, answer->largest_measured, size_key) +
         verdict_text(series, answer->judged_size(), size_key);
}

std::string nothing_text(const ScaleAnalysis& analysis) {
  std::string text = fmt::format("There are no two numbers of {} to compare", analysis.size_key);
  if (analysis.any_oversubscribed) text += " that were measured on cores of their own";
  if (analysis.any_disturbed) text += analysis.any_oversubscribed ? " and undisturbed" : " that nobody disturbed";
  return text + ", so nothing certain can be said about scaling.";
}

std::vector<std::string> series_words(const ScaleAnalysis& analysis) {
  std::vector<std::string> words;
  for (const study::SeriesLeader& leader : analysis.answer.leaders) {
    const ScaleSeries& series = analysis.series[leader.series];
    const std::string growth = growth_text(series, analysis.size_key);
    if (growth.empty()) continue;
    words.push_back(prefix_of(analysis, leader) + growth + pay_off_text(series, analysis.size_key));
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
  words.push_back(weak_against_strong_text(analysis));
  words.push_back(all_reduce_text(analysis));
  words.push_back(is_auto_best_text(analysis));
  std::erase(words, "");
  return words;
}

namespace {

std::vector<std::string> step_cells(const ScaleSeries& series, const study::SizeStep& step, const std::string& remark) {
  return {series.name.empty() ? "all" : series.name,
          fmt::format("{}", step.from),
          fmt::format("{}", step.to),
          significant_text(step.ratio, 3),
          percent_text(step.gain),
          step.is_worthwhile() ? "yes" : "no",
          remark};
}

// The step from the largest measured size to the law's prediction for twice as many.
std::optional<study::SizeStep> predicted_step(const ScaleSeries& series) {
  const auto& said = series.universal_prediction.prediction ? series.universal_prediction.prediction
                                                            : series.amdahl_prediction.prediction;
  const ScalePoint* const last = series.trusted_at(series.largest_trusted());
  const ScalePoint* const base = series.trusted_at(series.base_size);
  if (!said || last == nullptr || base == nullptr) return std::nullopt;
  const double before = last->statistics.throughput->mean;
  const double fair = base->statistics.throughput->mean / static_cast<double>(base->size);
  const double added = (said->throughput.value - before) / static_cast<double>(said->size - last->size);
  return study::SizeStep{
      .from = last->size, .to = said->size, .gain = added / fair, .ratio = said->throughput.value / before};
}

}  // namespace

std::optional<Section> pay_off_section(const ScaleAnalysis& analysis) {
  const std::string one = analysis.size_key.substr(0, analysis.size_key.size() - 1);
  Table table{
      .id = "pay-off",
      .caption = fmt::format("From each number of {} to the next", analysis.size_key),
      .header = {"series", "from", "to", "throughput, times", fmt::format("each added {}", one), "pays?", "remarks"},
      .rows = {}};
  for (const ScaleSeries& series : analysis.series) {
    for (const study::SizeStep& step : series.steps) {
      const ScalePoint* const point = series.trusted_at(step.to);
      table.add_row(
          step_cells(series, step, point != nullptr && point->beyond_linear ? "more than linear: doubtful" : ""));
    }
    const auto next = predicted_step(series);
    if (next) table.add_row(step_cells(series, *next, "predicted, not measured"), RowMark::doubtful);
  }
  if (table.rows.empty()) return std::nullopt;
  return Section{.id = "pay-off",
                 .title = fmt::format("Does it pay to add {}?", analysis.size_key),
                 .blocks = {Paragraph{meanings({Term::pay_off})}, table}};
}

}  // namespace convoy::report
