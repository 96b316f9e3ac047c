// The groups of ranks that communicate, and what each is for: parallel_group_info of
// profiler_metadata.json.
//
// {"parallel_group_info": {"group_name_19": {"group_name": "pp", "group_rank": 0, "global_ranks":
// [0, 2]}}}. The key is the communicator's name. The communication files name a group by a hash of
// it (checked with real files of torch_npu 2.7.1).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct ParallelGroup {
  std::string name;             // What it is for: "pp", "dp", "tp", "default_group".
  std::int64_t group_rank = 0;  // This rank's number within the group.
  std::vector<std::int64_t> global_ranks;
};

class ParallelGroups {
 public:
  ParallelGroups() = default;
  // From the text of profiler_metadata.json. What is no such text gives no groups.
  explicit ParallelGroups(std::string_view metadata);

  // Adds the group that communication files call `hash`.
  void Add(const std::string& hash, ParallelGroup group);

  bool empty() const { return groups_.empty(); }
  // All groups, each by the hash that communication files have for it.
  std::vector<RankGroup> All() const;
  // The group that a communication file names after the "@": by the hash, or by the communicator's
  // name. Null if there is none.
  const ParallelGroup* Find(std::string_view named) const;
  // The stage of a pipeline that this rank is, from 0; no value if there is no pipeline.
  std::optional<std::int64_t> Stage() const;
  // "0-1", the ranks within a group, as ranks of the training. Without a group, or if they are not
  // in it, the text as it is.
  static std::string GlobalLink(std::string_view link, const ParallelGroup* group);

 private:
  std::map<std::string, ParallelGroup, std::less<>> groups_;  // By hash and by name.
  std::vector<std::pair<std::string, std::string>> names_;    // Hash and name of each.
};

}  // namespace sightline::profiler
