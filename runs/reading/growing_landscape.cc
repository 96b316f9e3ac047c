#include "sightline/runs/reading/growing_landscape.h"

#include <utility>

#include "sightline/landscape/journal/point_journal.h"

namespace sightline {

Result<std::vector<GrowingLandscape>> ReadGrowingLandscapes(const std::string& directory,
                                                            FileSystem* file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto paths,
                             landscape::ListPointJournals(*file_system, directory));
  std::vector<GrowingLandscape> growing;
  for (const std::string& path : paths) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto journal, landscape::ReadPointJournal(*file_system, path));
    if (journal.done || journal.points.empty()) continue;
    const auto outline = landscape::ParseOutline(journal.header);
    if (!outline) return Error(outline.error().WithContext(path));
    growing.push_back({outline->tag, path, journal.points.size(), landscape::PointCount(*outline),
                       landscape::LandscapeOf(*outline, journal.points)});
  }
  return growing;
}

}  // namespace sightline
