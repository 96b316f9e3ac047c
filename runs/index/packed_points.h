// Packs parts of runs and files as bytes (packing.h). Columns are packed small if possible: steps
// at equal distances are two numbers; times and values that are float32 take four bytes. Private to
// this folder.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/runs/index/packing.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/model/tag_metadata.h"

namespace sightline {

template <>
inline constexpr ContentKind kLastOf<ContentKind> = ContentKind::kUnknown;
template <>
inline constexpr EventKind kLastOf<EventKind> = EventKind::kOther;
template <>
inline constexpr EventFileKind kLastOf<EventFileKind> = EventFileKind::kSwanLab;
template <>
inline constexpr SkipReason kLastOf<SkipReason> = SkipReason::kMalformedEvent;

template <typename A>
void Pack(A& a, Session& s) {
  PackAll(a, s.writer, s.version, s.session_id, s.rank, s.world_size, s.segment, s.first_step,
          s.resume_from_step, s.continues_session);
}

template <typename A>
void Pack(A& a, SkippedRegion& region) {
  PackAll(a, region.offset, region.length, region.reason);
}

template <typename A>
void Pack(A& a, HeavyPoint& point) {
  PackAll(a, point.step, point.wall_time, point.offset, point.file, point.value, point.item);
}

template <typename A>
void Pack(A& a, TagMetadata& metadata) {
  PackAll(a, metadata.bytes, metadata.file, metadata.offset, metadata.value);
}

// Pack one column, in both directions. The reader must know `count`.
void PackColumn(PackWriter& writer, const Column<std::int64_t>& column);
void PackColumn(PackReader& reader, std::uint64_t count, Column<std::int64_t>& column);
void PackColumn(PackWriter& writer, const Column<double>& column);
void PackColumn(PackReader& reader, std::uint64_t count, Column<double>& column);

// Pack points, in both directions. Both sides must know whether they are a scalar's.
void PackPoints(PackWriter& writer, bool scalar, const SeriesPoints& points);
// Fails if a place is in another file than `file`.
void PackPoints(PackReader& reader, bool scalar, std::uint32_t file, SeriesPoints& points);

}  // namespace sightline
