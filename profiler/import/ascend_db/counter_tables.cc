#include "sightline/profiler/import/ascend_db/counter_tables.h"

#include <array>
#include <map>
#include <vector>

namespace sightline::profiler {
namespace {

// A table with more combinations of ids is not one of counters.
constexpr std::size_t kMaxSeries = 10'000;
constexpr std::int64_t kCounterSort = 17;
constexpr std::string_view kTime = "timestampNs";

// Units, by the documents of CANN and the names of the columns.
std::string_view UnitOf(std::string_view table, std::string_view column) {
  if (table == "AICORE_FREQ") return " (MHz)";
  if (table == "NPU_MEM" || table == "NPU_MODULE_MEM") return " (bytes)";
  if (column == "hitRate") return " (%)";
  const bool is_rate = column == "bandwidth" || column == "throughput" ||
                       column.ends_with("Throughput") || column.ends_with("ByteRate") ||
                       table == "DDR";
  return is_rate ? " (bytes/s)" : "";
}

bool NamesOwner(std::string_view column) {
  return column.ends_with("Id") || column == "type" || column == "mode" || column == "component";
}

class CounterTable {
 public:
  CounterTable(DatabaseTarget& target, std::string_view table, const EnumNames& modules)
      : target_(target), builder_(target.builder), table_(table), modules_(modules) {
    for (const std::string& column : target.file.tables().find(table)->second) {
      if (column == kTime || column == "deviceId") continue;
      columns_.push_back(column);
      is_owner_.push_back(NamesOwner(column));
    }
    columns_.insert(columns_.end(), {kTime, "deviceId"});
  }

  Status Read() {
    return target_.file.Scan(table_, columns_, [&](const SqliteRow& row) { Add(row); });
  }

 private:
  void Add(const SqliteRow& row) {
    const auto time = row.Integer(is_owner_.size());
    if (!time || !IsTime(*time))
      return builder_.NotUnderstand("a row of " + table_ + " without timestampNs", row.Text(0));
    std::vector<std::int64_t> owner;
    for (std::size_t i = 0; i < is_owner_.size(); ++i) {
      if (is_owner_[i]) owner.push_back(row.Integer(i).value_or(-1));
    }
    const auto device = row.Integer(is_owner_.size() + 1);
    owner.push_back(device.value_or(-1));
    const auto found = FindSeries(owner, device);
    if (found == series_.end())
      return builder_.NotUnderstand("a row of " + table_ + ", which has too many ids", row.Text(0));
    bool any = false;
    const Series& series = found->second;
    for (std::size_t i = 0; i < is_owner_.size(); ++i) {
      const auto value = is_owner_[i] ? std::nullopt : row.Number(i);
      if (!value) continue;
      builder_.AddCounter(series.lane, series.names[i], *time, *value);
      any = true;
    }
    if (any) return builder_.CountEvent();
    builder_.NotUnderstand("a row of " + table_ + " without a number", row.Text(0));
  }

  struct Series {
    LaneId lane{};
    std::vector<NameId> names;  // One for each column.
  };
  using AllSeries = std::map<std::vector<std::int64_t>, Series>;

  // The end if there are too many.
  AllSeries::iterator FindSeries(const std::vector<std::int64_t>& owner,
                                 std::optional<std::int64_t> device) {
    const auto found = series_.find(owner);
    if (found != series_.end() || series_.size() >= kMaxSeries) return found;
    std::string before = table_;
    std::size_t next = 0;
    for (std::size_t i = 0; i < is_owner_.size(); ++i) {
      if (is_owner_[i]) before += ' ' + OwnerName(columns_[i], owner[next++]);
    }
    Series series;
    const std::string thread = device ? "NPU " + std::to_string(*device) : "";
    series.lane = NamedLane(builder_, table_, table_, kCounterSort, thread, thread);
    for (std::size_t i = 0; i < is_owner_.size(); ++i) {
      std::string name = before + '/';
      name.append(columns_[i]).append(UnitOf(table_, columns_[i]));
      series.names.push_back(is_owner_[i] ? kNoName : builder_.Intern(name));
    }
    return series_.emplace(owner, std::move(series)).first;
  }

  std::string OwnerName(std::string_view column, std::int64_t number) const {
    if (column == "moduleId") return modules_.Find(number);
    if (column.ends_with("Id")) return std::to_string(number);
    const NameId name = target_.names.Find(number);
    return name != kNoName ? std::string(builder_.Name(name)) : std::to_string(number);
  }

  DatabaseTarget& target_;
  ModelBuilder& builder_;
  std::string table_;
  const EnumNames& modules_;
  std::vector<std::string_view> columns_;  // The last two are the time and the device.
  std::vector<bool> is_owner_;             // For all but these.
  AllSeries series_;
};

}  // namespace

Status ReadCounterTables(DatabaseTarget& target) {
  EnumNames modules;
  Status status = modules.Read(target.file, "ENUM_MODULE");
  for (const auto& [table, columns] : target.file.tables()) {
    const auto has = [&, &own = columns](std::string_view column) {
      return std::find(own.begin(), own.end(), column) != own.end();
    };
    // Allocations, of which MEMORY_RECORD and OP_MEMORY have the sums.
    if (!has(kTime) || has("startNs") || table == "NPU_OP_MEM") continue;
    KeepFirst(status, CounterTable(target, table, modules).Read());
  }
  return status;
}

}  // namespace sightline::profiler
