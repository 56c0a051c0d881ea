#include "convoy/data/pack_source.h"

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy::data {

void PackSource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  const auto image = view(split, i);
  CONVOY_CHECK_EQ(pixels.size(), image.size());
  std::copy(image.begin(), image.end(), pixels.begin());
}

}  // namespace convoy::data
