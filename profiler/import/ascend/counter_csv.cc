#include "sightline/profiler/import/ascend/counter_csv.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

// A table with more combinations of texts and ids is not one of counters.
constexpr std::size_t kMaxSeries = 10'000;
constexpr std::int64_t kCounterSort = 17;  // Below the lanes of devices.
constexpr double kKilobyte = 1024;

std::optional<double> NumberIn(std::string_view cell) {
  const auto number = ParseNumber<double>(cell);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

struct TimeColumn {
  std::size_t column = CsvRows::kNoColumn;
  int scale = 0;  // Of ParseDecimal.
};

// "Timestamp(us)" and "time_stamp(us)" -> "timestamp(us)".
std::string PlainTitle(std::string_view title) {
  std::string plain;
  for (const char c : LowerCase(title))
    if (c != '_' && c != ' ' && c != '\t') plain += c;
  return plain;
}

TimeColumn FindTime(const CsvRows& header) {
  constexpr std::array<std::pair<std::string_view, int>, 4> kUnits = {
      {{"(ns)", 0}, {"(us)", 3}, {"(ms)", 6}, {"(s)", 9}}};
  for (std::size_t column = 0; column < header.cells().size(); ++column) {
    const std::string title = PlainTitle(header.cell(column));
    for (const auto& [unit, scale] : kUnits) {
      if (title == "timestamp" + std::string(unit) || title == "timestamps" + std::string(unit))
        return {column, scale};
    }
  }
  return {};
}

// What a column says of a row.
enum class ColumnUse : std::uint8_t { kValue, kOwner, kDevice, kIgnored };

ColumnUse UseOf(std::string_view title) {
  const std::string plain = PlainTitle(title);
  if (plain == "deviceid" || plain == "device" || plain == "devicetype") return ColumnUse::kDevice;
  if (plain == "taskid") return ColumnUse::kIgnored;
  return plain.ends_with("id") ? ColumnUse::kOwner : ColumnUse::kValue;
}

struct Column {
  std::string title;
  ColumnUse use = ColumnUse::kValue;
  double factor = 1;
};

Column ColumnOf(std::string_view title, double megabyte) {
  Column column{std::string(Trimmed(title)), UseOf(title), 1};
  const std::array<std::pair<std::string_view, double>, 2> sizes = {
      {{"(KB)", kKilobyte}, {"(MB)", megabyte}}};
  for (const auto& [unit, bytes] : sizes) {
    if (!column.title.ends_with(unit)) continue;
    column.title.replace(column.title.size() - unit.size(), unit.size(), " (bytes)");
    column.factor = bytes;
  }
  return column;
}

class CounterCsv {
 public:
  CounterCsv(const CsvRows& header, std::string_view table, double megabyte, ModelBuilder& builder)
      : table_(table), builder_(builder), time_(FindTime(header)) {
    for (const std::string_view title : header.cells())
      columns_.push_back(ColumnOf(title, megabyte));
    if (time_.column < columns_.size()) columns_[time_.column].use = ColumnUse::kIgnored;
  }

  void Add(const CsvRows& row) {
    const auto time = ParseDecimal(row.cell(time_.column), time_.scale);
    if (!time || !IsTime(*time)) return builder_.NotUnderstand("a row without a time", row.cell(0));
    const Series* series = Find(row);
    if (series == nullptr)
      return builder_.NotUnderstand("a row of a table with too many texts and ids", row.cell(0));
    bool any = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = ValueIn(row, i);
      if (!value) continue;
      builder_.AddCounter(series->lane, series->names[i], *time, *value * columns_[i].factor);
      any = true;
    }
    if (any) return builder_.CountEvent();
    builder_.NotUnderstand("a row without a number", row.cell(0));
  }

 private:
  struct Series {
    LaneId lane{};
    std::vector<NameId> names;  // One for each column: "npu_module_mem SLOG/Total Reserved".
  };

  std::optional<double> ValueIn(const CsvRows& row, std::size_t column) const {
    return columns_[column].use == ColumnUse::kValue ? NumberIn(Trimmed(row.cell(column)))
                                                     : std::nullopt;
  }

  // Whose values these are: " SLOG", " Stream ID 3".
  std::string OwnerIn(const CsvRows& row) const {
    std::string owner;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view cell = Trimmed(row.cell(i));
      const Column& column = columns_[i];
      if (cell.empty() || cell == "N/A") continue;
      if (column.use == ColumnUse::kOwner) owner.append(" ").append(column.title);
      const bool is_text = column.use == ColumnUse::kValue && !NumberIn(cell);
      if (is_text || column.use == ColumnUse::kOwner) owner.append(" ").append(cell);
    }
    return owner;
  }

  // "NPU 0"; empty if the table does not say of which device it is.
  std::string DeviceIn(const CsvRows& row) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].use != ColumnUse::kDevice) continue;
      const std::string cell(Trimmed(row.cell(i)));
      return NumberIn(cell) ? "NPU " + cell : cell;
    }
    return {};
  }

  // Null if there are too many.
  const Series* Find(const CsvRows& row) {
    auto key = std::pair(DeviceIn(row), OwnerIn(row));
    const auto found = series_.find(key);
    if (found != series_.end()) return &found->second;
    if (series_.size() >= kMaxSeries) return nullptr;
    const auto& [device, owner] = key;
    Series series{builder_.AddLane(table_, device), {}};
    builder_.SortProcess(table_, kCounterSort);
    for (const Column& column : columns_) {
      const std::string name = table_ + owner + '/' + column.title;
      series.names.push_back(column.use == ColumnUse::kValue ? builder_.Intern(name) : kNoName);
    }
    return &series_.emplace(std::move(key), std::move(series)).first->second;
  }

  std::string table_;
  ModelBuilder& builder_;
  TimeColumn time_;
  std::vector<Column> columns_;
  std::map<std::pair<std::string, std::string>, Series> series_;  // By device and owner.
};

}  // namespace

bool HasTimestamps(const CsvRows& header) { return FindTime(header).column != CsvRows::kNoColumn; }

void ReadCounterCsv(ByteWindow& window, std::string_view table, double megabyte,
                    ModelBuilder& builder) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  CounterCsv counters(rows, table, megabyte, builder);
  while (rows.Next()) counters.Add(rows);
}

}  // namespace sightline::profiler
