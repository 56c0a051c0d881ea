#include "convoy/train/machine_load.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>

#include "convoy/base/clock.h"
#include "convoy/record/run_info.h"

namespace convoy {
namespace {

// "BOOT_ID 0 1 2": a machine, and those of its CPUs that a rank may use.
std::string own_place() {
  const HostInfo host = read_host();
  std::ostringstream text;
  text << (host.boot_id.empty() ? host.name : host.boot_id);
  for (const int cpu : allowed_cpu_ids()) text << ' ' << cpu;
  return text.str();
}

struct Place {
  std::string machine;
  std::set<int> cpus;
};

Place place_from(const std::string& line) {
  std::istringstream words(line);
  Place place;
  words >> place.machine;
  for (int cpu = 0; words >> cpu;) place.cpus.insert(cpu);
  return place;
}

// The places of all ranks, in the order of ranks, on every rank.
std::vector<Place> places_of(Communicator& communicator) {
  std::string lines;
  for (const std::string& line : communicator.gather(own_place())) lines += line + '\n';
  std::istringstream all(communicator.broadcast(lines));
  std::vector<Place> places;
  for (std::string line; std::getline(all, line);) places.push_back(place_from(line));
  return places;
}

}  // namespace

MachineLoad::MachineLoad(Communicator& communicator) : communicator_(communicator) {
  const std::vector<Place> places = places_of(communicator);
  const Place& own = places[static_cast<std::size_t>(communicator.rank())];
  const auto first = std::ranges::find(places, own.machine, &Place::machine);
  reads_ = first - places.begin() == communicator.rank();
  if (reads_) {
    std::set<int> cpus;
    for (const Place& place : places) {
      if (place.machine == own.machine) cpus.insert(place.cpus.begin(), place.cpus.end());
    }
    cpus_.assign(cpus.begin(), cpus.end());
  }
  cores_ = static_cast<int>(communicator.sum(reads_ ? count_cores(cpus_) : 0));
}

void MachineLoad::begin() {
  begin_times_ = reads_ ? read_cpu_times(cpus_) : std::nullopt;
  begin_own_ = process_cpu_seconds();
}

std::optional<OthersLoad> MachineLoad::end() {
  const std::optional<CpuTimes> times = reads_ ? read_cpu_times(cpus_) : std::nullopt;
  enum : std::size_t { busy, steal, own, unknown, fields };
  std::array<double, fields> sums{};
  sums[own] = process_cpu_seconds() - begin_own_;
  if (times && begin_times_) {
    sums[busy] = times->busy - begin_times_->busy;
    sums[steal] = times->steal - begin_times_->steal;
  } else if (reads_) {
    sums[unknown] = 1;
  }
  communicator_.sum(sums);
  if (sums[unknown] > 0) return std::nullopt;
  // CPU times are counted in ticks, so a quiet machine may seem to have done less than the run did.
  return OthersLoad{.others_seconds = std::max(sums[busy] - sums[own], 0.0),
                    .steal_seconds = std::max(sums[steal], 0.0)};
}

}  // namespace convoy
