// train_metadata.json and the journal of points on arbitrary bytes.
#include <string_view>

#include "sightline/landscape/checkpoints/train_metadata.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  sightline::testing::MemoryFileSystem files;
  files.Put("run/train_metadata.json", bytes);
  const auto metadata = sightline::landscape::ReadTrainMetadata("run", {}, &files);
  if (metadata) {
    Check(!metadata->intervals.empty(), "there is an interval");
    for (const auto& interval : metadata->intervals) {
      Check(!interval.empty(), "which is not empty");
      static_cast<void>(sightline::landscape::LandscapeTag(interval));
    }
  }
  const auto journal = sightline::landscape::ParsePointJournal(bytes);
  if (!journal) return 0;
  Check(journal->bytes <= size, "what is whole lies inside");
  for (const auto& [index, values] : journal->points) Check(!values.empty(), "a point has numbers");
  const auto outline = sightline::landscape::ParseOutline(journal->header);
  if (outline && PointCount(*outline) < 10'000) LandscapeOf(*outline, journal->points);
  return 0;
}
