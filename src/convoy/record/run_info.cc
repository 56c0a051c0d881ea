#include "convoy/record/run_info.h"

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/record/json_fields.h"
#include "convoy/record/run_name.h"

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
  // Old records have neither.
  if (json.contains("boot_id")) read_field(json, "boot_id", host.boot_id);
  if (json.contains("hardware_threads")) read_field(json, "hardware_threads", host.hardware_threads);
  return host;
}

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BuildInfo& build) {
  return {{"version", build.version},
          {"git_id", build.git_id},
          {"build_type", build.build_type},
          {"compiler", build.compiler}};
}

BuildInfo build_info_from(const Json& json) {
  BuildInfo build;
  read_field(json, "version", build.version);
  read_field(json, "git_id", build.git_id);
  read_field(json, "build_type", build.build_type);
  read_field(json, "compiler", build.compiler);
  return build;
}

const Json& list_field(const Json& json, const char* name) {
  const Json& list = json_field(json, name);
  if (!list.is_array()) throw DataError("'{}' is not a list", name);
  return list;
}

}  // namespace

RunInfo describe_run(std::vector<std::string> command_line, Json configuration) {
  RunInfo info;
  info.command_line = std::move(command_line);
  info.configuration = std::move(configuration);
  info.hosts = {read_host()};
  info.build = build_info();
  info.started = time_text(std::chrono::system_clock::now());
  return info;
}

Json to_json(const RunInfo& info) {
  Json json = {{"schema", info.schema},         {"started", info.started},       {"from_step", info.from_step},
               {"command_line", Json::array()}, {"build", to_json(info.build)},  {"libraries", Json::object()},
               {"ranks", info.ranks},           {"all_reduce", info.all_reduce}, {"hosts", Json::array()}};
  for (const std::string& argument : info.command_line) json["command_line"].push_back(argument);
  for (const auto& [library, version] : info.libraries) json["libraries"][library] = version;
  for (const HostInfo& host : info.hosts) json["hosts"].push_back(to_json(host));
  json["configuration"] = info.configuration;
  json["earlier_sittings"] = Json::array();
  for (const RunInfo& sitting : info.earlier_sittings) json["earlier_sittings"].push_back(to_json(sitting));
  return json;
}

RunInfo run_info_from(const Json& json) {
  require_schema(json, kRecordSchema);
  RunInfo info;
  info.schema = json.at("schema").get<int>();
  read_field(json, "started", info.started);
  read_field(json, "from_step", info.from_step);
  read_field(json, "command_line", info.command_line);
  info.build = build_info_from(json_field(json, "build"));
  read_field(json, "libraries", info.libraries);
  read_field(json, "ranks", info.ranks);
  read_field(json, "all_reduce", info.all_reduce);
  for (const Json& host : list_field(json, "hosts")) info.hosts.push_back(host_info_from(host));
  info.configuration = json_field(json, "configuration");
  for (const Json& sitting : list_field(json, "earlier_sittings")) {
    info.earlier_sittings.push_back(run_info_from(sitting));
  }
  return info;
}

}  // namespace convoy
