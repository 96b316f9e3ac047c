#include "sightline/runs/index/packed_series.h"

#include <algorithm>
#include <tuple>

#include "sightline/runs/index/packed_points.h"

namespace sightline {
namespace {

auto NameOf(const SeriesKey& key) { return std::tie(key.kind, key.plugin, key.tag); }

// RunBuilder relies on this: the points of a series are in segments in the order of the file.
bool IsSound(const FileSeries& series) {
  const auto& segments = series.segments;
  if (series.points.steps.empty() || segments.empty() || segments[0].begin != 0) return false;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (segments[i].begin <= segments[i - 1].begin || segments[i].number <= segments[i - 1].number)
      return false;
  }
  return segments.back().begin < series.points.steps.size();
}

// About how many bytes a series takes.
std::size_t BytesOf(const FileSeries& series) {
  constexpr std::size_t kBytesOfPoint = 12;
  return series.tag.size() + series.points.steps.size() * kBytesOfPoint;
}

}  // namespace

template <typename A>
void Pack(A& a, FileSeries::Segment& segment) {
  PackAll(a, segment.number, segment.begin);
}

namespace {

void WriteSeries(PackWriter& writer, std::uint32_t name, const FileSeries& series) {
  ContentKind kind = series.kind;
  std::string plugin = series.plugin;
  std::string tag = series.tag;
  auto segments = series.segments;
  PackAll(writer, name, kind, plugin, tag, segments);
  PackPoints(writer, kind == ContentKind::kScalar, series.points);
}

void ReadSeries(PackReader& reader, std::uint32_t file, NamedSeries& named) {
  FileSeries& series = named.series;
  PackAll(reader, named.name, series.kind, series.plugin, series.tag, series.segments);
  PackPoints(reader, series.kind == ContentKind::kScalar, file, series.points);
  if (!IsSound(series)) reader.Fail();
}

}  // namespace

std::vector<const SeriesKey*> NamesOf(const Run& run) {
  std::vector<const SeriesKey*> names;
  names.reserve(run.series().size());
  auto counting = run.series().begin();
  auto superseded = run.superseded().begin();
  while (counting != run.series().end() || superseded != run.superseded().end()) {
    const bool next_counts =
        superseded == run.superseded().end() ||
        (counting != run.series().end() && (*counting)->key() < (*superseded)->key());
    const SeriesKey& key = next_counts ? (*counting++)->key() : (*superseded++)->key();
    if (names.empty() || NameOf(*names.back()) != NameOf(key)) names.push_back(&key);
  }
  return names;
}

std::vector<std::uint32_t> NameNumbersOf(const Run& run) {
  const auto same_name = [](const auto& a, const auto& b) {
    return NameOf(a->key()) == NameOf(b->key());
  };
  const auto all = run.series();
  if (run.superseded().empty() &&
      std::adjacent_find(all.begin(), all.end(), same_name) == all.end())
    return {};
  const std::vector<const SeriesKey*> names = NamesOf(run);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(all.size() + run.superseded().size());
  for (const auto some : {run.series(), run.superseded()}) {
    std::uint32_t name = 0;
    for (const auto& series : some) {
      while (NameOf(*names[name]) != NameOf(series->key())) ++name;
      numbers.push_back(name);
    }
  }
  return numbers;
}

std::vector<PackedPart> PackSeries(const std::vector<const SeriesKey*>& names,
                                   const FileContentsReader& file, std::string_view prefix) {
  std::vector<PackedPart> parts;
  PackWriter part;
  std::uint32_t first = 0;
  const auto end_part = [&] {
    if (part.bytes().size() > prefix.size()) parts.push_back({first, std::move(part.bytes())});
    part = {};
    part.Raw(prefix.data(), prefix.size());
  };
  end_part();
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    const SeriesKey& key = *names[name];
    const FileSeries* const series = file.SeriesOf(key.kind, key.plugin, key.tag);
    if (series == nullptr) continue;
    if (part.bytes().size() + BytesOf(*series) > kPartBytes) end_part();
    if (part.bytes().size() == prefix.size()) first = name;
    WriteSeries(part, name, *series);
  }
  end_part();
  return parts;
}

std::vector<NamedSeries> UnpackSeries(PackReader& reader, std::uint32_t file) {
  std::vector<NamedSeries> all;
  while (!reader.failed() && !reader.AtEnd()) {
    NamedSeries named;
    ReadSeries(reader, file, named);
    if (!all.empty() && named.name <= all.back().name) reader.Fail();
    if (!reader.failed()) all.push_back(std::move(named));
  }
  return all;
}

}  // namespace sightline
