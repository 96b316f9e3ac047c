// Reads the SQLite databases of Ascend's profilers: ascend_pytorch_profiler*.db and
// ascend_mindspore_profiler*.db, msprof_*.db, analysis.db, communication_analyzer.db.
//
// Which tables a database has decides what is read, not its name; columns are found by their names.
// The tables are those of real files of torch_npu, and of CANN's document "Description of .db Data
// Exported by msprof". No file is changed or created.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/profiler/import/ascend/parallel_groups.h"
#include "sightline/profiler/import/ascend_db/cluster_tables.h"
#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

// What is read: what no other file of the profile gives.
struct DatabaseParts {
  bool timeline = true;  // Spans, flows, counters.
  bool operators = true;
  bool steps = true;  // Device steps.
  bool communication = true;
  bool memory = true;
  bool allocations = true;
};

// Reads the database at `path`, adds it to profile.files, and returns its status. A write-ahead log
// or a journal beside it is named there, too; what is in these is not read. `groups` are those of
// the profile; if they are empty, they become those of the database.
Status ReadDatabase(const ImportTarget& target, const std::string& path,
                    const DatabaseParts& wanted, ParallelGroups& groups);

// The same for cluster_analysis.db, of which the ranks take their parts.
Status ReadClusterDatabase(const ImportTarget& target, const std::string& path,
                           ClusterTables& tables);

// What a database holds, by its file name alone; no value if the name is not one of theirs.
enum class DatabaseKind : std::uint8_t {
  kTimeline,  // ascend_pytorch_profiler_0.db, msprof_20260101.db
  kSums,      // analysis.db, communication_analyzer.db: of the profile beside it.
};
std::optional<DatabaseKind> KindOfDatabase(std::string_view name);

// Whether these bytes begin an SQLite database.
bool IsDatabase(std::string_view begin);

}  // namespace sightline::profiler
