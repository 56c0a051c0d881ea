#include "convoy/cli/launch/launch_plan.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <type_traits>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/run/fair_threads.h"

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
  // Some virtual machines do not report their cores.
  if (count < 1) cores.package_of_core.assign(static_cast<std::size_t>(machine.allowed_cores), 0);
  return cores;
}

namespace {

constexpr const char* kLocalHost = "localhost";
constexpr const char* kSingleCopy = "OMPI_MCA_btl_vader_single_copy_mechanism";
constexpr const char* kBindingPolicy = "OMPI_MCA_hwloc_base_binding_policy";

// Decisions that the parts of the plan share.
struct Layout {
  std::vector<Host> hosts;
  std::vector<int> shares;  // how many workers each host gets
  int threads = 1;
  bool oversubscribed = false;
  bool bound = false;
  // The environment already has a binding policy, which is kept: hosts may be parts of one machine.
  bool users_binding = false;
  bool elsewhere = false;  // some workers run on other machines
};

std::string plural(int count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool has_variable(const LaunchSituation& situation, const char* name) {
  return std::ranges::find(situation.variable_names, name) != situation.variable_names.end();
}

bool is_here(const Host& host, const LaunchSituation& situation) {
  return host.name == kLocalHost || host.name == situation.host_name || host.name == "127.0.0.1";
}

Layout lay_out(const LaunchRequest& request, const LaunchSituation& situation) {
  Layout layout;
  layout.hosts = request.hosts;
  if (layout.hosts.empty()) layout.hosts.push_back({kLocalHost, request.workers});
  layout.shares = share_workers(request.workers, layout.hosts);
  const int most = std::ranges::max(layout.shares);
  const Cores& cores = situation.cores;
  // All ranks compute with the same number of threads: they share one plan, and the slowest sets the pace.
  const int share = std::max(1, cores.usable / most);
  layout.threads = request.threads.value_or(std::min(share, request.most_threads.value_or(share)));
  layout.oversubscribed = most * layout.threads > cores.usable;
  layout.users_binding = has_variable(situation, kBindingPolicy);
  layout.bound = request.own_cores && !layout.oversubscribed && !layout.users_binding && cores.are_ours();
  layout.elsewhere = std::ranges::any_of(layout.hosts, [&](const Host& host) { return !is_here(host, situation); });
  return layout;
}

void check(const LaunchRequest& request) {
  if (request.workers < 1) throw UserError("--workers must be at least 1, got {}", request.workers);
  if (request.threads) require_threads(*request.threads);
}

std::string host_argument(const Layout& layout) {
  std::string text;
  for (std::size_t i = 0; i < layout.hosts.size(); ++i) {
    if (layout.shares[i] == 0) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", layout.hosts[i].name, layout.shares[i]);
  }
  return text;
}

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words binding(const Layout& layout) {
  if (layout.bound) return {"--map-by", fmt::format("slot:PE={}", layout.threads), "--bind-to", "core"};
  // mpirun assumes that slots are cores, and MPI would wait for other ranks without letting them run.
  if (layout.oversubscribed) return {"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"};
  if (layout.users_binding) return {};
  return {"--bind-to", "none"};
}

// Whether mpirun must copy the variable to other hosts. (It copies OMPI_* by itself.)
bool travels(std::string_view name) {
  constexpr std::array kPrefixes = {"CONVOY_", "XDG_"};
  constexpr std::array kNames = {"LD_LIBRARY_PATH", "NO_COLOR", "TERM"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::ranges::find(kNames, name) != kNames.end();
}

Words exported(const Layout& layout, const LaunchSituation& situation) {
  Words words = {"-x", fmt::format("OMP_NUM_THREADS={}", layout.threads)};
  // Waiting threads must give their core to others.
  if (layout.oversubscribed) append(words, {"-x", "OMP_WAIT_POLICY=passive"});
  if (situation.on_terminal) append(words, {"-x", "CONVOY_ON_TERMINAL=1"});
  for (const std::string& name : situation.variable_names) {
    if (layout.elsewhere && travels(name)) append(words, {"-x", name});
  }
  return words;
}

// Nobody can answer questions of ssh, and it should not take minutes to notice that a host is down. If the user has
// chosen another way to reach hosts, it is kept.
Words how_to_reach_hosts(const Layout& layout, const LaunchSituation& situation) {
  constexpr std::array kChosen = {"OMPI_MCA_plm", "OMPI_MCA_plm_rsh_agent", "OMPI_MCA_plm_rsh_args"};
  const auto chosen = [&](const char* name) { return has_variable(situation, name); };
  if (!layout.elsewhere || std::ranges::any_of(kChosen, chosen)) return {};
  return {"--mca", "plm_rsh_args", "-o BatchMode=yes -o ConnectTimeout=10"};
}

Words mpirun_arguments(const LaunchRequest& request, const LaunchSituation& situation, const Layout& layout) {
  Words words = {"mpirun"};
  if (situation.is_root) append(words, {"--allow-run-as-root"});
  append(words, {"-n", fmt::format("{}", request.workers), "--host", host_argument(layout)});
  append(words, binding(layout));
  append(words, how_to_reach_hosts(layout, situation));
  // See quieten_mpi() in world.cc; given here too, because all processes must know it from the start.
  if (!has_variable(situation, kSingleCopy)) {
    append(words, {"--mca", "btl_vader_single_copy_mechanism", "none"});
  }
  append(words, exported(layout, situation));
  append(words, request.command);
  if (!request.threads) append(words, {"--threads", fmt::format("{}", layout.threads)});
  return words;
}

std::string cores_text(const Layout& layout, const Cores& cores, int local_rank) {
  if (!layout.bound) return fmt::format("any of {}", plural(cores.usable, "core"));
  const int first = local_rank * layout.threads;
  if (layout.threads == 1) return fmt::format("core {}", first);
  return fmt::format("cores {}-{}", first, first + layout.threads - 1);
}

std::string map_text(const Layout& layout, const LaunchSituation& situation) {
  std::string text;
  int rank = 0;
  for (std::size_t i = 0; i < layout.hosts.size(); ++i) {
    const Host& host = layout.hosts[i];
    const std::string& name = is_here(host, situation) ? situation.host_name : host.name;
    for (int local = 0; local < layout.shares[i]; ++local) {
      text += fmt::format("rank {:<4} {}  {}, {}\n", rank++, name, cores_text(layout, situation.cores, local),
                          plural(layout.threads, "thread"));
    }
  }
  return text;
}

bool spans_packages(const Layout& layout, const Cores& cores) {
  if (!layout.bound) return false;
  for (int local = 0; local < std::ranges::max(layout.shares); ++local) {
    const int first = local * layout.threads;
    if (cores.package_of_core[first] != cores.package_of_core[first + layout.threads - 1]) return true;
  }
  return false;
}

std::vector<std::string> notes_on(const LaunchRequest& request, const LaunchSituation& situation,
                                  const Layout& layout) {
  const Cores& cores = situation.cores;
  const int most = std::ranges::max(layout.shares);
  std::vector<std::string> notes;
  if (situation.is_root) notes.emplace_back("running as root: mpirun is told that this is meant");
  if (layout.oversubscribed) {
    notes.push_back(fmt::format("{} of {} share {}: good for trying out, not for speed", plural(most, "worker"),
                                plural(layout.threads, "thread"), plural(cores.usable, "core")));
  } else if (!layout.bound) {
    notes.push_back(layout.users_binding ? fmt::format("workers are bound to cores as {} says", kBindingPolicy)
                                         : fmt::format("{} of {} may be used here, so workers are not bound to cores",
                                                       plural(cores.usable, "core"), cores.count()));
  }
  if (request.most_threads && layout.threads < *request.most_threads) {
    notes.push_back(fewer_threads_note(*request.most_threads, layout.threads));
  }
  if (const int idle = cores.usable - most * layout.threads; idle > 0) {
    notes.push_back(fmt::format("{} of {} stay idle", idle, plural(cores.usable, "core")));
  }
  if (spans_packages(layout, cores)) {
    notes.emplace_back(
        "a worker spans two processors, whose memory is far from each other: more workers of fewer "
        "threads may be faster");
  }
  if (layout.elsewhere && !request.threads) {
    notes.push_back(fmt::format("hosts are taken to have {} each, as this one; --threads says otherwise",
                                plural(cores.usable, "core")));
  }
  return notes;
}

}  // namespace

LaunchPlan plan_launch(const LaunchRequest& request, const LaunchSituation& situation) {
  check(request);
  const Layout layout = lay_out(request, situation);
  return {.arguments = mpirun_arguments(request, situation, layout),
          .threads = layout.threads,
          .map = map_text(layout, situation),
          .notes = notes_on(request, situation, layout)};
}

}  // namespace convoy::cli
