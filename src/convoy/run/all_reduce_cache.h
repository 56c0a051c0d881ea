// The table that "auto" goes by, measured once for each topology and kept on disk.
#pragma once

#include <filesystem>
#include <optional>

#include "convoy/comm/all_reduce_measurement.h"

namespace convoy {

// The folder for such tables; empty without a cache folder.
[[nodiscard]] std::filesystem::path all_reduce_cache_folder();

// Collective: the table for these ranks, from a file in rank 0's `folder`, or measured and kept there. The same on all
// ranks. A file that is damaged or cannot be written is no error: it is measured again. Nothing for a rank alone. With
// an empty folder nothing is kept.
[[nodiscard]] std::optional<AllReduceTable> all_reduce_table_for(Transport& transport,
                                                                 const std::filesystem::path& folder,
                                                                 const AllReduceMeasurement& measurement = {});

}  // namespace convoy
