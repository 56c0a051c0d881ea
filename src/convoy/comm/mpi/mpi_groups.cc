#include "convoy/comm/mpi/mpi_groups.h"

#include <array>
#include <string>
#include <vector>

#include "convoy/comm/mpi/mpi_error.h"

namespace convoy {
namespace {

using HostName = std::array<char, MPI_MAX_PROCESSOR_NAME>;

MPI_Comm copy_of_world() {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return copy;
}

MPI_Comm node_of(MPI_Comm world, int ranks_per_node) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank_in(world), MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  if (ranks_per_node <= 0) return node;
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(node, rank_in(node) / ranks_per_node, rank_in(node), &part), "MPI_Comm_split");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return part;
}

std::vector<std::string> host_names(MPI_Comm world) {
  HostName own{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(own.data(), &length), "MPI_Get_processor_name");
  std::vector<HostName> names(size_of(world));
  const auto bytes = static_cast<int>(own.size());
  check_mpi(MPI_Allgather(own.data(), bytes, MPI_CHAR, names.data(), bytes, MPI_CHAR, world), "MPI_Allgather");
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const HostName& name : names) {
    texts.emplace_back(name.data());
  }
  return texts;
}

}  // namespace

MpiGroups MpiGroups::of_world(int ranks_per_node) {
  const MPI_Comm messages = copy_of_world();
  return {.messages = messages, .alarms = copy_of_world(), .node = node_of(messages, ranks_per_node)};
}

void MpiGroups::free_all() {
  for (MPI_Comm* group : {&node, &alarms, &messages}) {
    MPI_Comm_free(group);
  }
}

// The ranks of a node are recognised by a common number: that of the node's first rank.
NodeMap node_map_of(const MpiGroups& groups) {
  int leader = rank_in(groups.messages);
  check_mpi(MPI_Bcast(&leader, 1, MPI_INT, 0, groups.node), "MPI_Bcast");
  std::vector<int> keys(size_of(groups.messages));
  check_mpi(MPI_Allgather(&leader, 1, MPI_INT, keys.data(), 1, MPI_INT, groups.messages), "MPI_Allgather");
  return {keys, host_names(groups.messages)};
}

int rank_in(MPI_Comm group) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(group, &rank), "MPI_Comm_rank");
  return rank;
}

int size_of(MPI_Comm group) {
  int size = 0;
  check_mpi(MPI_Comm_size(group, &size), "MPI_Comm_size");
  return size;
}

}  // namespace convoy
