#include "convoy/run/all_reduce_cache.h"

#include <algorithm>
#include <string>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/input_file.h"
#include "convoy/comm/communicator.h"
#include "convoy/run/user_folders.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// "ranks-4-nodes-2-hosts-0123456789abcdef.json"
fs::path file_for(const fs::path& folder, const std::string& topology) {
  std::string name = topology;
  std::erase(name, ',');
  std::ranges::replace(name, ' ', '-');
  return folder / (name + ".json");
}

// The file's text if it is a table for this topology; otherwise empty.
std::string read_table(const fs::path& file, const std::string& topology) {
  try {
    std::string text = read_file(file);
    return AllReduceTable::from_json(text).topology == topology ? text : std::string();
  } catch (const DataError&) {
    return {};
  }
}

void keep_table(const fs::path& file, const AllReduceTable& table) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  try {
    write_file_atomically(file, table.to_json());
  } catch (const SystemError&) {  // a read-only home folder: the next run measures again
  }
}

}  // namespace

fs::path all_reduce_cache_folder() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "allreduce";
}

std::optional<AllReduceTable> all_reduce_table_for(Transport& transport, const fs::path& folder,
                                                   const AllReduceMeasurement& measurement) {
  if (transport.size() == 1) return std::nullopt;
  const std::string topology = topology_of(transport.nodes());
  const bool keeps = transport.rank() == 0 && !folder.empty();
  const fs::path file = file_for(folder, topology);
  const std::string known = Communicator(transport).broadcast(keeps ? read_table(file, topology) : std::string());
  if (!known.empty()) return AllReduceTable::from_json(known);
  AllReduceTable table = measure_all_reduce(transport, measurement);
  if (keeps) keep_table(file, table);
  return table;
}

}  // namespace convoy
