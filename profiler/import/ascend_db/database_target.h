// What the readers of a database's tables share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/json/json_text.h"
#include "sightline/base/memory/column_memory.h"
#include "sightline/base/sqlite/sqlite_file.h"
#include "sightline/profiler/import/ascend/parallel_groups.h"
#include "sightline/profiler/import/ascend_db/database_names.h"
#include "sightline/profiler/import/mindspore/mindspore_operators.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Numbers in ascending order, once each.
using NumberSet = ColumnVector<std::int64_t>;
inline void Order(NumberSet& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}
inline bool Contains(const NumberSet& numbers, std::int64_t number) {
  return std::binary_search(numbers.begin(), numbers.end(), number);
}

// A connection goes from a call of the host to what the call started on the device. CONNECTION_IDS
// gives the connections of a call of PyTorch, which has a number of its own for them.
struct Connections {
  struct Call {
    std::int64_t call = 0;
    std::int64_t connection = 0;
    bool operator<(const Call& other) const { return call < other.call; }
  };
  ColumnVector<Call> of_calls;  // Ordered by `call`.
  NumberSet from_calls;         // Those that are in of_calls.
  NumberSet to_device;          // Those that end at a task or a communication.
};

struct DatabaseTarget {
  SqliteFile& file;
  ModelBuilder& builder;
  Profile& profile;
  ParallelGroups& groups;
  DatabaseNames names = {};
  Connections connections = {};
};

// The columns startNs and endNs of a row, if they are times in this order.
struct RowTimes {
  std::int64_t start = 0;
  std::int64_t duration = 0;
};
inline std::optional<RowTimes> TimesIn(const SqliteRow& row, std::size_t start, std::size_t end) {
  const auto from = row.Integer(start);
  const auto to = row.Integer(end);
  if (!from || !to || !IsTime(*from) || !IsTime(*to) || *to < *from) return std::nullopt;
  return RowTimes{*from, *to - *from};
}

// A lane of the process that has this key and shows this name.
inline LaneId NamedLane(ModelBuilder& builder, std::string_view process, std::string_view name,
                        std::int64_t sort, std::string_view thread, std::string_view thread_name) {
  const LaneId lane = builder.AddLane(process, thread);
  if (builder.lane(lane).thread_name == kNoName) {
    builder.NameProcess(process, name);
    builder.SortProcess(process, sort);
    builder.lane(lane).thread_name = builder.Intern(thread_name);
    builder.lane(lane).kinds_known = true;
  }
  return lane;
}

// One end of an arrow of this kind.
inline void AddFlow(ModelBuilder& builder, std::string_view kind, std::int64_t connection,
                    std::int64_t time, LaneId lane, FlowPhase phase) {
  builder.AddFlow({.time = time,
                   .id = builder.Intern(std::string(kind) + ':' + std::to_string(connection)),
                   .name = builder.Intern(kind),
                   .lane = lane,
                   .phase = phase});
}

// Adds a member to the text of a JSON object, which still lacks its last brace.
inline void AddMember(std::string_view key, std::string_view value, bool is_number,
                      std::string& json) {
  json += json.empty() ? "{" : ",";
  AppendJsonText(key, json);
  json += ':';
  if (is_number) {
    json += value;
  } else {
    AppendJsonText(value, json);
  }
}

}  // namespace sightline::profiler
