#include "sightline/runs/reading/run_builder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <numeric>

#include "sightline/base/parallel.h"
#include "sightline/base/wire.h"
#include "sightline/runs/model/counters.h"
#include "sightline/runs/reading/run_facts.h"
#include "sightline/runs/reading/swanlab_files.h"
#include "sightline/runs/source/foreign_file.h"

namespace sightline {
namespace {

// The number of gaps between points from which the usual interval is computed.
constexpr std::size_t kGaps = 256;
// Times of events before this one (2001) are not those of a clock: some programs give steps.
constexpr double kFirstClock = 1e9;
// From so many points on, several threads put them together.
constexpr std::size_t kMany = 1'000'000;

// Identifies a point within its session and tag: both dialects are written from the same event.
using PointId = std::pair<std::int64_t, std::uint64_t>;

PointId IdOf(const SeriesPoints& points, std::size_t i) {
  return {points.steps[i], std::bit_cast<std::uint64_t>(points.wall_times[i])};
}

bool IsSorted(const SeriesPoints& points) {
  for (std::size_t i = 1; i < points.steps.size(); ++i) {
    if (IdOf(points, i) < IdOf(points, i - 1)) return false;
  }
  return true;
}

// Marks those of `points` that `twins` also hold; each twin counts once. REQUIRES: both IsSorted.
std::vector<bool> DuplicatesOfSorted(const SeriesPoints& points, const SeriesPoints& twins) {
  std::vector<bool> duplicates(points.steps.size());
  std::size_t twin = 0;
  for (std::size_t i = 0; i < points.steps.size(); ++i) {
    const PointId id = IdOf(points, i);
    while (twin < twins.steps.size() && IdOf(twins, twin) < id) ++twin;
    if (twin == twins.steps.size()) break;
    if (IdOf(twins, twin) != id) continue;
    duplicates[i] = true;
    ++twin;
  }
  return duplicates;
}

std::vector<std::size_t> OrderOf(const SeriesPoints& points) {
  std::vector<std::size_t> order(points.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return IdOf(points, a) < IdOf(points, b); });
  return order;
}

void AppendRange(const SeriesPoints& from, std::size_t begin, std::size_t end, SeriesPoints& to) {
  const auto append = [&](const auto& source, auto& target) {
    if (source.empty()) return;
    if (target.empty() && begin == 0) {
      target = source.First(end);  // Shared, not copied.
    } else {
      target.Append(std::span(source.begin() + begin, end - begin));
    }
  };
  if (end - begin < kMany) {
    append(from.steps, to.steps);
    append(from.wall_times, to.wall_times);
    append(from.values, to.values);
    append(from.places, to.places);
    return;
  }
  // There are many points: each column has its own thread.
  ForEachInParallel(4, 0, [&](std::size_t i) {
    if (i == 0) append(from.steps, to.steps);
    if (i == 1) append(from.wall_times, to.wall_times);
    if (i == 2) append(from.values, to.values);
    if (i == 3) append(from.places, to.places);
  });
}

// SummaryMetadata.display_name.
std::string_view DisplayName(std::string_view metadata) {
  std::string_view name;
  wire::Field field;
  for (wire::Scanner scan(metadata); scan.Next(field);) {
    if (field.number == 2 && field.type == wire::WireType::kBytes) name = field.bytes;
  }
  return name;
}

const Series* SeriesOf(const Run& run, const SeriesKey& key) {
  const auto found =
      std::lower_bound(run.series().begin(), run.series().end(), key,
                       [](const auto& series, const SeriesKey& k) { return series->key() < k; });
  return found != run.series().end() && (*found)->key() == key ? found->get() : nullptr;
}

}  // namespace

RunBuilder::RunBuilder(FileSystem& file_system, std::string directory, std::string name,
                       RunStamp stamp, const Run* before)
    : run_(new Run()), before_(before) {
  run_->file_system_ = &file_system;
  run_->directory_ = std::move(directory);
  run_->name_ = std::move(name);
  run_->stamp_ = std::make_shared<const RunStamp>(std::move(stamp));
}

void RunBuilder::AddPiece(const FileContents& contents) {
  pieces_.push_back({run_->files_.size() - 1, &contents});
  RunFile& file = run_->files_.back();
  file.kind = contents.kind;
  file.bytes = contents.bytes;
  file.records += contents.records;
  file.unchecked += contents.unchecked;
  AddDamage(contents.damage, file.damage);
  if (!file.session && contents.session) {
    file.session = contents.session;
    session_is_first_.back() = contents.session_is_first;
  }
  if (file.status.ok()) file.status = contents.status;
  for (const auto& [kind, count] : contents.translated.unread) file.unread[kind] += count;
}

void RunBuilder::FindForeignType(RunFile& file) const {
  if (file.records != 0 || file.damage.empty() || !file.status.ok()) return;
  const auto bytes = run_->file_system_->OpenForRead(file.path);
  char head[kForeignHead];
  const auto got = bytes ? (*bytes)->ReadAt(0, head) : Result<std::size_t>(Error(bytes.error()));
  if (!got) return;
  const auto type = ForeignType({head, *got});
  if (!type) return;
  file.foreign_type = *type;
  file.damage.clear();
}

void RunBuilder::AddFile(const EventSource& source, const FileContents& contents,
                         const FileContents* rest) {
  RunFile& file = run_->files_.emplace_back();
  session_is_first_.push_back(false);
  file.path = source.path;
  file.journal_records = source.tail ? source.tail->payloads.size() : 0;
  AddPiece(contents);
  if (rest != nullptr) AddPiece(*rest);
  FindForeignType(file);
  if (file.session) {
    file.rank = file.session->rank;
  } else if (const auto name = ParseEventFileName(BaseName(source.path)); name && name->device_id) {
    file.rank = static_cast<std::int32_t>(std::min<std::uint32_t>(*name->device_id, INT32_MAX));
  }
}

void RunBuilder::ResolveFiles() {
  std::vector<std::optional<Session>> sessions;
  for (std::size_t i = 0; i < run_->files_.size(); ++i)
    sessions.push_back(session_is_first_[i] ? run_->files_[i].session : std::nullopt);
  RunSessions resolved = ResolveSessions(sessions);
  run_->sessions_ = std::move(resolved.sessions);
  for (std::size_t i = 0; i < run_->files_.size(); ++i) {
    run_->files_[i].superseded_from = resolved.superseded_from[i];
    run_->signs_.ours = run_->signs_.ours || run_->files_[i].session.has_value();
  }
  std::vector<std::uint64_t> starts(run_->files_.size());
  for (const Piece& piece : pieces_) {
    for (const std::int64_t step : piece.contents->starts) {
      restarts_.NoteStart(
          {piece.file, ++starts[piece.file], run_->files_[piece.file].session.has_value()}, step);
    }
  }
  restarts_.FinishNoting();
}

std::optional<std::int64_t> RunBuilder::SupersededFrom(std::size_t file,
                                                       std::uint64_t segment) const {
  std::optional<std::int64_t> from = run_->files_[file].superseded_from;
  if (run_->files_[file].kind != EventFileKind::kTensorBoard) return from;
  const auto restart =
      restarts_.SupersededFrom({file, segment, run_->files_[file].session.has_value()});
  if (restart) from = std::min(from.value_or(*restart), *restart);
  return from;
}

// Marks the points of a TensorBoard file that the MindSpore files of its session also hold.
std::vector<bool> RunBuilder::TwinDuplicates(const Part& part, std::span<const Part> parts) const {
  const auto& session = run_->files_[part.file].session;
  if (!session || run_->files_[part.file].kind != EventFileKind::kTensorBoard) return {};
  std::vector<const SeriesPoints*> twin_parts;
  for (const Part& other : parts) {
    const auto& other_session = run_->files_[other.file].session;
    if (run_->files_[other.file].kind == EventFileKind::kTensorBoard || !other_session ||
        other_session->session_id != session->session_id)
      continue;
    twin_parts.push_back(&other.series->points);
  }
  if (twin_parts.empty()) return {};
  const SeriesPoints& points = part.series->points;
  if (twin_parts.size() == 1 && IsSorted(points) && IsSorted(*twin_parts[0]))
    return DuplicatesOfSorted(points, *twin_parts[0]);
  std::vector<PointId> twins;
  for (const SeriesPoints* twin_part : twin_parts) {
    for (std::size_t i = 0; i < twin_part->steps.size(); ++i) twins.push_back(IdOf(*twin_part, i));
  }
  std::sort(twins.begin(), twins.end());
  std::vector<bool> left_out(points.steps.size());
  auto twin = twins.begin();
  for (const std::size_t i : OrderOf(points)) {
    const PointId id = IdOf(points, i);
    while (twin != twins.end() && *twin < id) ++twin;
    if (twin == twins.end() || *twin != id) continue;
    left_out[i] = true;
    ++twin;
  }
  return left_out;
}

void RunBuilder::Append(const Part& part, const std::vector<bool>& left_out, SeriesPoints& counting,
                        SeriesPoints& superseded) const {
  const SeriesPoints& points = part.series->points;
  const auto& segments = part.series->segments;
  const EventFileKind kind = run_->files_[part.file].kind;
  const auto in_dialect = IsTranslated(kind)                    ? &RecordedCounts::in_others
                          : kind == EventFileKind::kTensorBoard ? &RecordedCounts::in_tensorboard
                                                                : &RecordedCounts::in_mindspore;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const std::size_t end = s + 1 < segments.size() ? segments[s + 1].begin : points.steps.size();
    const auto from = SupersededFrom(part.file, segments[s].number);
    if (!from && left_out.empty()) {
      AppendRange(points, segments[s].begin, end, counting);
      counting.recorded.*in_dialect += end - segments[s].begin;
      continue;
    }
    for (std::size_t i = segments[s].begin; i < end; ++i) {
      SeriesPoints& to = from && points.steps[i] >= *from ? superseded : counting;
      ++(to.recorded.*in_dialect);
      if (left_out.empty() || !left_out[i]) AppendRange(points, i, i + 1, to);
    }
  }
}

void RunBuilder::AddSeries(SeriesKey key, std::span<const Part> parts) {
  SeriesPoints counting;
  SeriesPoints superseded;
  for (const Part& part : parts) Append(part, TwinDuplicates(part, parts), counting, superseded);
  if (!counting.steps.empty()) {
    const Series* known = before_ == nullptr ? nullptr : SeriesOf(*before_, key);
    counting.Sort(known == nullptr ? 0 : known->SharedWith(counting));
    run_->series_.push_back(known == nullptr
                                ? std::make_shared<const Series>(key, std::move(counting))
                                : std::make_shared<const Series>(key, std::move(counting), *known));
  }
  if (!superseded.steps.empty()) {
    superseded.Sort();
    run_->superseded_.push_back(
        std::make_shared<const Series>(std::move(key), std::move(superseded)));
  }
}

void RunBuilder::AddAsides() {
  std::vector<const FileContents*> all_contents;
  std::map<std::size_t, const FirstTexts*> texts;  // By file: the last piece has them all.
  for (const Piece& piece : pieces_) {
    const FileContents& contents = *piece.contents;
    all_contents.push_back(&contents);
    texts[piece.file] = &contents.first_texts;
    for (const auto& [kind, points] : contents.events) {
      auto& all = run_->events_[kind];
      all.insert(all.end(), points.begin(), points.end());
    }
    for (const auto& [kind, count] : contents.event_counts) run_->event_counts_[kind] += count;
    RunFile& file = run_->files_[piece.file];
    for (auto* to : {&run_->first_wall_time_, &file.first_wall_time})
      if (const auto& time = contents.first_wall_time) *to = std::min(to->value_or(*time), *time);
    for (auto* to : {&run_->last_wall_time_, &file.last_wall_time})
      if (const auto& time = contents.last_wall_time) *to = std::max(to->value_or(*time), *time);
  }
  std::vector<const FirstTexts*> all_texts;
  all_texts.reserve(texts.size());
  for (const auto& [file, of_file] : texts) all_texts.push_back(of_file);
  run_->lineage_ = LineageOf(all_contents, all_texts);
  AddRunFacts(*run_->file_system_, run_->directory_, run_->sessions_, run_->stamp_->fact_sessions,
              run_->lineage_);
  if (std::any_of(run_->files_.begin(), run_->files_.end(),
                  [](const RunFile& file) { return file.kind == EventFileKind::kSwanLab; }))
    AddSwanLabFiles(*run_->file_system_, run_->directory_, run_->lineage_);
}

// Keeps the metadata of those tags that have values without.
void RunBuilder::AddMetadata() {
  std::set<std::string_view> lacking;
  for (const Piece& piece : pieces_) {
    lacking.insert(piece.contents->lacking_metadata.begin(),
                   piece.contents->lacking_metadata.end());
  }
  MetadataByTag metadata;
  for (const std::string_view tag : lacking) {
    for (const Piece& piece : pieces_) {
      const auto found = piece.contents->metadata.find(tag);
      if (found != piece.contents->metadata.end()) metadata.insert(*found);  // The first counts.
    }
  }
  if (!metadata.empty())
    run_->metadata_ = std::make_shared<const MetadataByTag>(std::move(metadata));
}

// Those of the first value of each tag.
void RunBuilder::AddDisplayNames() {
  for (const Piece& piece : pieces_) {
    for (const auto& [tag, metadata] : piece.contents->metadata)
      run_->display_names_.try_emplace(tag, DisplayName(metadata.bytes));
  }
  std::erase_if(run_->display_names_,
                [](const auto& name) { return name.second.empty() || name.second == name.first; });
}

// Computes it from the last points of the longest series; of counters only if there is nothing
// else.
void RunBuilder::AddUsualInterval() {
  const Series* longest = nullptr;
  const auto weight = [](const Series& series) {
    return std::pair(!IsCounter(series), series.size());
  };
  for (const auto& series : run_->series_)
    if (longest == nullptr || weight(*series) > weight(*longest)) longest = series.get();
  if (longest == nullptr) return;
  const auto times = longest->wall_times();
  const std::size_t count = std::min(times.size(), kGaps + 1);
  std::vector<double> gaps;
  for (std::size_t i = times.size() - count; i + 1 < times.size(); ++i) {
    const double gap = times[i + 1] - times[i];
    if (std::isfinite(gap) && gap >= 0) gaps.push_back(gap);
  }
  if (gaps.empty()) return;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  run_->signs_.usual_interval = *middle;
}

// For how long only counters were recorded, which go on while a training hangs; 0 if the run has
// nothing else. By the recorder's clock alone: that of the files may be another one.
double RunBuilder::SecondsOfCounters() const {
  double counters = 0;
  double training = 0;
  for (const auto& series : run_->series_) {
    double& last = IsCounter(*series) ? counters : training;
    last = std::max(last, series->last_wall_time());
  }
  return training < kFirstClock ? 0 : std::max(0.0, counters - training);
}

void RunBuilder::AddSigns() {
  RunSigns& signs = run_->signs_;
  for (const RunStamp::File& file : run_->stamp_->files)
    signs.last_change = std::max(signs.last_change, file.modified_seconds);
  signs.journal = run_->stamp_->journal;
  signs.journal_held = run_->stamp_->journal_held;
  signs.ours = signs.ours || run_->stamp_->journal;
  signs.closed = std::all_of(pieces_.begin(), pieces_.end(),
                             [](const Piece& piece) { return piece.contents->translated.ended; });
  const double last_event = run_->last_wall_time_.value_or(0);
  if (signs.ours) {
    signs.last_change = std::max(signs.last_change, last_event) - SecondsOfCounters();
  } else if (last_event >= kFirstClock && signs.last_change - last_event > kCopySeconds) {
    signs.last_change = last_event;
  }
  std::map<std::int32_t, std::string> last;  // Session by rank.
  for (const RunSession& session : run_->sessions_)
    last[session.session.rank] = session.session.session_id;
  const auto& killed = run_->stamp_->killed_sessions;
  signs.recovered = std::any_of(last.begin(), last.end(), [&](const auto& session) {
    return std::find(killed.begin(), killed.end(), session.second) != killed.end();
  });
}

std::tuple<ContentKind, std::string_view, std::string_view, std::int32_t> RunBuilder::KeyOf(
    const Part& part) const {
  const FileSeries& series = *part.series;
  return {series.kind, series.plugin, series.tag, run_->files_[part.file].rank};
}

std::vector<RunBuilder::Part> RunBuilder::PartsByKey() const {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    for (const FileSeries& series : pieces_[i].contents->series)
      parts.push_back({i, pieces_[i].file, &series});
  }
  std::sort(parts.begin(), parts.end(), [this](const Part& a, const Part& b) {
    const auto key = KeyOf(a) <=> KeyOf(b);
    return std::is_eq(key) ? a.piece < b.piece : std::is_lt(key);
  });
  return parts;
}

void RunBuilder::AddAllSeries() {
  const std::vector<Part> parts = PartsByKey();
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto key = KeyOf(*begin);
    const auto end =
        std::find_if(begin, parts.end(), [&](const Part& part) { return KeyOf(part) != key; });
    const auto& [kind, plugin, tag, rank] = key;
    AddSeries({kind, std::string(plugin), std::string(tag), rank}, {begin, end});
    begin = end;
  }
}

std::shared_ptr<const Run> RunBuilder::FinishSeries() {
  ResolveFiles();
  AddAllSeries();
  return std::move(run_);
}

std::shared_ptr<const Run> RunBuilder::Finish() {
  ResolveFiles();
  AddAllSeries();
  AddAsides();
  AddMetadata();
  AddDisplayNames();
  AddUsualInterval();
  AddSigns();
  return std::move(run_);
}

}  // namespace sightline
