#include "convoy/report/chart/omitted.h"

#include <fmt/format.h>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/scale.h"

namespace convoy::report {
namespace {

std::string sentence(std::size_t count, const char* one, const char* many) {
  return count == 1 ? fmt::format("1 value is left out: {}.", one)
                    : fmt::format("{} values are left out: {}.", count, many);
}

}  // namespace

void Omitted::count(double value) { ++(is_drawable(value, AxisScale::linear) ? off_scale : not_numbers); }

std::vector<std::string> Omitted::notes() const {
  std::vector<std::string> notes;
  if (not_numbers > 0)
    notes.push_back(sentence(not_numbers, "it is not a finite number", "they are not finite numbers"));
  if (off_scale > 0)
    notes.push_back(sentence(off_scale, "it has no place on the axis", "they have no place on the axis"));
  return notes;
}

}  // namespace convoy::report
