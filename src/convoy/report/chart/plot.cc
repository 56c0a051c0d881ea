#include "convoy/report/chart/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

constexpr double kFrameHeight = 290;
constexpr double kRightMargin = 14;
constexpr double kGapToTicks = 9;
constexpr double kNoteHeight = 18;
constexpr double kWidestTick = 130;

double left_margin(const std::vector<Tick>& ticks) {
  double widest = 24;
  for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label));
  return std::min(widest, kWidestTick) + kGapToTicks;
}

}  // namespace

Plot::Plot(PlotLayout layout)
    : layout_(std::move(layout)),
      legend_(draw_legend(layout_.legend, kPictureWidth)),
      left_(left_margin(layout_.y.ticks)),
      top_(legend_.height + (legend_.height > 0 ? 8 : 0) + kNoteHeight + 14) {
  if (layout_.crowded_x == Crowded::turn) make_room_for_turned_labels();
}

std::vector<PlacedLabel> Plot::x_labels() const {
  std::vector<PlacedLabel> labels;
  for (const Tick& tick : layout_.x.ticks) labels.push_back({x(tick.value), tick.label});
  return labels;
}

// Moves the frame to the right until the labels under its first values are not cut off at the edge of the picture.
void Plot::make_room_for_turned_labels() {
  const std::vector<PlacedLabel> labels = x_labels();
  const std::vector<double> reaches = turned_reaches(labels);
  double left = left_;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    // A label moves with the frame's left edge by the share of the width that lies to its right.
    const double share = (left_ + width() - labels[i].x) / width();
    if (share > 0) left = std::max(left, left_ + (reaches[i] - labels[i].x) / share);
  }
  left_ = left;
}

double Plot::bottom() const { return top_ + kFrameHeight; }

double Plot::width() const { return kPictureWidth - kRightMargin - left_; }

double Plot::x(double value) const {
  return left_ + layout_.x_inset + layout_.x.scale.fraction(value) * (width() - 2 * layout_.x_inset);
}

double Plot::y(double value) const {
  return bottom() - layout_.y_inset - layout_.y.scale.fraction(value) * (kFrameHeight - 2 * layout_.y_inset);
}

std::string Plot::grid() const {
  std::string elements;
  for (const Tick& tick : layout_.y.ticks) {
    elements += svg_line(left_, y(tick.value), left_ + width(), y(tick.value), "grid");
    elements += svg_text(left_ - kGapToTicks, y(tick.value) + 4.5, shortened(tick.label, kWidestTick),
                         {.anchor = Anchor::end, .classes = "tick"});
  }
  for (const Tick& tick : layout_.x.ticks) {
    const double place = x(tick.value);
    if (layout_.x_grid) elements += svg_line(place, top_, place, bottom(), "grid");
  }
  return elements + svg_line(left_, bottom(), left_ + width(), bottom(), "axis");
}

Picture Plot::picture(const std::string& marks, const std::vector<std::string>& notes) const {
  const Drawn ticks = draw_axis_labels(x_labels(), layout_.crowded_x, 0);
  std::string elements = legend_.elements;
  elements += svg_text(0, top_ - 18, shortened(layout_.y_title, kPictureWidth),
                       {.classes = "axis-title", .full_text = layout_.y_title});
  elements += grid() + marks;
  elements += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", px(bottom() + 6), ticks.elements);
  double end = bottom() + 6 + ticks.height;
  if (!layout_.x_title.empty()) {
    end += kNoteHeight;
    elements += svg_text(left_ + width() / 2, end, shortened(layout_.x_title, width()),
                         {.anchor = Anchor::middle, .classes = "axis-title", .full_text = layout_.x_title});
  }
  const Drawn remarks = draw_notes(notes, end + 6);
  return {.width = kPictureWidth, .height = end + 6 + remarks.height, .elements = elements + remarks.elements};
}

Drawn draw_notes(const std::vector<std::string>& notes, double y) {
  Drawn drawn;
  for (const std::string& note : notes) {
    drawn.height += kNoteHeight;
    drawn.elements += svg_text(0, y + drawn.height, note, {.classes = "note"});
  }
  if (drawn.height > 0) drawn.height += 6;
  return drawn;
}

Picture no_data(const std::vector<std::string>& notes) {
  constexpr double kHeight = 96;
  const Drawn remarks = draw_notes(notes, kHeight);
  return {.width = kPictureWidth,
          .height = kHeight + remarks.height,
          .elements = svg_rect({.x = 0.5, .y = 0.5, .width = kPictureWidth - 1, .height = kHeight - 1}, "empty") +
                      svg_text(kPictureWidth / 2, kHeight / 2 + 5, "no data", {.anchor = Anchor::middle}) +
                      remarks.elements};
}

}  // namespace convoy::report
