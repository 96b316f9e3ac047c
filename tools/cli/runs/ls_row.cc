#include "sightline/tools/cli/runs/ls_row.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <span>
#include <variant>

#include "sightline/base/text/number_text.h"
#include "sightline/tools/cli/runs/rank_notes.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

void WriteSeries(const Series& series, JsonWriter& json) {
  const SeriesKey& key = series.key();
  json.Member("kind", ContentKindName(key.kind));
  json.Member("tag", key.tag);
  json.Member("rank", std::int64_t{key.rank});
  json.Member("points", std::uint64_t{series.size()});
  json.Member("first_step", series.first_step());
  json.Member("last_step", series.last_step());
  if (!key.plugin.empty()) json.Member("plugin", key.plugin);
  if (!series.is_scalar()) return;
  const Extremes extremes = series.ExtremesOf(0, series.size());
  json.Member("last", series.last_value());
  if (std::isnan(extremes.min)) return;
  json.Member("min", extremes.min);
  json.Member("max", extremes.max);
}

std::vector<const Series*> PointersTo(std::span<const std::shared_ptr<const Series>> all) {
  std::vector<const Series*> pointers;
  pointers.reserve(all.size());
  for (const auto& series : all) pointers.push_back(series.get());
  return pointers;
}

std::string Rounded(double number) {
  return std::isfinite(number) ? fmt::format("{:.6g}", number) : NumberText(number);
}

}  // namespace

std::vector<const RunFile*> LsRow::Files() const {
  if (rank != nullptr) return rank->files;
  std::vector<const RunFile*> all;
  for (const RunFile& file : run->files()) all.push_back(&file);
  return all;
}

std::uint64_t LsRow::unchecked() const {
  std::uint64_t unchecked = 0;
  for (const RunFile* file : Files()) unchecked += file->unchecked;
  return unchecked;
}

std::string LsRow::TagsWithNonFinite() const {
  return rank == nullptr ? sightline::TagsWithNonFinite(*run) : sightline::TagsWithNonFinite(*rank);
}

std::string LsRow::Cell(const std::string& column, const Query& query) const {
  const QueryValue value = ValueOf(query);
  if (column == "state" && run->signs().recovered && value == QueryValue(std::string("killed")))
    return "killed, recovered";
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && (column == "started" || column == "ended")) return FormatTime(*number);
  if (number != nullptr && column == "duration") return fmt::format("{:.1f} s", *number);
  const auto text_of = query.IsStatistic() ? Rounded : NumberText;
  std::string cell = number != nullptr ? text_of(*number) : Printable(QueryValueText(value));
  if (rank != nullptr) return cell;
  const std::string note = NoteOnRanks(query.InRanks(*run), text_of);
  if (note.empty()) return cell;
  return cell.empty() ? note : fmt::format("{} ({})", cell, note);
}

void LsRow::Write(JsonWriter& json) const {
  json.Member("name", run->name());
  if (rank != nullptr) json.Member("rank", std::int64_t{rank->rank});
  json.Member("directory", run->directory());
  json.Member("state", RunStateName(run->State()));
  json.Member("damaged", damaged());
  const auto started = rank == nullptr ? run->first_wall_time() : rank->first_wall_time();
  const auto ended = rank == nullptr ? run->last_wall_time() : rank->last_wall_time();
  if (started) json.Member("started", *started);
  if (ended) json.Member("ended", *ended);
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  for (const RunFile* file : Files()) {
    if (!file->foreign_type.empty()) continue;
    ++files;
    bytes += file->bytes;
  }
  json.Member("files", files);
  json.Member("bytes", bytes);
  json.Member("unchecked", unchecked());
  json.Member("lineage", '{');
  for (const auto& [name, value] : run->lineage()) {
    const std::string& key = name;
    std::visit([&](const auto& held) { json.Member(key, held); }, value);
  }
  json.Close('}');
  json.Member("series", '[');
  for (const Series* series : rank == nullptr ? PointersTo(run->series()) : rank->series) {
    json.Element('{');
    WriteSeries(*series, json);
    json.Close('}');
  }
  json.Close(']');
  std::uint64_t superseded = 0;
  for (const Series* series : rank == nullptr ? PointersTo(run->superseded()) : rank->superseded)
    superseded += series->size();
  json.Member("superseded_points", superseded);
}

}  // namespace sightline
