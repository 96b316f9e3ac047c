#include "sightline/import/mlflow/mlflow_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/file_stamp.h"
#include "sightline/base/sqlite/sqlite_file.h"
#include "sightline/base/utf8.h"
#include "sightline/import/mlflow/imported_run.h"
#include "sightline/import/mlflow/rows_by_run.h"
#include "sightline/import/mlflow/run_folders.h"

namespace sightline {
namespace {

// The Alembic revision of MLflow 3.18's schema.
constexpr std::string_view kTestedRevision = "f4a9b2c7d1e6";

struct Needed {
  std::string_view table;
  std::vector<std::string_view> columns;
};
const std::array<Needed, 5> kNeeded = {{
    {"experiments", {"experiment_id", "name", "lifecycle_stage"}},
    {"runs",
     {"run_uuid", "experiment_id", "name", "user_id", "status", "start_time", "end_time",
      "lifecycle_stage", "artifact_uri"}},
    {"metrics", {"run_uuid", "key", "value", "is_nan", "step", "timestamp"}},
    {"params", {"run_uuid", "key", "value"}},
    {"tags", {"run_uuid", "key", "value"}},
}};
// Says nothing that the others do not.
constexpr std::array<std::string_view, 3> kRepeated = {"alembic_version", "latest_metrics",
                                                       "workspaces"};
constexpr std::string_view kDeleted = "deleted";

// Text of the database, in a pool.
struct Text {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};
struct Setting {
  Text name, value;
};
struct Point {
  std::int64_t step = 0;
  std::int64_t milliseconds = 0;
  double value = 0;
  std::uint64_t key = 0;
};

// MLflow's database writes the largest double in place of an infinity
// (mlflow/store/tracking/sqlalchemy_store.py).
double ValueOf(double number, bool is_nan) {
  using Limits = std::numeric_limits<double>;
  if (is_nan) return Limits::quiet_NaN();
  if (number == Limits::max()) return Limits::infinity();
  return number == Limits::lowest() ? -Limits::infinity() : number;
}

// SQLite's journals begin so while a change is not complete
// (sqlite.org/fileformat.html#the_rollback_journal).
bool IsHotJournal(FileSystem& file_system, const std::string& path) {
  constexpr std::string_view kMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  const auto file = file_system.OpenForRead(path);
  std::array<char, kMagic.size()> begin{};
  const auto read = file ? (*file)->ReadAt(0, begin) : Result<std::size_t>(0);
  return read && *read == begin.size() && std::string_view(begin.data(), begin.size()) == kMagic;
}

// kUnavailable while a part of the database is not in its file.
Status CheckComplete(FileSystem& file_system, const std::string& path) {
  if (IsHotJournal(file_system, path + "-journal")) {
    return {StatusCode::kUnavailable,
            "another program is writing it, or was killed while it wrote: " + path +
                "-journal is there. End that program, or start it once more, and import again"};
  }
  if (StampOf(file_system, path + "-wal").bytes > 0) {
    return {StatusCode::kUnavailable, "its newest values are in " + path +
                                          "-wal. End the program that writes it, or run: " +
                                          "sqlite3 " + path + " 'PRAGMA wal_checkpoint(TRUNCATE)'"};
  }
  return {};
}

class DatabaseImport {
 public:
  DatabaseImport(SqliteFile& file, const std::string& folder) : file_(file), folders_(folder) {}

  Status Run() {
    SIGHTLINE_RETURN_IF_ERROR(CheckSchema());
    SIGHTLINE_RETURN_IF_ERROR(ReadExperiments());
    SIGHTLINE_RETURN_IF_ERROR(ReadRuns());
    SIGHTLINE_RETURN_IF_ERROR(ReadSettings("params", parameters_));
    SIGHTLINE_RETURN_IF_ERROR(ReadSettings("tags", tags_));
    SIGHTLINE_RETURN_IF_ERROR(ReadMetrics());
    return CountUnread();
  }
  // After Run.
  Status Write();
  ImportReport TakeReport() { return std::move(report_); }

 private:
  struct Experiment {
    std::string name;
    bool deleted = false;
  };

  Status CheckSchema();
  Status ReadExperiments();
  Status ReadRuns();
  void AddRun(const SqliteRow& row);
  Status ReadSettings(std::string_view table, RowsByRun<Setting>& settings);
  Status ReadMetrics();
  void AddPoint(const SqliteRow& row);
  Status CountUnread();

  // The run of a row whose first column names it; none if it is left out.
  std::optional<std::size_t> RunOf(const SqliteRow& row);
  Text Keep(std::string_view text);
  std::string_view TextAt(Text text) const { return {texts_.data() + text.begin, text.size}; }
  std::uint64_t KeyOf(std::string_view name);

  static constexpr std::size_t kLeftOut = std::numeric_limits<std::size_t>::max();

  SqliteFile& file_;
  RunFolders folders_;
  ImportReport report_;
  std::unordered_map<std::int64_t, Experiment> experiments_;
  std::vector<ImportedRun> runs_;
  std::unordered_map<std::string, std::size_t> places_;  // Of runs by their ids, or kLeftOut.
  ColumnVector<char> texts_;
  RowsByRun<Setting> parameters_, tags_;
  RowsByRun<Point> points_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::uint64_t> key_places_;
};

Status DatabaseImport::CheckSchema() {
  for (const auto& [table, columns] : kNeeded) {
    if (!file_.Has(table)) {
      return {StatusCode::kInvalidArgument,
              fmt::format("not a database of MLflow's: it has no table {}", table)};
    }
    const SqliteFile::Table& own = file_.tables().find(table)->second;
    for (const std::string_view column : columns) {
      if (std::find(own.begin(), own.end(), column) != own.end()) continue;
      return {StatusCode::kInvalidArgument,
              fmt::format("the table {} has no column {}: another schema than that of MLflow 3.18. "
                          "`mlflow db upgrade` of a newer MLflow changes an older database",
                          table, column)};
    }
  }
  std::string revision;
  SIGHTLINE_RETURN_IF_ERROR(
      file_.Scan("alembic_version", {"version_num"},
                 [&](const SqliteRow& row) { revision = std::string(row.Text(0)); }));
  if (revision != kTestedRevision) {
    report_.notes.push_back(fmt::format(
        "its schema is revision \"{}\", and not that of MLflow 3.18, which is tested", revision));
  }
  return {};
}

Status DatabaseImport::ReadExperiments() {
  return file_.Scan("experiments", kNeeded[0].columns, [this](const SqliteRow& row) {
    if (const auto id = row.Integer(0))
      experiments_[*id] = {std::string(row.Text(1)), row.Text(2) == kDeleted};
  });
}

Status DatabaseImport::ReadRuns() {
  SIGHTLINE_RETURN_IF_ERROR(
      file_.Scan("runs", kNeeded[1].columns, [this](const SqliteRow& row) { AddRun(row); }));
  parameters_ = RowsByRun<Setting>(runs_.size());
  tags_ = RowsByRun<Setting>(runs_.size());
  points_ = RowsByRun<Point>(runs_.size());
  return {};
}

void DatabaseImport::AddRun(const SqliteRow& row) {
  const auto experiment = experiments_.find(row.Integer(1).value_or(-1));
  const bool known = experiment != experiments_.end();
  const bool with_experiment = known && experiment->second.deleted;
  if (with_experiment || row.Text(7) == kDeleted) {
    ++report_.left_out[with_experiment ? "run of a deleted experiment" : "deleted run"];
    places_.emplace(row.Text(0), kLeftOut);
    return;
  }
  if (!places_.emplace(row.Text(0), runs_.size()).second) return;
  ImportedRun run;
  run.id = row.Text(0);
  run.experiment = known ? experiment->second.name : "";
  run.name = row.Text(2);
  run.status = row.Text(4);
  run.started = row.Integer(5).value_or(0);
  run.ended = row.Integer(6).value_or(0);
  AddFact("run.user", row.Text(3), run);
  AddFact("run.artifacts", row.Text(8), run);
  runs_.push_back(std::move(run));
}

std::optional<std::size_t> DatabaseImport::RunOf(const SqliteRow& row) {
  const auto place = places_.find(std::string(row.Text(0)));
  if (place == places_.end()) ++report_.unread["row of no run"];
  if (place == places_.end() || place->second == kLeftOut) return std::nullopt;
  return place->second;
}

Text DatabaseImport::Keep(std::string_view text) {
  const Text kept{texts_.size(), text.size()};
  texts_.insert(texts_.end(), text.begin(), text.end());
  return kept;
}

Status DatabaseImport::ReadSettings(std::string_view table, RowsByRun<Setting>& settings) {
  return file_.Scan(table, {"run_uuid", "key", "value"}, [&](const SqliteRow& row) {
    if (const auto run = RunOf(row)) settings.Add(*run, {Keep(row.Text(1)), Keep(row.Text(2))});
  });
}

std::uint64_t DatabaseImport::KeyOf(std::string_view name) {
  const auto [place, is_new] = key_places_.emplace(name, keys_.size());
  if (is_new) keys_.push_back(ToUtf8(name));
  return place->second;
}

void DatabaseImport::AddPoint(const SqliteRow& row) {
  const auto run = RunOf(row);
  if (!run) return;
  const auto value = row.Number(2);
  const auto step = row.Integer(4);
  const auto time = row.Integer(5);
  if (!value || !step || !time) {
    ++report_.unread["metric of another form"];
    return;
  }
  points_.Add(*run,
              {*step, *time, ValueOf(*value, row.Integer(3).value_or(0) != 0), KeyOf(row.Text(1))});
}

Status DatabaseImport::ReadMetrics() {
  return file_.Scan("metrics", kNeeded[2].columns, [this](const SqliteRow& row) { AddPoint(row); });
}

Status DatabaseImport::CountUnread() {
  for (const auto& entry : file_.tables()) {
    const std::string& table = entry.first;
    const auto is_table = [&](const Needed& needed) { return needed.table == table; };
    if (std::any_of(kNeeded.begin(), kNeeded.end(), is_table) ||
        std::find(kRepeated.begin(), kRepeated.end(), table) != kRepeated.end())
      continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t rows, file_.Count(table));
    if (rows > 0) report_.unread[table] += rows;
  }
  return {};
}

Status DatabaseImport::Write() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    ImportedRun run = std::move(runs_[i]);
    parameters_.ForEach(i, [&](const Setting& setting) {
      ++report_.parameters;
      AddParameter(TextAt(setting.name), TextAt(setting.value), run);
    });
    tags_.ForEach(i, [&](const Setting& setting) {
      ++report_.tags;
      AddTag(TextAt(setting.name), TextAt(setting.value), run, report_);
    });
    SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, folders_.Begin(run));
    points_.ForEach(i, [&](const Point& point) {
      ++report_.points;
      writer->AddScalar(keys_[point.key], point.step, point.milliseconds, point.value);
    });
    SIGHTLINE_RETURN_IF_ERROR(writer->End());
    ++report_.runs;
  }
  return {};
}

}  // namespace

Result<ImportReport> ImportMlflowDatabase(const std::string& path, const std::string& folder,
                                          FileSystem& file_system) {
  const auto import = [&]() -> Result<ImportReport> {
    SIGHTLINE_RETURN_IF_ERROR(CheckComplete(file_system, path));
    const FileStamp before = StampOf(file_system, path);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto file, SqliteFile::Open(file_system, path));
    DatabaseImport database(*file, folder);
    const Status read = database.Run();
    SIGHTLINE_RETURN_IF_ERROR(CheckComplete(file_system, path));
    if (StampOf(file_system, path) != before) {
      return Error(StatusCode::kUnavailable,
                   "it changed while it was read. Import again when no run is recorded");
    }
    SIGHTLINE_RETURN_IF_ERROR(read);
    SIGHTLINE_RETURN_IF_ERROR(database.Write());
    return database.TakeReport();
  };
  auto report = import();
  if (!report) return Error(report.error().WithContext(path));
  return report;
}

}  // namespace sightline
