#include "sightline/collectors/config/summary_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sightline/collectors/config/summary_parameters.h"
#include "sightline/collectors/config/yaml_value.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
// The library that reads YAML takes a hundred times the memory of a bracket before it looks at the
// depth.
constexpr std::ptrdiff_t kMaxBrackets = 10'000;
constexpr char kType[] = "SummaryMonitor";

Status Invalid(std::string message) {
  return Status(StatusCode::kInvalidArgument, std::move(message));
}

// The value of a key; undefined if the key is missing.
YAML::Node ValueAt(const YamlMap& map, std::string_view key) {
  const auto found = std::find_if(map.begin(), map.end(), [&](const YamlPair& pair) {
    return pair.key.IsScalar() && pair.key.Scalar() == key;
  });
  return found == map.end() ? YAML::Node(YAML::NodeType::Undefined) : found->value;
}

// The callbacks of the type SummaryMonitor.
Result<std::vector<YAML::Node>> MonitorsOf(const YAML::Node& callbacks, YamlMaps& maps) {
  std::vector<YAML::Node> monitors;
  for (const auto& callback : callbacks) {
    if (!callback.IsMap()) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const YamlMap map, maps.Read(callback));
    const YAML::Node type = ValueAt(map, "type");
    if (type.IsScalar() && type.Scalar() == kType) monitors.push_back(callback);
  }
  return monitors;
}

void ReadParameters(const OptionMap& map, Faults& faults, SummaryConfig& config) {
  OptionReader parameters(map, kType, faults);
  parameters.Know("type");
  parameters.Know("auto_register");  // MindFormers' own: from where it imports the class.
  config = ReadSummaryConfig(parameters, std::move(config.options));
}

// Reads the document, and adds what is wrong with its maps and parameters to the faults. An error
// if it has no parameters.
Status ReadDocument(const YAML::Node& root, Faults& faults, SummaryConfig& config) {
  YamlMaps maps(faults);
  YamlMap document;
  if (root.IsMap()) {
    SIGHTLINE_ASSIGN_OR_RETURN(document, maps.Read(root));
  }
  const YAML::Node callbacks = ValueAt(document, "callbacks");
  if (!callbacks.IsSequence()) {
    return Invalid(
        "there is no list of callbacks; write it as\ncallbacks:\n  - type: SummaryMonitor");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto monitors, MonitorsOf(callbacks, maps));
  if (monitors.empty()) return Invalid("none of the callbacks has the type SummaryMonitor");
  if (monitors.size() > 1) {
    return Invalid(fmt::format("{} callbacks have the type SummaryMonitor, but only one may",
                               monitors.size()));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const OptionValue value, ValueOfYaml(monitors[0], maps));
  const auto* const map = value.As<OptionMap>();
  if (map == nullptr) return Invalid(fmt::format("{} is {}, but must be a map", kType, value.text));
  ReadParameters(*map, faults, config);
  return {};
}

Result<SummaryConfig> Parse(std::string_view yaml, SummaryOptions base) {
  SummaryConfig config{.options = std::move(base)};
  Faults faults("\n");  // Each fault names its line.
  faults.Add(ReadDocument(YAML::Load(std::string(yaml)), faults, config));
  SIGHTLINE_RETURN_IF_ERROR(faults.ToStatus());
  return config;
}

}  // namespace

Result<SummaryConfig> ParseSummaryConfig(std::string_view yaml, SummaryOptions base) {
  if (yaml.size() > kMaxConfigBytes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("a configuration of {} bytes, but at most {} are read", yaml.size(),
                             kMaxConfigBytes));
  }
  if (const auto brackets =
          std::count(yaml.begin(), yaml.end(), '[') + std::count(yaml.begin(), yaml.end(), '{');
      brackets > kMaxBrackets) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("a configuration with {} opening brackets, but at most {} are read",
                             brackets, kMaxBrackets));
  }
  try {
    return Parse(yaml, std::move(base));
  } catch (const YAML::Exception& error) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("line {}, column {}: {}", error.mark.line + 1, error.mark.column + 1,
                             error.msg));
  }
}

Result<SummaryConfig> LoadSummaryConfig(const std::string& path, SummaryOptions base,
                                        FileSystem& file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  std::string text(std::min<std::uint64_t>(size, kMaxConfigBytes + 1), '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file->ReadAt(0, text));
  text.resize(got);
  auto config = ParseSummaryConfig(text, std::move(base));
  if (!config) return Error(config.error().WithContext(path));
  return config;
}

}  // namespace sightline
