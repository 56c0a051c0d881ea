// A sheet of samples to look at before training: each original beside some of its appearances in training, with class
// names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/image/picture.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

struct ContactSheetOptions {
  AugmentOptions augment;
  std::string title;                  // drawn above the samples
  std::string heading = "augmented";  // above the appearances
  std::int64_t samples = 8;           // rows: the first samples in the order of the first epoch
  int appearances = 6;                // columns after the original, one per epoch
  std::uint64_t seed = 0;
  int smallest_side = 160;                // small images are enlarged by a whole factor to about this many pixels
  std::vector<std::int64_t> chosen = {};  // these samples instead of the first ones
  std::string only_class = {};            // only samples of this class
};

// Throws UserError for options out of range, DataError when a sample cannot be read.
[[nodiscard]] RgbImage draw_contact_sheet(const Source& source, const ContactSheetOptions& options);
// The same as the text of an SVG file, in which text stays text: sharp at any size.
[[nodiscard]] std::string contact_sheet_svg(const Source& source, const ContactSheetOptions& options);

}  // namespace convoy::data
