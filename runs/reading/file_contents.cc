#include "sightline/runs/reading/file_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sightline/base/memory/memory_bound.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/translation/translating_reader.h"
#include "sightline/runs/source/record_skimmer.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

// What a series with few points takes at most, until its run is made and in the index.
constexpr std::uint64_t kBytesOfSeries = 1024;

struct ScalarEvent {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string_view tag;
  float value = 0;
};

// Reads a varint below 2^14, as lengths in small events are. Null for any other.
const char* ReadShortVarint(const char* at, const char* end, std::size_t& value) {
  if (end - at < 2) return nullptr;
  const auto first = static_cast<std::uint8_t>(at[0]);
  const auto second = static_cast<std::uint8_t>(at[1]);
  value = first;
  if (first < 0x80) return at + 1;
  value = (first & 0x7fU) | std::size_t{second} << 7U;
  return second < 0x80 ? at + 2 : nullptr;
}

const char* ReadVarint(const char* at, const char* end, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && at != end; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*at++);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return at;
  }
  return nullptr;
}

// Reads the key and the length of a field that extends to `end`. Returns the beginning of its
// bytes; null if there is no such field.
const char* EnterField(const char* at, const char* end, char key) {
  std::size_t length = 0;
  if (end - at < 2 || *at != key) return nullptr;
  at = ReadShortVarint(at + 1, end, length);
  return at != nullptr && length == static_cast<std::size_t>(end - at) ? at : nullptr;
}

// Reads an event that has only a time, a step and one scalar, with its fields in the order in which
// every writer puts them. False for all other events, which ParseEvent reads.
bool ParseScalarEvent(EventFileKind file_kind, std::string_view payload, ScalarEvent& event) {
  const char* at = payload.data();
  const char* const end = at + payload.size();
  if (payload.size() < 9 || *at != 0x09) return false;
  std::memcpy(&event.wall_time, at + 1, sizeof(double));
  if (event.wall_time == 0) return false;  // No time: see ParseEvent.
  at += 9;
  event.step = 0;
  if (at != end && *at == 0x10) {
    std::uint64_t step = 0;
    at = ReadVarint(at + 1, end, step);
    if (at == nullptr) return false;
    event.step = static_cast<std::int64_t>(step);
  }
  at = EnterField(at, end, 0x2a);                                  // summary
  if (at != nullptr) at = EnterField(at, end, 0x0a);               // value
  if (at == nullptr || end - at < 2 || *at != 0x0a) return false;  // tag
  std::size_t tag_size = 0;
  at = ReadShortVarint(at + 1, end, tag_size);
  if (at == nullptr || static_cast<std::size_t>(end - at) != tag_size + 1 + sizeof(float))
    return false;
  event.tag = {at, tag_size};
  at += tag_size;
  if (*at != (file_kind == EventFileKind::kTensorBoard ? 0x15 : 0x1d)) return false;
  std::memcpy(&event.value, at + 1, sizeof(float));
  return true;
}

// SummaryMetadata.plugin_data.content.
std::string_view PluginContent(std::string_view metadata) {
  std::string_view content;
  Field field;
  for (Scanner scan(metadata); scan.Next(field);) {
    if (field.number != 1 || field.type != WireType::kBytes) continue;
    Field inner;
    for (Scanner plugin(field.bytes); plugin.Next(inner);) {
      if (inner.number == 2 && inner.type == WireType::kBytes) content = inner.bytes;
    }
  }
  return content;
}

}  // namespace

void AddDamage(const std::vector<SkippedRegion>& from, std::vector<SkippedRegion>& to) {
  for (const SkippedRegion& region : from) {
    if (!to.empty() && to.back().offset + to.back().length == region.offset) {
      to.back().length += region.length;
    } else {
      to.push_back(region);
    }
  }
}

FileContentsReader::FileContentsReader(std::optional<EventFileKind> kind, std::uint32_t file)
    : file_(file), kind_known_(kind.has_value()) {
  contents_.kind = kind.value_or(EventFileKind::kMindSporeSummary);
}

FileContentsReader FileContentsReader::Rest() const {
  FileContentsReader rest(contents_.kind, file_);
  rest.kind_known_ = kind_known_;
  rest.first_ = first_;
  rest.position_ = rest.contents_.bytes = position_;
  rest.starts_before_ = starts_before_ + contents_.starts.size();
  rest.contents_.first_texts = contents_.first_texts;
  rest.contents_.translated.state = contents_.translated.state;
  rest.contents_.translated.ended = contents_.translated.ended;
  rest.inherited_ = inherited_;
  rest.inherited_.insert(contents_.metadata.begin(), contents_.metadata.end());
  return rest;
}

std::uint64_t FileContentsReader::points() const {
  std::uint64_t points = 0;
  for (const FileSeries& series : contents_.series) points += series.points.steps.size();
  return points;
}

void FileContentsReader::Read(std::unique_ptr<ReadableFile> file, Tail tail, bool skim) {
  if (IsTranslated(contents_.kind)) return ReadTranslated(std::move(file), tail);
  const ReadableFile& bytes = *file;
  RecordReader records(std::move(file), tail, position_);
  ReadOutcome outcome = ReadOutcome::kEnd;
  while (!full_ && (outcome = records.Next()) == ReadOutcome::kRecord) {
    if (kind_known_ && AddScalarEvent(records.payload())) [[likely]]
      continue;
    const bool large = records.payload().size() >= RecordSkimmer::kLarge;
    if (!AddRecord(records.payload(), records.offset()))
      records.Reject(SkipReason::kMalformedEvent);
    // A lineage is read whole, since it is part of the run.
    if (skim && large && contents_.kind != EventFileKind::kMindSporeLineage) Skim(bytes, records);
  }
  EndReading(records, outcome);
}

// The events are of TensorBoard's dialect, and complete in themselves. Their texts are no
// configuration.
void FileContentsReader::ReadTranslated(std::unique_ptr<ReadableFile> file, Tail tail) {
  TranslatingReader records(std::move(file), contents_.kind, tail, position_,
                            contents_.translated.state);
  contents_.first_texts.ended = true;
  ReadOutcome outcome = ReadOutcome::kEnd;
  while (!full_ && (outcome = records.Next()) == ReadOutcome::kRecord) {
    const Translation& translation = records.translation();
    contents_.translated.Add(translation);
    if (translation.event.empty()) continue;
    (void)ParseEvent(DialectOf(contents_.kind), translation.event, event_);
    event_.offset = records.offset();
    AddEvent(event_);
  }
  contents_.translated.state = records.state();
  EndReading(records, outcome);
}

template <typename Records>
void FileContentsReader::EndReading(const Records& records, ReadOutcome outcome) {
  if (outcome == ReadOutcome::kError) contents_.status = records.status();
  if (full_) {
    contents_.status =
        Status(StatusCode::kResourceExhausted,
               fmt::format("more than {} tags do not fit into the memory limit; raise it",
                           contents_.series.size()));
  }
  if (scalar_events_ != 0) contents_.event_counts[EventKind::kSummary] += scalar_events_;
  scalar_events_ = 0;
  position_ = records.position();
  contents_.bytes = position_;
  contents_.records += records.records();
  AddDamage(records.skipped(), contents_.damage);
}

bool FileContentsReader::AddScalarEvent(std::string_view payload) {
  ScalarEvent event;
  if (contents_.kind == EventFileKind::kMindSporeLineage ||
      !ParseScalarEvent(contents_.kind, payload, event))
    return false;
  first_ = false;
  ++scalar_events_;
  AddWallTime(event.wall_time);
  FileSeries* const series = Find(ContentKind::kScalar, {}, event.tag);
  if (series == nullptr) return true;
  SeriesPoints& points = PointsOf(*series);
  points.steps.push_back(event.step);
  points.wall_times.push_back(event.wall_time);
  points.values.push_back(static_cast<double>(event.value));
  return true;
}

// Adds an event as EventReader reads it. False if the payload is not an event.
bool FileContentsReader::AddRecord(std::string_view payload, std::uint64_t offset) {
  if (!kind_known_) {
    contents_.kind = GuessFileKind(payload);
    kind_known_ = true;
  }
  const bool sound = ParseEvent(contents_.kind, payload, event_);
  event_.offset = offset;
  if (event_.kind == EventKind::kVersion) AdoptVersion(event_.body);
  if (!sound) return false;
  AddEvent(event_);
  first_ = false;
  return true;
}

// Adds the records after those that `records` has read, as long as they can be skimmed.
void FileContentsReader::Skim(const ReadableFile& file, RecordReader& records) {
  const EventFileKind kind = contents_.kind;  // A version record may change it.
  RecordSkimmer skimmer(file, kind, records.position());
  while (!full_ && contents_.kind == kind && skimmer.Next()) {
    const std::string_view payload = skimmer.payload();
    const bool whole = skimmer.checked();
    if (!whole) {
      // The value of a scalar is in its tensor, which was left out.
      const auto is_scalar = [](const ValueView& value) { return value.plugin == "scalars"; };
      // So is what a text says, which may be a configuration.
      const auto is_wanted = [&](const ValueView& value) {
        return is_scalar(value) ||
               (value.kind == ContentKind::kText && !contents_.first_texts.ended);
      };
      if (!ParseEvent(contents_.kind, payload, event_) ||
          std::any_of(event_.values.begin(), event_.values.end(), is_wanted))
        break;
    } else if (AddScalarEvent(payload)) {
      ++contents_.records;
      records.SkipTo(skimmer.position());
      continue;
    }
    if (!AddRecord(payload, skimmer.offset())) break;
    ++contents_.records;
    contents_.unchecked += whole ? 0 : 1;
    records.SkipTo(skimmer.position());
  }
}

void FileContentsReader::AdoptVersion(std::string_view version) {
  if (version.starts_with("brain.Event:")) {
    contents_.kind = EventFileKind::kTensorBoard;
  } else if (version.starts_with("MindSpore.Event:") &&
             contents_.kind == EventFileKind::kTensorBoard) {
    contents_.kind = EventFileKind::kMindSporeSummary;
  }
}

void FileContentsReader::AddWallTime(double wall_time) {
  if (!std::isfinite(wall_time)) return;
  auto& first = contents_.first_wall_time;
  auto& last = contents_.last_wall_time;
  if (!first || wall_time < *first) first = wall_time;
  if (!last || wall_time > *last) last = wall_time;
}

// Gives a value that lacks metadata those of the first value of its tag.
void FileContentsReader::TakeMetadata(ValueView& value) {
  for (const MetadataByTag* known : {&inherited_, &contents_.metadata}) {
    const auto found = known->find(value.tag);
    if (found == known->end()) continue;
    InheritMetadata(found->second.bytes, value);
    break;
  }
  if (!contents_.lacking_metadata.contains(value.tag))
    contents_.lacking_metadata.emplace(value.tag);
}

void FileContentsReader::TakeText(const EventView& event, const ValueView& value) {
  const auto texts = DecodeStrings(value.message);
  if (texts && texts->size() == 1) contents_.first_texts.Add(event.step, value.tag, texts->front());
}

void FileContentsReader::AddEvent(EventView& event) {
  ++contents_.event_counts[event.kind];
  AddWallTime(event.wall_time);
  if (!event.session.empty() && !contents_.session) {
    if (auto session = DecodeSession(event.session)) {
      contents_.session_is_first = first_ && !session->session_id.empty();
      contents_.session = *std::move(session);
    }
  }
  for (std::size_t i = 0; i < event.values.size(); ++i) {
    ValueView& value = event.values[i];
    if (value.plugin == "hparams" && contents_.kind == EventFileKind::kTensorBoard)
      contents_.hyper_parameters.emplace_back(PluginContent(value.metadata));
    const bool has_metadata = !value.metadata.empty();
    if (LacksMetadata(contents_.kind, value)) TakeMetadata(value);
    if (value.kind == ContentKind::kText && !contents_.first_texts.ended) TakeText(event, value);
    const bool of_plugin = value.kind == ContentKind::kPlugin;
    FileSeries* const found =
        Find(value.kind, of_plugin ? value.plugin : std::string_view(), value.tag);
    if (found == nullptr) return;
    FileSeries& series = *found;
    const auto number = static_cast<std::uint32_t>(i);
    if (has_metadata && !series.has_metadata) {
      series.has_metadata = true;
      contents_.metadata.try_emplace(
          series.tag, TagMetadata{std::string(value.metadata), file_, event.offset, number});
    }
    SeriesPoints& points = PointsOf(series);
    if (value.kind == ContentKind::kScalar) {
      points.steps.push_back(event.step);
      points.wall_times.push_back(event.wall_time);
      points.values.push_back(value.scalar);
    } else {
      AddItems(event, number, points);
    }
  }
  AddAside(event);
}

// Each picture or sound of a value is a point.
void FileContentsReader::AddItems(const EventView& event, std::uint32_t number,
                                  SeriesPoints& points) const {
  const std::uint32_t items = ItemCount(event.values[number]);
  for (std::uint32_t item = 0; item < items; ++item) {
    points.steps.push_back(event.step);
    points.wall_times.push_back(event.wall_time);
    points.places.push_back({event.offset, file_, number, item});
  }
}

void FileContentsReader::AddAside(const EventView& event) {
  switch (event.kind) {
    case EventKind::kEmpty:
    case EventKind::kVersion:
    case EventKind::kSummary:
      return;
    case EventKind::kTrainLineage:
    case EventKind::kEvaluationLineage:
    case EventKind::kCustomLineage:
      contents_.lineage.emplace_back(event.kind, event.body);
      break;
    case EventKind::kSessionLog:
      if (contents_.kind == EventFileKind::kTensorBoard && IsSessionStart(event))
        contents_.starts.push_back(event.step);
      break;
    case EventKind::kGraph:
    case EventKind::kDatasetGraph:
    case EventKind::kExplain:
    case EventKind::kLogMessage:
    case EventKind::kRunMetadata:
    case EventKind::kMetaGraph:
    case EventKind::kOther:
      break;
  }
  contents_.events[event.kind].push_back({event.step, event.wall_time, event.offset, file_, 0, 0});
}

FileSeries* FileContentsReader::Find(ContentKind kind, std::string_view plugin,
                                     std::string_view tag) {
  if (!next_.empty()) [[likely]] {
    const std::uint32_t next = next_[last_];
    FileSeries& expected = contents_.series[next];
    if (expected.tag == tag && expected.kind == kind && expected.plugin == plugin) [[likely]] {
      last_ = next;
      return &expected;
    }
  }
  const std::size_t found = positions_.FindOrAdd(contents_.series, kind, plugin, tag);
  if (found == contents_.series.size()) {
    full_ = found >= MostInMemory(kBytesOfSeries);
    if (full_) return nullptr;
    contents_.series.push_back({kind, false, std::string(plugin), std::string(tag), {}, {}});
    next_.push_back(0);
  }
  last_ = next_[last_] = static_cast<std::uint32_t>(found);
  return &contents_.series[found];
}

bool FileContentsReader::Add(FileSeries series) {
  FileSeries* const place = Find(series.kind, series.plugin, series.tag);
  if (place == nullptr || !place->segments.empty()) return false;
  *place = std::move(series);
  return true;
}

const FileSeries* FileContentsReader::SeriesOf(ContentKind kind, std::string_view plugin,
                                               std::string_view tag) const {
  const auto found = positions_.Find(contents_.series, kind, plugin, tag);
  return found ? &contents_.series[*found] : nullptr;
}

SeriesPoints& FileContentsReader::PointsOf(FileSeries& series) const {
  const std::uint64_t segment = starts_before_ + contents_.starts.size();
  if (series.segments.empty() || series.segments.back().number != segment) [[unlikely]]
    series.segments.push_back({segment, series.points.steps.size()});
  return series.points;
}

}  // namespace sightline
