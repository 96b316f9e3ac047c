// YamlMaps: the mappings of a YAML document as YAML 1.1 has them: what "<<" merges stands in them,
// and a key that is given twice is a fault.
//
//   base: &base {collect_freq: 10, sync: never}
//   monitor:
//     <<: *base            # Or a list of maps, the first of which counts.
//     collect_freq: 5      # Counts before what is merged.
//
// Sources: https://yaml.org/type/merge.html; PyYAML, with which MindFormers reads.
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

// The keys that are words differ.
using YamlMap = std::vector<YamlPair>;

// One document's, one thread. What it gives out is bounded, since an alias may stand in itself, and
// twice in what another one names: every function answers kInvalidArgument where values nest or
// merge deeper than 16, or 1 MiB of them has been taken with aliases written out.
class YamlMaps {
 public:
  explicit YamlMaps(Faults& faults) : faults_(faults) {}

  // The pairs of a map, its own first, then the merged ones. A key that is given twice in one map,
  // and a "<<" that is neither a map nor a list of maps, are added to the faults, once for each
  // place in the document, and passed over.
  Result<YamlMap> Read(const YAML::Node& map, int depth = 0);

  // Counts a value of so many bytes.
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

// Whether a scalar stands without quotes and tag: then its word may be more than a text.
bool IsPlain(const YAML::Node& scalar);

}  // namespace sightline
