#include "convoy/data/source/source.h"

#include "convoy/base/error.h"

namespace convoy::data {

void Source::require_sample(Split split, std::int64_t i) const {
  if (i >= 0 && i < size(split)) return;
  throw UserError("{} has {} {} samples, there is no sample {}", name(), size(split),
                  split == Split::train ? "training" : "test", i);
}

void Source::require_room(std::size_t bytes) const {
  if (static_cast<std::int64_t>(bytes) == shape().count()) return;
  throw UserError("an image of {} is {}: {} bytes, got room for {}", name(), shape().to_string(), shape().count(),
                  bytes);
}

}  // namespace convoy::data
