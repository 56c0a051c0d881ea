#include "convoy/study/published.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/study/csv_table.h"

namespace convoy::study {

namespace {

constexpr std::array kStatistics = {Statistic::mean, Statistic::median, Statistic::deviation, Statistic::cv};

// Halves of a last digit are no binary numbers: 21.25 is published as 21.2 or 21.3, and both follow.
constexpr double kRounding = 1e-6;

Statistic statistic_at(const CsvTable& table, std::size_t row) {
  const std::string& text = table.text(row, "statistic");
  for (const Statistic statistic : kStatistics) {
    if (text == to_text(statistic)) return statistic;
  }
  throw DataError("{}: the statistic is '{}'; it is one of mean, median, deviation, cv", table.place(row), text);
}

// The value and the unit of its last digit, from the digits as they are printed.
void take_value(const CsvTable& table, std::size_t row, PublishedFigure& figure) {
  std::string text = table.text(row, "value");
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.pop_back();
  while (text.ends_with(' ')) text.pop_back();
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, figure.value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(figure.value)) {
    throw DataError("{}: '{}' in column 'value' is no number", table.place(row), table.text(row, "value"));
  }
  const std::size_t point = text.find('.');
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(text.size() - point - 1);
  figure.last_digit = std::pow(10.0, -decimals);
  if (is_percent) {
    figure.value /= 100;
    figure.last_digit /= 100;
  }
}

std::int64_t workers_at(const CsvTable& table, std::size_t row) {
  const auto workers = table.number(row, "workers");
  if (!workers || *workers < 1 || *workers != std::floor(*workers) || *workers > 1e9) {
    throw DataError("{}: workers are '{}', which is no number from 1 on", table.place(row), table.text(row, "workers"));
  }
  return static_cast<std::int64_t>(*workers);
}

std::optional<double> value_of(const Summary& summary, Statistic statistic) {
  switch (statistic) {
    case Statistic::mean:
      return summary.mean;
    case Statistic::median:
      return summary.median;
    case Statistic::deviation:
      return summary.count > 1 ? std::optional(summary.standard_deviation) : std::nullopt;
    case Statistic::cv:
      return summary.count > 1 ? std::optional(summary.cv) : std::nullopt;
  }
  return std::nullopt;
}

Agreement agreement_of(const PublishedFigure& figure, double computed) {
  const double excess = (computed - figure.value) / figure.last_digit;  // in units of the last digit
  if (std::abs(excess) <= 0.5 + kRounding) return Agreement::follows;
  return excess > 0 && excess < 1 ? Agreement::cut : Agreement::differs;
}

std::string sentence_of(const PublishedCheck& check) {
  const PublishedFigure& figure = check.figure;
  const int decimals = std::max(0, static_cast<int>(std::lround(-std::log10(figure.last_digit))));
  std::string text = fmt::format("{}, {} workers, {}: published {:.{}f}", figure.series, figure.workers,
                                 to_text(figure.statistic), figure.value, decimals);
  if (!check.computed) return text + ", nothing to compute it from";
  text += fmt::format(", computed {:.{}f}", *check.computed, decimals + 1);
  if (figure.value != 0) text += fmt::format(" ({:+.1f} %)", 100 * (*check.computed / figure.value - 1));
  switch (check.agreement) {
    case Agreement::follows:
      return text + ": follows";
    case Agreement::cut:
      return text + ": cut off and not rounded";
    default:
      return text + fmt::format(": differs by more than {:g}", check.tolerance);
  }
}

}  // namespace

std::string_view to_text(Statistic statistic) {
  switch (statistic) {
    case Statistic::mean:
      return "mean";
    case Statistic::median:
      return "median";
    case Statistic::deviation:
      return "deviation";
    case Statistic::cv:
      return "cv";
  }
  return "";
}

std::vector<PublishedFigure> parse_published(std::string_view text, const std::string& name) {
  const CsvTable table(text, name);
  const std::vector<std::string> columns = {"series", "workers", "statistic", "value"};
  table.require_known(columns);
  for (const std::string& column : columns) {
    if (!table.has_column(column)) throw DataError("{}: no column '{}'", name, column);
  }
  std::vector<PublishedFigure> figures;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    PublishedFigure figure;
    figure.series = table.text(row, "series");
    figure.workers = workers_at(table, row);
    figure.statistic = statistic_at(table, row);
    take_value(table, row, figure);
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<PublishedCheck> check_published(std::span<const PublishedFigure> figures,
                                            const ComputedSummaries& computed) {
  std::vector<PublishedCheck> checks;
  for (const PublishedFigure& figure : figures) {
    PublishedCheck check{.figure = figure, .computed = {}, .tolerance = figure.last_digit / 2};
    if (const auto found = computed.find({figure.series, figure.workers}); found != computed.end()) {
      check.computed = value_of(found->second, figure.statistic);
    }
    if (check.computed) check.agreement = agreement_of(figure, *check.computed);
    check.text = sentence_of(check);
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace convoy::study
