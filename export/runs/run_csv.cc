#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sightline/export/runs/buffered_file.h"
#include "sightline/export/runs/csv.h"
#include "sightline/export/runs/run_writers.h"

namespace sightline {
namespace {

// Both forms: nothing but scalars.
class ScalarWriter : public RunWriter {
 public:
  ScalarWriter(std::unique_ptr<WritableFile> file, CsvText text)
      : out_(std::move(file)), text_(text) {}

  bool Takes(ContentKind kind) const override { return kind == ContentKind::kScalar; }
  bool Takes(EventKind) const override { return false; }
  Status Value(const SeriesKey&, const StoredValue&) override { return {}; }
  Status Event(EventKind, const StoredValue&) override { return {}; }
  Status Finish() override { return out_.Close(); }

 protected:
  BufferedFile out_;
  const CsvText text_;
  std::string run_;
};

class LongWriter final : public ScalarWriter {
 public:
  LongWriter(std::unique_ptr<WritableFile> file, CsvText text)
      : ScalarWriter(std::move(file), text) {
    out_.Append("run,rank,tag,step,wall_time,value\r\n");
  }

  Status BeginRun(const Run& run) override {
    run_ = CsvField(run.name(), text_);
    return {};
  }
  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override {
    const std::string front =
        fmt::format("{},{},{},", run_, series.key().rank, CsvField(series.key().tag, text_));
    for (std::size_t i = begin; i < end; ++i) {
      out_.Append(fmt::format("{}{},{},{}\r\n", front, series.steps()[i],
                              CsvTime(series.wall_times()[i]), CsvNumber(series.values()[i])));
    }
    Wrote("scalar", end - begin);
    return out_.status();
  }
  Status EndRun(const Run&) override { return {}; }
};

class WideWriter final : public ScalarWriter {
 public:
  WideWriter(std::unique_ptr<WritableFile> file, const std::set<std::string>& tags, CsvText text)
      : ScalarWriter(std::move(file), text) {
    std::string header = "run,rank,step,wall_time";
    for (const std::string& tag : tags) {
      columns_.emplace(tag, columns_.size());
      header += "," + CsvField(tag, text_);
    }
    out_.Append(header + "\r\n");
  }

  Status BeginRun(const Run& run) override {
    run_ = CsvField(run.name(), text_);
    rank_ = std::numeric_limits<std::int32_t>::min();
    return {};
  }
  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override {
    if (series.key().rank != rank_) WriteRows();
    rank_ = series.key().rank;
    const auto column = columns_.find(series.key().tag);
    if (column == columns_.end()) return {};
    // The points of a step follow each other; the last one counts.
    for (std::size_t i = begin; i < end; ++i) {
      Row& row = rows_[series.steps()[i]];
      const double time = series.wall_times()[i];
      if (std::isnan(row.wall_time) || time > row.wall_time) row.wall_time = time;
      if (row.cells.empty() || row.cells.back().first != column->second) {
        row.cells.emplace_back(column->second, 0);
        Wrote("scalar");
      } else {
        LeaveOut("scalar", "an earlier value of the same step");
      }
      row.cells.back().second = series.values()[i];
    }
    return out_.status();
  }
  Status EndRun(const Run&) override {
    WriteRows();
    return out_.status();
  }

 private:
  struct Row {
    double wall_time = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<std::size_t, double>> cells;  // Column and value, by column.
  };

  void WriteRows() {
    for (const auto& [step, row] : rows_) {
      std::string line = fmt::format("{},{},{},{}", run_, rank_, step, CsvTime(row.wall_time));
      std::size_t next = 0;
      for (const auto& [column, value] : row.cells) {
        line.append(column - next + 1, ',');
        line += CsvNumber(value);
        next = column + 1;
      }
      line.append(columns_.size() - next, ',');
      out_.Append(line + "\r\n");
    }
    rows_.clear();
  }

  std::map<std::string, std::size_t> columns_;
  std::map<std::int64_t, Row> rows_;  // Of one rank.
  std::int32_t rank_ = 0;
};

}  // namespace

std::unique_ptr<RunWriter> MakeCsvWriter(std::unique_ptr<WritableFile> file, CsvText text) {
  return std::make_unique<LongWriter>(std::move(file), text);
}

void AddTags(const Run& run, const ExportSelection& selection, std::set<std::string>& tags) {
  for (const auto& series : run.series()) {
    const std::string& tag = series->key().tag;
    if (!series->is_scalar() || (selection.tags && !selection.tags(tag))) continue;
    const std::size_t begin = series->LowerBound(selection.first_step);
    if (begin < series->size() && series->steps()[begin] <= selection.last_step) tags.insert(tag);
  }
}

std::unique_ptr<RunWriter> MakeWideCsvWriter(std::unique_ptr<WritableFile> file,
                                             const std::set<std::string>& tags, CsvText text) {
  return std::make_unique<WideWriter>(std::move(file), tags, text);
}

}  // namespace sightline
