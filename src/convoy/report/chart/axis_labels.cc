#include "convoy/report/chart/axis_labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

constexpr double kGap = 8;
constexpr double kLineHeight = 17;
constexpr double kTurnedLineHeight = 14;
constexpr double kTurnedDegrees = -35;
constexpr double kTurnedAngle = -kTurnedDegrees * std::numbers::pi / 180;
constexpr double kLongestTurned = 190;

bool fit_side_by_side(const std::vector<PlacedLabel>& labels, std::size_t stride) {
  for (std::size_t i = stride; i < labels.size(); i += stride) {
    const double needed = (text_width(labels[i].text) + text_width(labels[i - stride].text)) / 2 + kGap;
    if (labels[i].x - labels[i - stride].x < needed) return false;
  }
  return true;
}

Drawn side_by_side(const std::vector<PlacedLabel>& labels, std::size_t stride) {
  Drawn drawn{.height = kLineHeight};
  for (std::size_t i = 0; i < labels.size(); i += stride) {
    drawn.elements += svg_text(labels[i].x, 12, labels[i].text, {.anchor = Anchor::middle, .classes = "tick"});
  }
  return drawn;
}

double closest(const std::vector<PlacedLabel>& labels) {
  double distance = labels.back().x - labels.front().x;
  for (std::size_t i = 1; i < labels.size(); ++i) distance = std::min(distance, labels[i].x - labels[i - 1].x);
  return std::max(distance, 1e-3);
}

// Names that do not fit first lose the parts that they have in common.
std::vector<std::string> turned_texts(const std::vector<PlacedLabel>& labels) {
  std::vector<std::string> texts;
  for (const PlacedLabel& label : labels) texts.push_back(label.text);
  return told_apart(texts);
}

Drawn turned(const std::vector<PlacedLabel>& labels, double least_x) {
  const std::vector<std::string> texts = turned_texts(labels);
  // The distance between rotated lines of text is that of their ends times the sine of the angle.
  const double needed = kTurnedLineHeight / std::sin(kTurnedAngle);
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(needed / closest(labels))));
  Drawn drawn;
  double longest = 0;
  for (std::size_t i = 0; i < labels.size(); i += stride) {
    const double room = std::min(kLongestTurned, (labels[i].x - least_x) / std::cos(kTurnedAngle));
    const std::string text = shortened(texts[i], std::max(room, 40.0));
    longest = std::max(longest, text_width(text));
    drawn.elements += svg_text(
        labels[i].x + 4, 11, text,
        {.anchor = Anchor::end, .classes = "tick", .turned_degrees = kTurnedDegrees, .full_text = labels[i].text});
  }
  drawn.height = longest * std::sin(kTurnedAngle) + kLineHeight;
  return drawn;
}

}  // namespace

std::vector<double> turned_reaches(const std::vector<PlacedLabel>& labels) {
  if (fit_side_by_side(labels, 1)) return {};
  std::vector<double> reaches;
  for (const std::string& text : turned_texts(labels)) {
    reaches.push_back(std::min(text_width(text), kLongestTurned) * std::cos(kTurnedAngle));
  }
  return reaches;
}

Drawn draw_axis_labels(const std::vector<PlacedLabel>& labels, Crowded crowded, double least_x) {
  if (labels.empty()) return {};
  if (fit_side_by_side(labels, 1)) return side_by_side(labels, 1);
  if (crowded == Crowded::turn) return turned(labels, least_x);
  std::size_t stride = 2;
  while (!fit_side_by_side(labels, stride)) ++stride;
  return side_by_side(labels, stride);
}

}  // namespace convoy::report
