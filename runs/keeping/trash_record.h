// TrashRecord: what a trash keeps about a run that is in it, or on its way there or back: the file
// move.json beside the run. It is written before the first file moves, so that after a kill the
// next call knows where everything belongs.
//
// A plain value; plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

// A note that was kept about a run.
struct MovedNote {
  std::size_t up = 0;  // Its file is in the folder so many levels above the one with the trash.
  std::string run;     // The run's id in that file.
  nlohmann::json entry;
};

struct TrashRecord {
  enum class State : std::uint8_t {
    kMoving,   // On its way into the trash or back. The next call puts everything back.
    kKept,     // In the trash.
    kLeaving,  // On its way to another place, by one rename. If it did not leave, as kMoving.
  };

  std::string id;  // The name of its folder in the trash.
  State state = State::kMoving;
  double time = 0;                 // When it was moved, in seconds since the Unix epoch.
  std::string run;                 // Its directory below the folder with the trash.
  std::vector<std::string> paths;  // What moves, below that folder; each by one rename.
  std::vector<MovedNote> notes = {};
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

std::string TrashRecordText(const TrashRecord& record);
// kDataLoss if the text is not that of a record. Anybody may have written it: paths that lead
// elsewhere are refused here, and links when they are opened.
Result<TrashRecord> ParseTrashRecord(std::string id, std::string_view text);

}  // namespace sightline
