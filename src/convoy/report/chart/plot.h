// The common parts of charts with two axes: legend, titles, grid, labels, and the conversion of values to places.
#pragma once

#include <string>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/axis_labels.h"
#include "convoy/report/chart/legend.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

struct PlotLayout {
  std::string x_title;
  std::string y_title;
  AxisPlan x;
  AxisPlan y;
  std::vector<LegendEntry> legend;
  Crowded crowded_x = Crowded::thin_out;
  bool x_grid = false;
  double x_inset = 0;  // distance between the frame and the outermost values
  double y_inset = 0;
};

class Plot {
 public:
  explicit Plot(PlotLayout layout);

  // In units of the picture.
  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(double value) const;
  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] double bottom() const;
  [[nodiscard]] double width() const;

  // The chart: `marks` over the grid, and `notes` in lines below.
  [[nodiscard]] Picture picture(const std::string& marks, const std::vector<std::string>& notes) const;

 private:
  [[nodiscard]] std::string grid() const;
  [[nodiscard]] std::vector<PlacedLabel> x_labels() const;
  void make_room_for_turned_labels();

  PlotLayout layout_;
  Drawn legend_;
  double left_ = 0;
  double top_ = 0;
};

// A chart without data, which says so and why.
[[nodiscard]] Picture no_data(const std::vector<std::string>& notes);

// Notes as lines of text from `y` downwards.
[[nodiscard]] Drawn draw_notes(const std::vector<std::string>& notes, double y);

}  // namespace convoy::report
