#include "convoy/cli/command/model/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "convoy/base/number_text.h"
#include "convoy/base/text_table.h"

namespace convoy::cli {
namespace {

constexpr std::size_t kMostRows = 20;

struct Mistake {
  int is = 0;
  int taken_for = 0;
  std::int64_t samples = 0;
};

std::vector<Mistake> mistakes_of(const Tally& tally) {
  std::vector<Mistake> mistakes;
  for (int row = 0; row < tally.classes(); ++row) {
    for (int column = 0; column < tally.classes(); ++column) {
      if (row != column && tally.confused(row, column) > 0)
        mistakes.push_back({row, column, tally.confused(row, column)});
    }
  }
  std::ranges::stable_sort(mistakes, std::greater{}, &Mistake::samples);
  return mistakes;
}

std::int64_t samples_of(const Tally& tally, int row) {
  std::int64_t sum = 0;
  for (int column = 0; column < tally.classes(); ++column) sum += tally.confused(row, column);
  return sum;
}

}  // namespace

std::string EvaluationReport::text() const {
  const Metrics m = tally_.metrics();
  std::string text = fmt::format("{} images\nloss   {:.4f}\ntop-1  {:.2f} % (error {:.2f} %)\n",
                                 grouped_text(m.samples), m.loss, 100 * m.top1, 100 * (1 - m.top1));
  if (tally_.classes() > 5) text += fmt::format("top-5  {:.2f} %\n", 100 * m.top5);
  return text + "\n" + class_table() + "\n" + confusion_table();
}

std::string EvaluationReport::class_table() const {
  const std::vector<double> accuracy = tally_.class_accuracy();
  std::vector<std::size_t> order(accuracy.size());
  std::iota(order.begin(), order.end(), 0);
  // Classes without samples come last.
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return std::isnan(accuracy[k]) ? 2.0 : accuracy[k]; });
  TextTable table({"class, worst first", "images", "right, %"});
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i) {
    const std::size_t k = order[i];
    table.add_row({classes_[k], grouped_text(samples_of(tally_, static_cast<int>(k))),
                   std::isnan(accuracy[k]) ? "-" : fmt::format("{:.2f}", 100 * accuracy[k])});
  }
  std::string text = table.to_string();
  if (order.size() > kMostRows) text += fmt::format("and {} more classes (--json has all)\n", order.size() - kMostRows);
  return text;
}

std::string EvaluationReport::confusion_table() const {
  constexpr std::size_t kMostMistakes = 10;
  const std::vector<Mistake> mistakes = mistakes_of(tally_);
  if (mistakes.empty()) return "no mistakes\n";
  TextTable table({"class", "taken for", "images"});
  for (std::size_t i = 0; i < std::min(mistakes.size(), kMostMistakes); ++i) {
    const Mistake& mistake = mistakes[i];
    table.add_row({classes_[static_cast<std::size_t>(mistake.is)],
                   classes_[static_cast<std::size_t>(mistake.taken_for)], grouped_text(mistake.samples)});
  }
  std::string text = table.to_string();
  if (mistakes.size() > kMostMistakes) {
    text += fmt::format("and {} more kinds of mistakes (--json has all)\n", mistakes.size() - kMostMistakes);
  }
  return text;
}

std::string EvaluationReport::json() const {
  const Metrics m = tally_.metrics();
  const std::vector<double> accuracy = tally_.class_accuracy();
  nlohmann::ordered_json json = {{"samples", m.samples},
                                 {"loss", m.loss},
                                 {"top1", m.top1},
                                 {"top5", m.top5},
                                 {"error", 1 - m.top1},
                                 {"classes", nlohmann::json::array()},
                                 {"confusion", nlohmann::json::array()}};
  for (int row = 0; row < tally_.classes(); ++row) {
    const auto k = static_cast<std::size_t>(row);
    json["classes"].push_back({{"name", classes_[k]},
                               {"samples", samples_of(tally_, row)},
                               {"accuracy", std::isnan(accuracy[k]) ? nlohmann::json() : nlohmann::json(accuracy[k])}});
    std::vector<std::int64_t> columns;
    for (int column = 0; column < tally_.classes(); ++column) columns.push_back(tally_.confused(row, column));
    json["confusion"].push_back(columns);
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";  // names need not be UTF-8
}

}  // namespace convoy::cli
