// Any bytes are decoded as an image, which can then be resized, or refused with a DataError.
#include <cstddef>
#include <cstdint>

#include "convoy/base/error.h"
#include "convoy/data/image/image_decoder.h"
#include "convoy/data/image/image_resize.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convoy::data;
  Image image;
  ImageResizer resizer;
  Bytes planes(3 * 7 * 5);
  for (const int side : {0, 5}) {
    try {
      decode_image({data, size}, "fuzz", side, side, image);
      if (image.width <= 0 || image.height <= 0) __builtin_trap();
      resizer.resize_and_crop(image.view(), 7, 5, planes);
    } catch (const convoy::DataError&) {
      continue;
    }
  }
  return 0;
}
