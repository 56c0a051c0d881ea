// The table by which "auto" chooses an all-reduce, measured once for each topology and kept on disk.
#pragma once

#include <filesystem>
#include <optional>

#include "convoy/comm/all_reduce_measurement.h"

namespace convoy {

// The folder for such tables; empty if there is no cache folder.
[[nodiscard]] std::filesystem::path all_reduce_cache_folder();

// Collective: the table for these ranks, read from a file in rank 0's `folder`, or measured and kept there. The same on
// all ranks. A file that is damaged or cannot be written is no error; the table is then measured again. No value for a
// single rank. With an empty folder nothing is kept.
[[nodiscard]] std::optional<AllReduceTable> all_reduce_table_for(Transport& transport,
                                                                 const std::filesystem::path& folder,
                                                                 const AllReduceMeasurement& measurement = {});

}  // namespace convoy
