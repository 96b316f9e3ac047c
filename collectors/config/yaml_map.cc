#include "sightline/collectors/config/yaml_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxQuotedBytes = 100;

bool IsMerge(const YAML::Node& key) {
  return key.Tag() == "tag:yaml.org,2002:merge" || (IsPlain(key) && key.Scalar() == "<<");
}

}  // namespace

Result<YamlMap> YamlMaps::Read(const YAML::Node& map, int depth) {
  Words words;
  YamlMap pairs;
  SIGHTLINE_RETURN_IF_ERROR(AddPairs(map, depth, words, pairs));
  return pairs;
}

Status YamlMaps::Take(std::size_t bytes, int depth) {
  bytes_ += bytes;
  if (depth <= kMaxDepth && bytes_ <= kMaxBytes) return {};
  return Status(StatusCode::kInvalidArgument,
                fmt::format("a value nests or merges deeper than {}, or what is read has more than "
                            "{} bytes with its aliases",
                            kMaxDepth, kMaxBytes));
}

// Pairs that are already there take precedence: a map's own pairs come before those that it merges.
Status YamlMaps::AddPairs(const YAML::Node& map, int depth, Words& words, YamlMap& pairs) {
  SIGHTLINE_RETURN_IF_ERROR(Take(1, depth));
  std::unordered_map<std::string_view, int> lines;
  std::vector<YamlPair> merges;
  for (const auto& pair : map) {
    const YAML::Node& key = pair.first;
    const std::string_view word = key.Scalar();  // Empty if it is not a scalar.
    SIGHTLINE_RETURN_IF_ERROR(Take(1 + word.size(), depth));
    if (key.IsScalar()) {
      const int line = key.Mark().line + 1;
      const auto [first, is_first] = lines.emplace(word, line);
      if (!is_first) {
        AddFault(key, fmt::format("{} is given twice, in lines {} and {}",
                                  ToUtf8(word, kMaxQuotedBytes), first->second, line));
        continue;
      }
    }
    if (IsMerge(key)) {
      merges.push_back({key, pair.second});
    } else if (!key.IsScalar() || words.insert(word).second) {
      pairs.push_back({key, pair.second});
    }
  }
  for (const auto& [key, value] : merges) {
    if (value.IsSequence()) {
      for (const auto& source : value)
        SIGHTLINE_RETURN_IF_ERROR(AddMerged(key, source, depth + 1, words, pairs));
    } else {
      SIGHTLINE_RETURN_IF_ERROR(AddMerged(key, value, depth + 1, words, pairs));
    }
  }
  return {};
}

Status YamlMaps::AddMerged(const YAML::Node& key, const YAML::Node& source, int depth, Words& words,
                           YamlMap& pairs) {
  if (source.IsMap()) return AddPairs(source, depth, words, pairs);
  AddFault(key, fmt::format("<< in line {} must be a map or a list of maps", key.Mark().line + 1));
  return Take(1, depth);
}

void YamlMaps::AddFault(const YAML::Node& key, std::string_view fault) {
  const YAML::Mark place = key.Mark();
  if (named_.emplace(place.line, place.column).second) faults_.Add("{}", fault);
}

bool IsPlain(const YAML::Node& scalar) { return scalar.Tag() == "?"; }

}  // namespace sightline
