// What the files of an image list look like before they are resized.
#pragma once

#include "convoy/data/image/image_decoder.h"
#include "convoy/data/source/image_files.h"

namespace convoy::data {

struct ImageSurvey {
  ImageSize smallest;  // by area, as are the others
  ImageSize median;
  ImageSize largest;
  std::int64_t jpeg = 0;
  std::int64_t png = 0;
};

// Reads the header of every file; those that cannot be read are left out.
[[nodiscard]] ImageSurvey survey_images(const ImageFiles& files, int threads);

}  // namespace convoy::data
