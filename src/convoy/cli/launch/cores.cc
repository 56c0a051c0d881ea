#include "convoy/cli/launch/cores.h"

#include <hwloc.h>

#include <memory>
#include <type_traits>

#include "convoy/base/machine.h"

namespace convoy::cli {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

Topology load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  Topology owned(topology);
  return hwloc_topology_load(topology) == 0 ? std::move(owned) : nullptr;
}

int package_of(hwloc_topology_t topology, hwloc_obj_t core) {
  const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
  return package == nullptr ? 0 : static_cast<int>(package->logical_index);
}

}  // namespace

Cores read_cores() {
  const Machine machine = read_machine();
  Cores cores{.package_of_core = {}, .usable = machine.usable_cores};
  const Topology topology = load_topology();
  const int count = topology ? hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) : 0;
  for (int i = 0; i < count; ++i) {
    cores.package_of_core.push_back(
        package_of(topology.get(), hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_CORE, static_cast<unsigned>(i))));
  }
  // Some virtual machines do not tell their cores.
  if (count < 1) cores.package_of_core.assign(static_cast<std::size_t>(machine.allowed_cores), 0);
  return cores;
}

}  // namespace convoy::cli
