#include "convoy/record/host_info.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "convoy/base/machine.h"
#include "convoy/record/json_fields.h"

namespace convoy {

namespace {

std::string read_boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace

HostInfo read_host() {
  const Machine machine = read_machine();
  return {.name = host_name(),
          .cpu_model = machine.cpu_model,
          .usable_cores = machine.usable_cores,
          .memory_bytes = machine.memory_bytes,
          .boot_id = read_boot_id(),
          .hardware_threads = machine.online_cpus};
}

nlohmann::ordered_json to_json(const HostInfo& host) {
  return {{"name", host.name},
          {"cpu_model", host.cpu_model},
          {"usable_cores", host.usable_cores},
          {"memory_bytes", host.memory_bytes},
          {"boot_id", host.boot_id},
          {"hardware_threads", host.hardware_threads}};
}

HostInfo host_info_from(const nlohmann::ordered_json& json) {
  HostInfo host;
  read_field(json, "name", host.name);
  read_field(json, "cpu_model", host.cpu_model);
  read_field(json, "usable_cores", host.usable_cores);
  read_field(json, "memory_bytes", host.memory_bytes);
  // Earlier records have neither.
  if (json.contains("boot_id")) read_field(json, "boot_id", host.boot_id);
  if (json.contains("hardware_threads")) read_field(json, "hardware_threads", host.hardware_threads);
  return host;
}

}  // namespace convoy
