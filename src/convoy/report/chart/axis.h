// The axis of a chart: what it shows, where values are on it, its ticks, and which values cannot be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace convoy::report {

enum class AxisScale : std::uint8_t {
  linear,
  log2,  // ticks at powers of two, for workers and batch sizes
  log10,
  categorical,  // positions 0, 1, 2, ... with names; only for x
};

struct Axis {
  std::string title;  // including the unit: "throughput (images/s)"
  AxisScale scale = AxisScale::linear;
  bool from_zero = false;               // a linear axis always includes zero
  std::vector<std::string> categories;  // names of the positions of a categorical axis
};

// Which end of a scale is better.
enum class Better : std::uint8_t { higher, lower };

// Conversion of values to places along an axis.

// Whether the value can be placed on such an axis: it must be finite and not beyond 1e300, and positive on a
// logarithmic one.
[[nodiscard]] bool is_drawable(double value, AxisScale scale);

// The smallest and largest of some values.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value);
  [[nodiscard]] bool empty() const { return low > high; }
};

// The extent, or a wider one around it if it is too narrow for an axis, for example because all values are equal.
[[nodiscard]] Extent widened(Extent extent, AxisScale scale);

class Scale {
 public:
  // low < high, and 0 < low for a logarithmic scale.
  Scale(AxisScale kind, double low, double high);

  // 0 at the low end, 1 at the high end. A value beyond an end, or one that cannot be shown at all, is put at that end.
  [[nodiscard]] double fraction(double value) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  AxisScale kind_;
  double low_, high_;
};

// The ticks of an axis: round numbers, and not too many.

// The smallest of 1, 2 and 5 times a power of ten for which at most `max_count` steps fit into `range`. Both must be
// positive.
[[nodiscard]] double nice_step(double range, int max_count);

// The multiples of `step` in [low, high], including both ends.
[[nodiscard]] std::vector<double> multiples_in(double low, double high, double step);

// Powers of `base` in [low, high], at most about `max_count` of them. If there are fewer than three, 1, 2 and 5 times
// powers of ten; if those are fewer than two, multiples of a nice step. 0 < low < high.
[[nodiscard]] std::vector<double> log_ticks(double base, double low, double high, int max_count);

// An axis ready to be drawn: its range and its ticks with their labels.
struct Tick {
  double value = 0;
  std::string label;
};

struct AxisPlan {
  Scale scale;
  std::vector<Tick> ticks;
};

struct AxisNeeds {
  Extent values;               // of what is drawn; not empty unless the axis is categorical
  bool whole_numbers = false;  // no ticks between integers
  bool round_ends = false;     // a linear axis begins and ends at a tick
  int max_ticks = 6;
};

[[nodiscard]] AxisPlan plan_axis(const Axis& axis, const AxisNeeds& needs);

// Whether the position is on the axis: a drawable value or, on a categorical axis, a whole number that has a name.
[[nodiscard]] bool is_on_axis(double value, const Axis& axis);

// Counts values that a chart cannot show, so that it can say so.
struct Omitted {
  std::size_t not_numbers = 0;  // NaN, infinite, or beyond what an axis can span
  std::size_t off_scale = 0;    // zero or less on a logarithmic axis, or a position without a name on a categorical one
  std::size_t cut = 0;          // how many ends of intervals lie beyond the axis

  // Counts a value that cannot be shown.
  void count(double value);

  // One sentence for each kind; empty if nothing was omitted.
  [[nodiscard]] std::vector<std::string> notes() const;
};

// Extends the axis from the values to the ends of their intervals, but not so far that the values would look alike: two
// runs that differ may have an interval of thousands of times the mean. Counts the ends that are cut off.
void include_ends(Extent& values, std::span<const double> ends, AxisScale scale, Omitted& omitted);

}  // namespace convoy::report
