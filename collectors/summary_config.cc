#include "sightline/collectors/summary_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "sightline/collectors/faults.h"
#include "sightline/collectors/yaml_value.h"

namespace sightline {
namespace {

using yaml::IsAbsent;

constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;
constexpr char kType[] = "SummaryMonitor";

// The keys of a map, checked against what is known; reading one marks nothing, so that the list of
// names is the documentation.
class Section {
 public:
  // `name`: of the map, for messages; empty for the callback's own parameters.
  Section(const YAML::Node& node, std::string name, Faults& faults)
      : node_(node), name_(std::move(name)), faults_(faults) {}

  void AllowOnly(const std::vector<std::string_view>& known) {
    for (const auto& pair : node_) {
      const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : "a key that is no word";
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        faults_.Add("{} has the unknown {} '{}'; known are {}",
                    name_.empty() ? std::string(kType) : name_, name_.empty() ? "parameter" : "key",
                    key, fmt::join(known, ", "));
      }
    }
  }

  YAML::Node At(const std::string& key) const {
    const YAML::Node& node = node_;  // Of a const node, [] adds nothing.
    return node[key];
  }
  bool Has(const std::string& key) const { return At(key).IsDefined(); }

  void Bool(const std::string& key, bool& value) {
    Read(key, value, yaml::AsBool, "must be true or false");
  }
  void Integer(const std::string& key, std::int64_t& value) {
    Read(key, value, yaml::AsInteger, "must be a whole number");
  }
  void Integer(const std::string& key, std::optional<std::int64_t>& value) {
    Read(key, value, yaml::AsInteger, "must be a whole number");
  }
  void String(const std::string& key, std::string& value) {
    Read(key, value, yaml::AsString, "must be a string");
  }

  template <typename Value, typename Parse>
  void Read(const std::string& key, Value& value, Parse&& parse, std::string_view allowed) {
    const YAML::Node node = At(key);
    if (IsAbsent(node)) return;
    if (auto parsed = parse(node)) {
      value = *std::move(parsed);
    } else {
      Refuse(key, node, allowed);
    }
  }

  void Refuse(const std::string& key, const YAML::Node& node, std::string_view allowed) {
    faults_.Add("{}{}{} is {}, but {}", name_, name_.empty() ? "" : ".", key, yaml::Describe(node),
                allowed);
  }

  // The map under `key`, or nothing where it is absent or no map.
  std::optional<Section> Map(const std::string& key) {
    const YAML::Node node = At(key);
    if (IsAbsent(node)) return std::nullopt;
    if (!node.IsMap()) {
      Refuse(key, node, "must be a map");
      return std::nullopt;
    }
    return Section(node, key, faults_);
  }

  const YAML::Node& node() const { return node_; }

 private:
  YAML::Node node_;
  std::string name_;
  Faults& faults_;
};

struct Switch {
  const char* key;
  bool CollectSpecifiedData::*member;
};

constexpr Switch kSwitches[] = {
    {"collect_metric", &CollectSpecifiedData::collect_metric},
    {"collect_graph", &CollectSpecifiedData::collect_graph},
    {"collect_train_lineage", &CollectSpecifiedData::collect_train_lineage},
    {"collect_eval_lineage", &CollectSpecifiedData::collect_eval_lineage},
    {"collect_input_data", &CollectSpecifiedData::collect_input_data},
    {"collect_dataset_graph", &CollectSpecifiedData::collect_dataset_graph},
    {"collect_throughput", &CollectSpecifiedData::collect_throughput},
    {"collect_histograms", &CollectSpecifiedData::collect_histograms},
};

// collect_specified_data together with keep_default_action: where that is false, only what is named
// is collected.
void ReadSpecifiedData(Section& parameters, CollectSpecifiedData& data) {
  bool keep_default = true;
  parameters.Bool("keep_default_action", keep_default);
  const auto section = parameters.Map("collect_specified_data");
  if (!keep_default) {
    for (const Switch& each : kSwitches) {
      if (!section || !section->Has(each.key)) data.*each.member = false;
    }
    // Named by its regular expression, as MindSpore does.
    if (section && section->Has("histogram_regular")) data.collect_histograms = true;
  }
  if (!section) return;
  Section named = *section;
  std::vector<std::string_view> known = {"histogram_regular", "collect_landscape"};
  for (const Switch& each : kSwitches) {
    known.emplace_back(each.key);
    named.Bool(each.key, data.*each.member);
  }
  named.AllowOnly(known);
  named.String("histogram_regular", data.histogram_regular);
  const YAML::Node landscape = named.At("collect_landscape");
  if (!IsAbsent(landscape)) {
    named.Refuse("collect_landscape", landscape,
                 "must be None: this version does not save the checkpoints of a loss landscape");
  }
}

void ReadCustomLineage(Section& parameters, Faults& faults, CustomLineage& pairs) {
  const auto section = parameters.Map("custom_lineage_data");
  if (!section) return;
  for (const auto& pair : section->node()) {
    const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : std::string();
    if (const auto whole = yaml::AsInteger(pair.second)) {
      pairs[key] = *whole;
    } else if (const auto number = yaml::AsNumber(pair.second)) {
      pairs[key] = *number;
    } else if (auto text = yaml::AsString(pair.second)) {
      pairs[key] = *std::move(text);
    } else {
      faults.Add("custom_lineage_data.{} is {}, but must be a string, a whole number or a number",
                 key, yaml::Describe(pair.second));
    }
  }
}

void ReadExportOptions(Section& parameters, ExportOptions& options) {
  auto section = parameters.Map("export_options");
  if (!section) return;
  section->AllowOnly({"tensor_format"});
  section->Read(
      "tensor_format", options.tensor_format,
      [](const YAML::Node& node) -> std::optional<TensorFormat> {
        const auto text = yaml::AsString(node);
        if (text == "npy") return TensorFormat::kNpy;
        if (text == "none") return TensorFormat::kNone;
        return std::nullopt;
      },
      "must be npy or none");
}

std::optional<std::vector<Format>> AsFormats(const YAML::Node& node) {
  if (!node.IsSequence()) return std::nullopt;
  std::vector<Format> formats;
  for (const auto& each : node) {
    const auto name = yaml::AsString(each);
    if (name == "mindspore") {
      formats.push_back(Format::kMindSpore);
    } else if (name == "tensorboard") {
      formats.push_back(Format::kTensorBoard);
    } else {
      return std::nullopt;
    }
  }
  return formats;
}

std::optional<OnFileFull> AsOnFull(const YAML::Node& node) {
  const auto text = yaml::AsString(node);
  if (text == "rotate") return OnFileFull::kRotate;
  if (text == "stop") return OnFileFull::kStop;
  return std::nullopt;
}

std::optional<std::int64_t> AsByteSize(const YAML::Node& node) {
  if (const auto whole = yaml::AsInteger(node)) return whole;
  const auto text = yaml::AsString(node);
  return text ? ParseByteSize(*text) : std::nullopt;
}

Result<SummaryConfig> ReadParameters(const YAML::Node& node, SummaryOptions base) {
  SummaryConfig config{.options = std::move(base)};
  SummaryOptions& options = config.options;
  Faults faults;
  Section parameters(node, "", faults);
  parameters.AllowOnly({"type", "summary_dir", "collect_freq", "collect_specified_data",
                        "keep_default_action", "custom_lineage_data", "collect_tensor_freq",
                        "max_file_size", "export_options", "formats", "on_full"});
  parameters.String("summary_dir", config.summary_dir);
  parameters.Integer("collect_freq", options.collect_freq);
  parameters.Integer("collect_tensor_freq", options.collect_tensor_freq);
  parameters.Read("max_file_size", options.max_file_size, AsByteSize,
                  "must be a number of bytes, or one with the unit KB, MB, GB or TB");
  parameters.Read("formats", options.formats, AsFormats,
                  "must be a list of mindspore, tensorboard or both");
  parameters.Read("on_full", options.recorder.on_file_full, AsOnFull, "must be rotate or stop");
  ReadSpecifiedData(parameters, options.collect_specified_data);
  ReadCustomLineage(parameters, faults, options.custom_lineage_data);
  ReadExportOptions(parameters, options.export_options);
  faults.Add(options.Check());
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

tl::unexpected<Status> Invalid(std::string message) {
  return Error(StatusCode::kInvalidArgument, std::move(message));
}

Result<SummaryConfig> Parse(std::string_view yaml, SummaryOptions base) {
  const YAML::Node root = YAML::Load(WithDashesForStars(yaml));
  const YAML::Node callbacks = root.IsMap() ? root["callbacks"] : YAML::Node();
  if (!callbacks.IsDefined() || !callbacks.IsSequence()) {
    return Invalid(
        "there is no list of callbacks; write it as\ncallbacks:\n  - type: SummaryMonitor");
  }
  YAML::Node found(YAML::NodeType::Undefined);
  std::size_t count = 0;
  for (const auto& callback : callbacks) {
    if (!callback.IsMap() || yaml::AsString(callback["type"]) != kType) continue;
    found.reset(callback);
    ++count;
  }
  if (count == 0) return Invalid("none of the callbacks has the type SummaryMonitor");
  if (count > 1)
    return Invalid(fmt::format("{} callbacks have the type SummaryMonitor, but one can be", count));
  return ReadParameters(found, std::move(base));
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

std::optional<std::int64_t> ParseByteSize(std::string_view text) {
  std::int64_t number = 0;
  const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  std::string unit(behind, text.data() + text.size());
  unit.erase(0, unit.find_first_not_of(' '));
  for (char& letter : unit) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  if (unit.size() == 3 && unit[1] == 'I') unit.erase(1, 1);
  constexpr std::string_view kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  const auto* const at = std::find(std::begin(kUnits), std::end(kUnits), unit);
  if (at == std::end(kUnits) && !unit.empty()) return std::nullopt;
  const auto shift = unit.empty() ? 0 : 10 * (at - std::begin(kUnits));
  if (number > std::numeric_limits<std::int64_t>::max() >> shift) return std::nullopt;
  return number << shift;
}

}  // namespace sightline
