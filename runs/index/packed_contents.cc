// Packs FileContents as bytes (packing.h), without the series (packed_series.h).
//
// The index has two forms of a run: this one, from which reading continues and points are loaded,
// and PackedRun, which a list needs. With this one alone, an opening would make each run of its
// files' contents again: of 100,000 runs with 20 keys of lineage, 93,000 further instructions a run
// to parse the lineage, beside 161,000 for everything else.
#include "sightline/runs/index/packed_points.h"
#include "sightline/runs/reading/file_contents.h"

namespace sightline {
namespace {

// Everything except the series.
template <typename A>
void PackAsides(A& a, FileContents& c) {
  PackAll(a, c.kind, c.session, c.session_is_first, c.starts, c.events, c.event_counts, c.lineage,
          c.hyper_parameters, c.first_texts, c.metadata, c.lacking_metadata, c.first_wall_time,
          c.last_wall_time, c.bytes, c.records, c.unchecked, c.damage, c.translated);
}

}  // namespace

template <typename A>
void Pack(A& a, TranslatedContents::Setting& setting) {
  PackAll(a, setting.json, setting.of_series);
}

template <typename A>
void Pack(A& a, TranslatedContents& translated) {
  PackAll(a, translated.state.last_step, translated.settings, translated.unread, translated.ended);
}

template <typename A>
void Pack(A& a, FirstTexts& first) {
  PackAll(a, first.step, first.ended, first.texts);
}

void FileContentsReader::PackInto(PackWriter& writer) const {
  // A writer does not change the values that it packs.
  PackAsides(writer, const_cast<FileContents&>(contents_));  // NOLINT(*-pro-type-const-cast)
  bool kind_known = kind_known_;
  bool first = first_;
  std::uint64_t position = position_;
  std::uint64_t starts_before = starts_before_;
  MetadataByTag inherited = inherited_;
  PackAll(writer, kind_known, first, position, starts_before, inherited);
}

Result<FileContentsReader> FileContentsReader::Unpack(PackReader& reader, std::uint32_t file) {
  FileContentsReader contents(std::nullopt, file);
  FileContents& c = contents.contents_;
  PackAsides(reader, c);
  PackAll(reader, contents.kind_known_, contents.first_, contents.position_,
          contents.starts_before_, contents.inherited_);
  for (const auto& [kind, points] : c.events) {
    for (const HeavyPoint& point : points) {
      if (point.file != file) reader.Fail();
    }
  }
  for (const auto& [tag, metadata] : c.metadata) {
    if (metadata.file != file) reader.Fail();
  }
  if (reader.failed()) return Error(StatusCode::kDataLoss, "not the contents of an event file");
  return contents;
}

}  // namespace sightline
