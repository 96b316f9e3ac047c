// The series of one event file as bytes, in parts, so that the points of one series can be loaded
// without those of all others. The names of a run's series (kind, plugin and tag) are numbered from
// 0 in their order. A part holds the series of consecutive names. Private to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/runs/index/packing.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/reading/file_contents.h"

namespace sightline {

// The first series of each name, in the order of the names. They live as long as the run.
std::vector<const SeriesKey*> NamesOf(const Run& run);
// The number of the name of each series: of series(), then of superseded(). Empty if that is its
// position.
std::vector<std::uint32_t> NameNumbersOf(const Run& run);

struct NamedSeries {
  std::uint32_t name = 0;
  FileSeries series;
};

struct PackedPart {
  std::uint32_t first_name = 0;
  std::string bytes;
};

// The series of one file. A part has about kPartBytes, or is a single series. `prefix` begins every
// part.
inline constexpr std::size_t kPartBytes = std::size_t{16} << 10U;
std::vector<PackedPart> PackSeries(const std::vector<const SeriesKey*>& names,
                                   const FileContentsReader& file, std::string_view prefix);
// Reads series until the end of the bytes. Fails for bytes that PackSeries cannot have written.
std::vector<NamedSeries> UnpackSeries(PackReader& reader, std::uint32_t file);

}  // namespace sightline
