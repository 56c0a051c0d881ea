#include "convoy/study/analysis/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/printable_text.h"
#include "convoy/study/log/csv_table.h"

namespace convoy::study {

namespace {

// The names of statistics that people use, reduced to their letters.
constexpr std::array kStatisticNames = {std::pair{"mean", Statistic::mean},
                                        std::pair{"average", Statistic::mean},
                                        std::pair{"avg", Statistic::mean},
                                        std::pair{"median", Statistic::median},
                                        std::pair{"deviation", Statistic::deviation},
                                        std::pair{"standarddeviation", Statistic::deviation},
                                        std::pair{"stddeviation", Statistic::deviation},
                                        std::pair{"stddev", Statistic::deviation},
                                        std::pair{"stdev", Statistic::deviation},
                                        std::pair{"std", Statistic::deviation},
                                        std::pair{"sd", Statistic::deviation},
                                        std::pair{"cv", Statistic::cv},
                                        std::pair{"coefficientofvariation", Statistic::cv},
                                        std::pair{"relativestandarddeviation", Statistic::cv}};

// A tolerance for rounding: decimal fractions are not exact in binary, so 21.25 may be published as 21.2 or 21.3, and
// both are right.
constexpr double kRoundingOfPercent = 1e-6;

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) letters += static_cast<char>(std::tolower(byte));
  }
  return letters;
}

// The name of the statistic may also say the unit of its value, as "CV (%)" does.
void take_statistic(const CsvTable& table, std::size_t row, PublishedFigure& figure) {
  const std::string& text = table.text(row, "statistic");
  std::string letters = letters_of(text);
  figure.is_percent = text.find('%') != std::string::npos;
  for (const std::string_view unit : {"inpercent", "percent"}) {
    if (!letters.ends_with(unit)) continue;
    letters.resize(letters.size() - unit.size());
    figure.is_percent = true;
  }
  const auto found = std::ranges::find(kStatisticNames, letters, &decltype(kStatisticNames)::value_type::first);
  if (found == kStatisticNames.end()) {
    throw DataError("{}: the statistic is '{}'; it is one of mean, median, deviation, cv", table.place(row),
                    quoted_text(text));
  }
  figure.statistic = found->second;
}

// Replaces Unicode's special blanks, which some use between thousands, by plain ones, and removes those around the
// text.
std::string with_plain_blanks(std::string text) {
  for (const std::string_view blank : {"\u00A0", "\u2009", "\u202F"}) {
    for (std::size_t at = text.find(blank); at != std::string::npos; at = text.find(blank)) {
      text.replace(at, blank.size(), " ");
    }
  }
  while (text.ends_with(' ')) text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// Removes thousands separators: "1,628.9", "1'628.9" and "1 628.9" have one before each three digits of the whole part.
// Other separators stay and make the text invalid: "88,2" may be a list.
std::string without_thousands(const std::string& text) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  std::string digits;
  for (std::size_t i = 0; i < whole; ++i) {
    const bool separates = std::string_view(",' ").find(text[i]) != std::string_view::npos && (whole - i) % 4 == 0;
    if (!separates || i == 0) digits += text[i];
  }
  return digits + text.substr(whole);
}

// Reads the value, and from the number of printed digits the unit of the last one.
void take_number(const CsvTable& table, std::size_t row, PublishedFigure& figure) {
  std::string text = with_plain_blanks(figure.text);
  if (text.ends_with('%')) {
    figure.is_percent = true;
    text = with_plain_blanks(text.substr(0, text.size() - 1));
  }
  text = without_thousands(text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, figure.value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(figure.value)) {
    throw DataError("{}: '{}' in column 'value' is not a number, such as 88.2, 1,628.9 or 9.63%", table.place(row),
                    quoted_text(figure.text));
  }
  const std::size_t point = text.find('.');
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(text.size() - point - 1);
  figure.last_digit = std::pow(10.0, -decimals);
}

void take_value(const CsvTable& table, std::size_t row, PublishedFigure& figure) {
  figure.text = table.text(row, "value");
  take_number(table, row, figure);
  const bool is_level = figure.statistic == Statistic::mean || figure.statistic == Statistic::median;
  if (is_level && figure.is_percent) {
    throw DataError("{}: a {} of {}: it is in samples/s; only a deviation or a cv can be in percent", table.place(row),
                    to_text(figure.statistic), figure.text);
  }
  // A CV above 1 must be in percent: nobody publishes a CV of 963 %.
  if (figure.statistic == Statistic::cv && figure.value > 1) figure.is_percent = true;
  if (figure.is_percent) figure.statistic = Statistic::cv;  // a deviation in percent of the mean is a CV
}

std::int64_t size_at(const CsvTable& table, std::size_t row, const std::string& key) {
  const auto size = table.number(row, key);
  if (!size || *size < 1 || *size != std::floor(*size) || *size > 1e9) {
    throw DataError("{}: {} '{}' is not a number from 1 on", table.place(row), key, quoted_text(table.text(row, key)));
  }
  return static_cast<std::int64_t>(*size);
}

// The column that says what a figure's size is; there must be exactly one.
std::string size_key_in(const CsvTable& table, const std::string& name) {
  std::string found;
  for (const char* const key : {"workers", "batch", "threads"}) {
    if (!table.has_column(key)) continue;
    if (!found.empty()) throw DataError("{}: columns '{}' and '{}': only one can be what varies", name, found, key);
    found = key;
  }
  if (found.empty()) throw DataError("{}: no column 'workers', nor 'batch' or 'threads'", name);
  return found;
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
  if (std::abs(excess) <= 0.5 + kRoundingOfPercent) return Agreement::follows;
  return excess > 0 && excess < 1 ? Agreement::cut : Agreement::differs;
}

// "4 workers", "batch 64"
std::string size_text(const PublishedFigure& figure) {
  if (figure.size_key == "batch") return fmt::format("batch {}", figure.size);
  return fmt::format("{} {}", figure.size, figure.size_key);
}

std::string sentence_of(const PublishedCheck& check) {
  const PublishedFigure& figure = check.figure;
  const int decimals = std::max(0, static_cast<int>(std::lround(-std::log10(figure.last_digit))));
  std::string text =
      fmt::format("{}, {}, {}: published {}", figure.series, size_text(figure), to_text(figure.statistic), figure.text);
  if (check.agreement == Agreement::several) return text + ", and several points fit";
  if (!check.computed) return text + ", nothing to compute it from";
  text += fmt::format(", computed {:.{}f}{}", *check.computed, decimals + 1, figure.is_percent ? "%" : "");
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

std::string_view to_text(Agreement agreement) {
  switch (agreement) {
    case Agreement::follows:
      return "follows";
    case Agreement::cut:
      return "cut";
    case Agreement::differs:
      return "differs";
    case Agreement::no_data:
      return "no data";
    case Agreement::several:
      return "several";
  }
  return "";
}

std::vector<PublishedFigure> parse_published(std::string_view text, const std::string& name) {
  const CsvTable table(text, name);
  table.require_known(std::vector<std::string>{"series", "workers", "batch", "threads", "statistic", "value"});
  for (const char* const column : {"series", "statistic", "value"}) {
    if (!table.has_column(column)) throw DataError("{}: no column '{}'", name, column);
  }
  const std::string size_key = size_key_in(table, name);
  std::vector<PublishedFigure> figures;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    PublishedFigure figure;
    figure.series = table.text(row, "series");
    figure.size_key = size_key;
    figure.size = size_at(table, row, size_key);
    take_statistic(table, row, figure);
    take_value(table, row, figure);
    figures.push_back(std::move(figure));
  }
  return figures;
}

PublishedCheck check_published(const PublishedFigure& figure, std::span<const Summary> computed) {
  PublishedCheck check{.figure = figure, .computed = {}, .tolerance = figure.last_digit / 2};
  if (computed.size() == 1) check.computed = value_of(computed.front(), figure.statistic);
  if (check.computed && figure.is_percent) *check.computed *= 100;
  if (check.computed) check.agreement = agreement_of(figure, *check.computed);
  if (computed.size() > 1) check.agreement = Agreement::several;
  check.text = sentence_of(check);
  return check;
}

}  // namespace convoy::study
