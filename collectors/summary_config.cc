#include "sightline/collectors/summary_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/collectors/summary_parameters.h"
#include "sightline/collectors/yaml_value.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;
constexpr char kType[] = "SummaryMonitor";

tl::unexpected<Status> Invalid(std::string message) {
  return Error(StatusCode::kInvalidArgument, std::move(message));
}

std::optional<std::string> TypeOf(const YAML::Node& callback) {
  if (!callback.IsMap()) return std::nullopt;
  const YAML::Node type = callback["type"];
  return type.IsDefined() && type.IsScalar() ? std::optional(type.Scalar()) : std::nullopt;
}

Result<SummaryConfig> ReadCallback(const YAML::Node& callback, SummaryOptions base) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const OptionValue value, ValueOfYaml(callback));
  const auto* const map = value.As<OptionMap>();
  if (map == nullptr) return Invalid(fmt::format("{} is {}, but must be a map", kType, value.text));
  Faults faults;
  OptionReader parameters(*map, kType, faults);
  parameters.Know("type");
  parameters.Know("auto_register");  // MindFormers' own: where it imports the class from.
  SummaryConfig config = ReadSummaryConfig(parameters, std::move(base));
  SIGHTLINE_UNEXPECTED_IF_ERROR(faults.ToStatus());
  return config;
}

// MindFormers' documentation shows `* type:` where a list needs a dash: YAML takes the star for an
// alias that it cannot have.
std::string WithDashesForStars(std::string_view yaml) {
  std::string text(yaml);
  bool at_line_begin = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at_line_begin && text[i] == '*' && i + 1 < text.size() && text[i + 1] == ' ') text[i] = '-';
    at_line_begin = text[i] == '\n' || (at_line_begin && text[i] == ' ');
  }
  return text;
}

// Only a text that is no YAML as it stands has such stars: elsewhere they may stand in a text.
YAML::Node LoadYaml(std::string_view yaml) {
  try {
    return YAML::Load(std::string(yaml));
  } catch (const YAML::Exception&) {
    return YAML::Load(WithDashesForStars(yaml));  // Its faults stand where they did.
  }
}

Result<SummaryConfig> Parse(std::string_view yaml, SummaryOptions base) {
  const YAML::Node root = LoadYaml(yaml);
  const YAML::Node callbacks = root.IsMap() ? root["callbacks"] : YAML::Node();
  if (!callbacks.IsDefined() || !callbacks.IsSequence()) {
    return Invalid(
        "there is no list of callbacks; write it as\ncallbacks:\n  - type: SummaryMonitor");
  }
  YAML::Node found(YAML::NodeType::Undefined);
  std::size_t count = 0;
  for (const auto& callback : callbacks) {
    if (TypeOf(callback) != kType) continue;
    found.reset(callback);
    ++count;
  }
  if (count == 0) return Invalid("none of the callbacks has the type SummaryMonitor");
  if (count > 1)
    return Invalid(fmt::format("{} callbacks have the type SummaryMonitor, but one can be", count));
  return ReadCallback(found, std::move(base));
}

}  // namespace

Result<SummaryConfig> ParseSummaryConfig(std::string_view yaml, SummaryOptions base) {
  if (yaml.size() > kMaxConfigBytes) {
    return Invalid(fmt::format("a configuration of {} bytes, but at most {} are read", yaml.size(),
                               kMaxConfigBytes));
  }
  try {
    return Parse(yaml, std::move(base));
  } catch (const YAML::Exception& error) {
    return Invalid(fmt::format("line {}, column {}: {}", error.mark.line + 1, error.mark.column + 1,
                               error.msg));
  }
}

Result<SummaryConfig> LoadSummaryConfig(const std::string& path, SummaryOptions base,
                                        FileSystem& file_system) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto file, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file->Size());
  std::string text(std::min<std::uint64_t>(size, kMaxConfigBytes + 1), '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, file->ReadAt(0, text));
  text.resize(got);
  auto config = ParseSummaryConfig(text, std::move(base));
  if (!config) return tl::unexpected(config.error().WithContext(path));
  return config;
}

}  // namespace sightline
