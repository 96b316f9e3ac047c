#include "sightline/runs/reading/swanlab_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/pattern/secrets.h"
#include "sightline/base/yaml/foreign_yaml.h"
#include "sightline/runs/reading/literal_settings.h"
#include "sightline/runs/reading/run_facts.h"

namespace sightline {
namespace {

using Json = nlohmann::json;

// Of all values together. An alias may name the same part of a file over and over.
constexpr std::size_t kMostNodes = 20'000;

// A value of YAML as JSON; none if there are too many, or they are nested too deeply.
std::optional<Json> JsonOf(const YAML::Node& node, std::size_t depth, std::size_t& nodes) {
  if (depth > kDeepestSetting || ++nodes > kMostNodes) return std::nullopt;
  if (node.IsMap()) {
    Json object = Json::object();
    for (const auto& pair : node) {
      auto value = JsonOf(pair.second, depth + 1, nodes);
      if (!value || !pair.first.IsScalar()) return std::nullopt;
      object[pair.first.Scalar()] = *std::move(value);
    }
    return object;
  }
  if (node.IsSequence()) {
    Json list = Json::array();
    for (const auto& one : node) {
      auto value = JsonOf(one, depth + 1, nodes);
      if (!value) return std::nullopt;
      list.push_back(*std::move(value));
    }
    return list;
  }
  if (!node.IsScalar()) return Json();
  if (node.Tag() == "!") return Json(node.Scalar());  // In quotes.
  Json plain = ParseForeignJson<Json>(node.Scalar());
  return plain.is_primitive() ? plain : Json(node.Scalar());
}

// {name: {desc: "", sort: 0, value: ...}, ...}
void AddConfiguration(const std::string& text, RunLineage& lineage) {
  const auto all = LoadForeignYaml(text);
  if (!all || !all->IsMap()) return;
  std::size_t nodes = 0;
  for (const auto& pair : *all) {
    if (!pair.first.IsScalar() || !pair.second.IsMap()) continue;
    const YAML::Node node = pair.second["value"];
    const auto value = node.IsDefined() ? JsonOf(node, 0, nodes) : std::nullopt;
    if (!value) continue;
    AddLiteral(pair.first.Scalar(), value->dump(-1, ' ', false, Json::error_handler_t::replace),
               lineage);
  }
}

void AddFact(const char* name, const Json& value, RunLineage& lineage) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty())
    lineage.emplace(name, HideSecrets(value.get_ref<const std::string&>()));
  if (value.is_number_integer()) lineage.emplace(name, value.get<std::int64_t>());
}

void AddMetadata(const std::string& text, RunLineage& lineage) {
  const Json all = ParseForeignJson<Json>(text);
  if (!all.is_object()) return;
  // By version 0.10 and 0.7.
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"/runtime/command", "run.command"},
      {"/command", "run.command"},
      {"/runtime/cwd", "run.directory"},
      {"/cwd", "run.directory"},
      {"/runtime/hostname", "run.host"},
      {"/hostname", "run.host"},
      {"/runtime/os", "run.system"},
      {"/os", "run.system"},
      {"/runtime/python_version", "run.python.version"},
      {"/python", "run.python.version"},
      {"/runtime/python_executable", "run.python.path"},
      {"/executable", "run.python.path"},
      {"/git/remote_url", "run.git.remote"},
      {"/git_remote", "run.git.remote"},
      {"/git/branch", "run.git.branch"},
      {"/git_info/0", "run.git.branch"},
      {"/git/commit", "run.git.commit"},
      {"/git_info/1", "run.git.commit"},
      {"/hardware/cpu/logical_count", "run.cpus"},
  };
  for (const auto& [path, name] : kNames) {
    const Json::json_pointer pointer(path);
    if (all.contains(pointer)) AddFact(name, all.at(pointer), lineage);
  }
}

}  // namespace

void AddSwanLabFiles(FileSystem& file_system, const std::string& directory, RunLineage& lineage) {
  const auto read = [&](const char* name) {
    return ReadFactsFile(file_system, JoinPath(JoinPath(directory, "files"), name));
  };
  AddConfiguration(read("config.yaml"), lineage);
  AddMetadata(read("swanlab-metadata.json"), lineage);
}

}  // namespace sightline
