// Copies the sound events of an event file, and lists what is missing from the copy.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const RecoveredFile file, CopySoundRecords(fs, source, copy));
//   SIGHTLINE_RETURN_IF_ERROR(CheckRecoveredCopy(fs, source, copy));
//   for (const LostRegion& lost : file.lost) Report(lost);
//
// Events that only a journal holds yet are copied, too. Plain functions, callable from
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/runs/source/event_source.h"

namespace sightline {

struct LostRegion {
  SkippedRegion region;
  // The steps of the last sound event with values before the region, and of the first after it.
  std::optional<std::int64_t> after_step;
  std::optional<std::int64_t> before_step;
};

struct RecoveredFile {
  std::uint64_t records = 0;          // Written.
  std::uint64_t journal_records = 0;  // How many of them were only in a journal.
  std::uint64_t bytes = 0;            // Of the copy.
  std::vector<LostRegion> lost;       // In the order of the file.
};

// Writes `output`, which must not exist. Errors: those of either file.
Result<RecoveredFile> CopySoundRecords(FileSystem& file_system, const EventSource& source,
                                       const std::string& output);

// Reads `output` again and compares it with the source. The sound records of the source are found
// by a second search that shares only the checksum with RecordReader. kDataLoss, with the place, if
// the copy is damaged, lacks a sound event or has another one. The time is in proportion to the
// file; in forged files the search ends early, as RecordReader's does.
Status CheckRecoveredCopy(FileSystem& file_system, const EventSource& source,
                          const std::string& output);

}  // namespace sightline
