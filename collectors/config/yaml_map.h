// YamlMaps: reads the mappings of a YAML document as YAML 1.1 defines them: a mapping includes what
// "<<" merges, and a key that is given twice is a fault.
//
//   base: &base {collect_freq: 10, sync: never}
//   monitor:
//     <<: *base            # Or a list of maps, the first of which counts.
//     collect_freq: 5      # Takes precedence over what is merged.
//
// Sources: https://yaml.org/type/merge.html; PyYAML, which MindFormers uses.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sightline/base/faults.h"
#include "sightline/base/status.h"

namespace sightline {

struct YamlPair {
  YAML::Node key;
  YAML::Node value;
};

// Keys that are words are unique.
using YamlMap = std::vector<YamlPair>;

// For one document and one thread. An alias may contain itself, or occur twice in what another one
// names, so the output is bounded: every function returns kInvalidArgument if values nest or merge
// deeper than 16, or if more than 1 MiB was taken with aliases written out.
class YamlMaps {
 public:
  explicit YamlMaps(Faults& faults) : faults_(faults) {}

  // The pairs of a map: its own, then the merged ones. Two things are skipped and added to the
  // faults, once for each place in the document: a key that is given twice in one map, and a "<<"
  // that is neither a map nor a list of maps.
  Result<YamlMap> Read(const YAML::Node& map, int depth = 0);

  // Counts a value of `bytes` bytes.
  Status Take(std::size_t bytes, int depth);

 private:
  using Words = std::unordered_set<std::string_view>;

  Status AddPairs(const YAML::Node& map, int depth, Words& words, YamlMap& pairs);
  Status AddMerged(const YAML::Node& key, const YAML::Node& source, int depth, Words& words,
                   YamlMap& pairs);
  void AddFault(const YAML::Node& key, std::string_view fault);

  Faults& faults_;
  std::set<std::pair<int, int>> named_;  // The faults' keys: line and column.
  std::size_t bytes_ = 0;
};

// Whether a scalar has no quotes and no tag, so that its word may be something other than a text.
bool IsPlain(const YAML::Node& scalar);

}  // namespace sightline
