// How data is opened, as settings of a user.
#pragma once

#include <cstdint>
#include <string>

#include "convoy/data/source/source_options.h"
#include "convoy/run/remarks.h"

namespace convoy {

struct SourceSettings {
  std::string data_dir;
  std::int64_t image_size = 0;  // 0: the data's own
  double val_fraction = 0.2;
  std::uint64_t split_seed = 0;
  bool skip_corrupt = false;
  std::string pack = "auto";
};

// The options with the cache folder and all usable cores. Throws UserError for values out of range.
[[nodiscard]] data::SourceOptions source_options(const SourceSettings& settings, const Remarks& remarks);

}  // namespace convoy
