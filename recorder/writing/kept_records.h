// KeptRecords: what a killed recorder wrote into its event files after the place that its journal
// names. A replay makes most of these records again, byte for byte; but not those whose values were
// lent (they died with their process), nor those whose entries in the journal are damaged. So the
// records stay as they are, and what a replay makes is written only where it is not among them.
// After a power loss the journal may be older than the files, so the records may lie in several.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/dialect/payload.h"

namespace sightline {

class KeptRecords {
 public:
  // Adds the sound records of the next file from `offset` on, without the first `skip` of them.
  // Reads the file from `offset`.
  Status Add(std::unique_ptr<ReadableFile> file, std::uint64_t offset, std::size_t skip);
  // What was added lies in files that came before: a new one was begun.
  void BeginFile();

  // Of the newest file: where its last sound record ends. What lies after that is torn.
  std::uint64_t end() const { return end_; }
  // Whether no record is left to be taken.
  bool exhausted() const { return next_ == records_.size(); }
  // Whether the next record lies in a file before the newest.
  bool next_is_in_earlier_file() const { return next_ < newest_file_begin_; }
  // Where the next record begins. REQUIRES: !exhausted().
  std::uint64_t next_offset() const { return records_[next_]; }

  // Whether the record of this payload, or a framed record as it is, is among those that are left.
  // It and what comes before it is then taken.
  bool Take(const Payload& payload);
  bool TakeFramed(std::string_view record);
  // The same for a record of an event at this time, whatever else it holds.
  bool TakeAt(double wall_time);

 private:
  // Of a key, and the index of a record.
  using Index = std::set<std::pair<std::uint64_t, std::size_t>>;

  bool Find(const Index& index, std::uint64_t key);

  std::vector<std::uint64_t> records_;  // Offsets.
  Index by_content_;                    // Size and checksum of the payload.
  Index by_time_;                       // The bits of the wall time.
  std::size_t next_ = 0;
  std::size_t newest_file_begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace sightline
