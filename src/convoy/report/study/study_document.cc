#include "convoy/report/study/study_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/kind_reports.h"
#include "convoy/report/study/kind_sections.h"
#include "convoy/report/study/provenance.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::Agreement;
using study::PublishedCheck;

std::string verdict_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::follows:
      return "follows";
    case Agreement::cut:
      return "digits cut off, not rounded";
    case Agreement::differs:
      return "does not follow";
    case Agreement::no_data:
      return "no run fits";
    case Agreement::several:
      return "several points fit: say more of the series";
  }
  return "";
}

// In the unit of the figure.
std::string computed_cell(const PublishedCheck& check) {
  const std::string number = number_cell(check.computed);
  return check.computed && check.figure.is_percent ? number + "%" : number;
}

Table table_of(const std::vector<PublishedCheck>& checks) {
  Table table{.id = "published",
              .caption = "Published figures against the raw lines",
              .header = {"series", checks.front().figure.size_key, "statistic", "published", "computed", "verdict"},
              .rows = {}};
  for (const PublishedCheck& check : checks) {
    table.add_row({check.figure.series, fmt::format("{}", check.figure.size),
                   std::string(study::to_text(check.figure.statistic)), check.figure.text, computed_cell(check),
                   verdict_of(check.agreement)});
  }
  return table;
}

}  // namespace

std::optional<Section> published_section(const std::vector<PublishedCheck>& checks) {
  if (checks.empty()) return std::nullopt;
  const auto wrong = std::ranges::count(checks, Agreement::differs, &PublishedCheck::agreement);
  return Section{.id = "published",
                 .title = "Published figures",
                 .blocks = {Paragraph{fmt::format(
                                "{} of {} published figures do not follow from the raw lines. A figure follows when it "
                                "is the computed one, rounded to the digits that were printed. Computed over the lines "
                                "of the logs, as such figures often are.",
                                wrong, checks.size())},
                            table_of(checks)}};
}

namespace {

// "2 times the largest measured"
std::string beyond_text(double beyond) {
  if (beyond <= 1) return "within what was measured";
  return fmt::format("{} times the largest measured", short_text(beyond));
}

// "Not predicted: throughput, epoch time. Amdahl's law: ...", a paragraph for each reason.
std::vector<std::string> missing_predictions(const std::vector<study::Prediction>& predictions) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const study::Prediction& said : predictions) {
    if (said.estimate) continue;
    std::vector<std::string>& quantities = by_reason[said.reason];
    const std::string name = said.quantity + (said.series.empty() ? "" : fmt::format(" ({})", said.series));
    if (std::ranges::find(quantities, name) == quantities.end()) quantities.push_back(name);
  }
  std::vector<std::string> paragraphs;
  for (const auto& [reason, quantities] : by_reason) {
    paragraphs.push_back(fmt::format("Not predicted: {}. {}.", fmt::join(quantities, ", "), capitalized(reason)));
  }
  return paragraphs;
}

std::optional<Section> prediction_section(const std::vector<study::Prediction>& predictions) {
  if (predictions.empty()) return std::nullopt;
  Section section{.id = "predicted", .title = "Predictions", .blocks = {}};
  Table table{.id = "predicted",
              .caption = "Predictions, with the 95 % interval of the law's mean",
              .header = {"series", "quantity", "size", "value", "95 % interval", "how far", "by"},
              .rows = {}};
  for (const study::Prediction& said : predictions) {
    if (!said.estimate) continue;
    table.add_row(
        {said.series, fmt::format("{} ({})", said.quantity, said.unit), fmt::format("{}", said.size),
         significant_text(said.estimate->value), interval_cell(*said.estimate), beyond_text(said.beyond), said.by},
        said.beyond > 1 ? RowMark::doubtful : RowMark::none);
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(
        Paragraph{"Each quantity has a fit of its own, where the runs are enough for one. Intervals know of the spread "
                  "of the runs, and nothing of what changes beyond the measured sizes, such as a second host or a full "
                  "network: the farther, the less they are worth."});
    section.blocks.emplace_back(std::move(table));
  }
  for (std::string& text : missing_predictions(predictions)) section.blocks.emplace_back(Paragraph{std::move(text)});
  return section;
}

std::vector<Section> sections_of(const study::StudyAnalysis& study) {
  if (study.results.points.empty()) {
    return {{.id = "summary",
             .title = "Summary",
             .blocks = {Notice{Notice::Kind::warning, "No runs yet", "No run of this study has ended."}}}};
  }
  return kind_report(study::question_of(study.results)).sections(study);
}

}  // namespace

Document study_document(const study::StudyAnalysis& study) {
  const study::StudyResults& results = study.results;
  Document document{.title = study_title(results), .subtitle = runs_text(results), .sections = sections_of(study)};
  std::vector<Block> notices = state_notices(study);
  std::vector<Block>& first = document.sections.front().blocks;
  first.insert(first.begin(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  if (study.learned) {
    std::ranges::move(learned_sections(results.spec, *study.learned), std::back_inserter(document.sections));
  }
  if (auto predicted = prediction_section(study.predictions)) document.sections.push_back(std::move(*predicted));
  if (auto published = published_section(study.published)) document.sections.push_back(std::move(*published));
  document.sections.push_back(provenance_section(results));
  return document;
}

}  // namespace convoy::report
