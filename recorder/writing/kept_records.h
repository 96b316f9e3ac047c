// KeptRecords: the records that a killed recorder wrote into its event files after the place that
// its journal names. A replay makes most of them again, byte for byte. But it cannot make records
// with lent values, which are gone with their process, nor records whose entries in the journal are
// damaged. So all these records stay as they are, and the replay writes a record only if it is not
// among them. After a power loss, the journal may be older than the files, so the records may be in
// several files.
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
  Status Add(std::unique_ptr<ReadableFile> file, std::uint64_t offset, std::size_t skip);
  // Begins a new file. All records so far are in earlier files.
  void BeginFile();

  // Where the last sound record of the newest file ends. Bytes after that are torn.
  std::uint64_t end() const { return end_; }
  // Whether no record is left to be taken.
  bool exhausted() const { return next_ == records_.size(); }
  // Whether the next record is in a file before the newest.
  bool next_is_in_earlier_file() const { return next_ < newest_file_begin_; }
  // Where the next record begins. REQUIRES: !exhausted().
  std::uint64_t next_offset() const { return records_[next_]; }

  // Whether the record with this payload, or a framed record, is among those that are left. If it
  // is, takes it and all records before it.
  bool Take(const Payload& payload);
  bool TakeFramed(std::string_view record);
  // The same for a record of an event with this time, whatever its values are.
  bool TakeAt(double wall_time);

 private:
  // Pairs of a key and a record's index in records_.
  using Index = std::set<std::pair<std::uint64_t, std::size_t>>;

  bool Find(const Index& index, std::uint64_t key);

  std::vector<std::uint64_t> records_;  // Offsets in their files.
  Index by_content_;                    // The key is the size and the checksum of the payload.
  Index by_time_;                       // The key is the bits of the wall time.
  std::size_t next_ = 0;
  std::size_t newest_file_begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace sightline
