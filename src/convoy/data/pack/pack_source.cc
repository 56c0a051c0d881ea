#include "convoy/data/pack/pack_source.h"

#include <algorithm>

namespace convoy::data {

void PackSource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  const auto image = view(split, i);
  require_room(pixels.size());
  std::copy(image.begin(), image.end(), pixels.begin());
}

}  // namespace convoy::data
