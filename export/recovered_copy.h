// A copy of an event file that holds its sound events and nothing else, and the list of what is
// missing from it.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const RecoveredFile file, CopySoundRecords(fs, source,
//   "out/run_MS")); SIGHTLINE_RETURN_IF_ERROR(CheckRecoveredCopy(fs, source, "out/run_MS")); for
//   (const LostRegion& lost : file.lost) Report(lost);
//
// What a journal still holds behind the file's end is copied too. Plain functions, callable from
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/runs/event_source.h"

namespace sightline {

struct LostRegion {
  SkippedRegion region;
  // Steps of the last sound event with values before it, and of the first behind it.
  std::optional<std::int64_t> after_step;
  std::optional<std::int64_t> before_step;
};

struct RecoveredFile {
  std::uint64_t records = 0;          // Written.
  std::uint64_t journal_records = 0;  // How many of them only a journal held.
  std::uint64_t bytes = 0;            // Of the copy.
  std::vector<LostRegion> lost;       // In the order of the file.
};

// Writes `output`, which must not be there. Errors: either file's.
Result<RecoveredFile> CopySoundRecords(FileSystem& file_system, const EventSource& source,
                                       const std::string& output);

// Reads `output` again and compares it with the source, whose sound records are found a second time
// by a search that shares nothing with RecordReader but the checksum. kDataLoss, which says where:
// the copy is damaged, lacks a sound event or has another. Time: in proportion to the file, but for
// forged ones, whose search ends early as RecordReader's does.
Status CheckRecoveredCopy(FileSystem& file_system, const EventSource& source,
                          const std::string& output);

}  // namespace sightline
