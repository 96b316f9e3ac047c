#include "sightline/profiler/query/profile_tables.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sightline/base/memory/column_memory.h"

namespace sightline::profiler {
namespace {

void Give(sqlite3_context* context, std::int64_t value) { sqlite3_result_int64(context, value); }

// The text stays where it is: the model outlives the query.
void Give(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Give(sqlite3_context* context, const Model& model, NameId name) {
  if (name == kNoName) return sqlite3_result_null(context);
  Give(context, model.names[name]);
}

const Lane& LaneOf(const Model& model, LaneId lane) {
  return model.lanes[static_cast<std::uint32_t>(lane)];
}

void GiveProcess(sqlite3_context* context, const Model& model, const Lane& lane) {
  Give(context, model, lane.process_name == kNoName ? lane.process : lane.process_name);
}

void GiveThread(sqlite3_context* context, const Model& model, const Lane& lane) {
  Give(context, model, lane.thread_name == kNoName ? lane.thread : lane.thread_name);
}

std::size_t CountSpans(ProfileRows& rows) { return rows.model().spans.size(); }

void GiveSpan(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const Model& model = rows.model();
  const Spans& spans = model.spans;
  MemoryLimit::Keep(row);
  switch (column) {
    case 0:
      return Give(context, static_cast<std::int64_t>(row));
    case 1:
      return Give(context, rows.since_start(spans.start[row]));
    case 2:
      return Give(context, spans.duration[row]);
    case 3:
      return Give(context, model, spans.name[row]);
    case 4:
      return Give(context, SpanKindName(spans.kind[row]));
    case 5:
      return Give(context, model, spans.type[row]);
    case 6:
      return Give(context, model, spans.category[row]);
    case 7:
      return Give(context, static_cast<std::int64_t>(spans.lane[row]));
    case 8:
      return GiveProcess(context, model, model.lane_of(row));
    case 9:
      return GiveThread(context, model, model.lane_of(row));
    case 10:
      return Give(context, std::int64_t{spans.depth[row]});
    default:
      return Give(context, model, spans.detail[row]);
  }
}

std::size_t CountLanes(ProfileRows& rows) { return rows.model().lanes.size(); }

void GiveLane(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const Model& model = rows.model();
  const Lane& lane = model.lanes[row];
  switch (column) {
    case 0:
      return Give(context, static_cast<std::int64_t>(row));
    case 1:
      return GiveProcess(context, model, lane);
    case 2:
      return GiveThread(context, model, lane);
    case 3:
      return Give(context, LaneKindName(lane.kind));
    default:
      return Give(context, static_cast<std::int64_t>(lane.count));
  }
}

std::size_t CountNames(ProfileRows& rows) { return rows.Uses().size(); }

void GiveName(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const NameUse& use = rows.Uses()[row];
  switch (column) {
    case 0:
      return Give(context, rows.model(), use.name);
    case 1:
      return Give(context, static_cast<std::int64_t>(use.count));
    case 2:
      return Give(context, use.total);
    case 3:
      return Give(context, use.least);
    case 4:
      return Give(context, use.lower);
    case 5:
      return Give(context, use.median);
    case 6:
      return Give(context, use.upper);
    default:
      return Give(context, use.most);
  }
}

std::size_t CountInstants(ProfileRows& rows) { return rows.model().instants.size(); }

void GiveInstant(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const Model& model = rows.model();
  const Instant& instant = model.instants[row];
  switch (column) {
    case 0:
      return Give(context, rows.since_start(instant.time));
    case 1:
      return Give(context, model, instant.name);
    case 2:
      return Give(context, static_cast<std::int64_t>(instant.lane));
    default:
      return Give(context, model, instant.detail);
  }
}

std::size_t CountCounters(ProfileRows& rows) { return rows.counter_values(); }

void GiveCounter(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const auto [counter, place] = rows.CounterValue(row);
  switch (column) {
    case 0:
      return Give(context, rows.since_start(counter->time[place]));
    case 1:
      return Give(context, rows.model(), counter->name);
    case 2:
      return GiveProcess(context, rows.model(), LaneOf(rows.model(), counter->lane));
    default:
      return sqlite3_result_double(context, counter->value[place]);
  }
}

std::size_t CountFlows(ProfileRows& rows) { return rows.model().flows.size(); }

void GiveFlow(ProfileRows& rows, std::size_t row, int column, sqlite3_context* context) {
  const Model& model = rows.model();
  const FlowPoint& point = model.flows[row];
  switch (column) {
    case 0:
      return Give(context, rows.since_start(point.time));
    case 1:
      return Give(context, model, point.id);
    case 2:
      return Give(context, model, point.name);
    case 3:
      return Give(context, static_cast<std::int64_t>(point.lane));
    default:
      return Give(context, point.phase == FlowPhase::kStart  ? std::string_view("start")
                           : point.phase == FlowPhase::kStep ? std::string_view("step")
                                                             : std::string_view("end"));
  }
}

constexpr auto kTables = std::to_array<TableRows>({
    {{"spans",
      "id INTEGER, start INTEGER, duration INTEGER, name TEXT, kind TEXT, type TEXT, category "
      "TEXT, lane INTEGER, process TEXT, thread TEXT, depth INTEGER, args TEXT",
      "what ran from one time to another; args is JSON (args ->> 'External id')"},
     CountSpans,
     GiveSpan,
     3},
    {{"names",
      "name TEXT, count INTEGER, total INTEGER, min INTEGER, q1 INTEGER, median INTEGER, q3 "
      "INTEGER, max INTEGER",
      "the durations of the spans of each name"},
     CountNames,
     GiveName,
     -1},
    {{"lanes", "lane INTEGER, process TEXT, thread TEXT, kind TEXT, spans INTEGER",
      "the threads, and the streams of devices"},
     CountLanes,
     GiveLane,
     -1},
    {{"instants", "time INTEGER, name TEXT, lane INTEGER, args TEXT", "moments"},
     CountInstants,
     GiveInstant,
     -1},
    {{"counters", "time INTEGER, name TEXT, process TEXT, value REAL", "values over time"},
     CountCounters,
     GiveCounter,
     -1},
    {{"flows", "time INTEGER, id TEXT, name TEXT, lane INTEGER, phase TEXT",
      "the points of arrows, such as from a launch to its kernel"},
     CountFlows,
     GiveFlow,
     -1},
});

constexpr auto kSqlTables = [] {
  std::array<SqlTable, kTables.size()> tables{};
  for (std::size_t i = 0; i < kTables.size(); ++i) tables[i] = kTables[i].table;
  return tables;
}();

NameUse UseOf(NameId name, std::vector<std::int64_t>& durations) {
  NameUse use{.name = name, .count = durations.size()};
  for (const std::int64_t each : durations) use.total = AddTimes(use.total, each);
  std::sort(durations.begin(), durations.end());
  const auto at = [&](std::size_t quarter) {  // The nearest of those below.
    return durations[(durations.size() - 1) * quarter / 4];
  };
  use.least = at(0);
  use.lower = at(1);
  use.median = at(2);
  use.upper = at(3);
  use.most = at(4);
  return use;
}

}  // namespace

std::span<const SqlTable> SqlTables() { return kSqlTables; }

std::span<const TableRows> AllTables() { return kTables; }

ProfileRows::ProfileRows(const Model& model) : model_(model), from_(Extent(model).from) {
  std::size_t values = 0;
  counter_ends_.reserve(model.counters.size());
  for (const Counter& counter : model.counters) {
    values += counter.time.size();
    counter_ends_.push_back(values);
  }
}

std::pair<const Counter*, std::size_t> ProfileRows::CounterValue(std::size_t row) const {
  const auto end = std::upper_bound(counter_ends_.begin(), counter_ends_.end(), row);
  const auto which = static_cast<std::size_t>(end - counter_ends_.begin());
  const std::size_t before = which == 0 ? 0 : counter_ends_[which - 1];
  return {&model_.counters[which], row - before};
}

// A counting sort, since a trace has few names and many spans.
const std::vector<std::uint32_t>& ProfileRows::ByName() {
  const Spans& spans = model_.spans;
  if (by_name_.size() == spans.size()) return by_name_;
  std::vector<std::size_t> places(model_.names.size());  // By name.
  const auto place_of = [&](NameId name) -> std::size_t& {
    return places[static_cast<std::uint32_t>(name)];
  };
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    ++place_of(spans.name[i]);
  }
  std::vector<NameId> used;
  for (std::uint32_t i = 0; i < places.size(); ++i)
    if (places[i] > 0) used.push_back(static_cast<NameId>(i));
  std::sort(used.begin(), used.end(),
            [&](NameId a, NameId b) { return model_.names[a] < model_.names[b]; });
  std::size_t next = 0;
  for (const NameId name : used) next += std::exchange(place_of(name), next);
  std::vector<std::uint32_t> by_name(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    by_name[place_of(spans.name[i])++] = static_cast<std::uint32_t>(i);
  }
  by_name_ = std::move(by_name);
  return by_name_;
}

const std::vector<NameUse>& ProfileRows::Uses() {
  if (!uses_.empty()) return uses_;
  const std::vector<std::uint32_t>& spans = ByName();
  std::vector<std::int64_t> durations;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    MemoryLimit::Keep(i);
    durations.push_back(model_.spans.duration[spans[i]]);
    const NameId name = model_.spans.name[spans[i]];
    if (i + 1 < spans.size() && model_.spans.name[spans[i + 1]] == name) continue;
    uses_.push_back(UseOf(name, durations));
    durations.clear();
  }
  return uses_;
}

}  // namespace sightline::profiler
