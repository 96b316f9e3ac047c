// BlockLogReader: reads the records of a log in blocks, which W&B and SwanLab write, and verifies
// every checksum. It continues after damage, and after the end of a file that has grown.
//
//   BlockLogReader reader(std::move(file), Tail::kGrowing);
//   while (reader.Next() == ReadOutcome::kRecord) Use(reader.payload());
//
// The form is that of LevelDB's log (github.com/google/leveldb, doc/log_format.md), with zlib's
// CRC-32 of type and bytes in place of a masked CRC-32C, and with a header of 7 bytes at the
// beginning of the file (4 letters, a number of 16 bits, a version). The file consists of blocks of
// 32 KiB. A record is one fragment, or several that follow each other:
//
//   fragment := crc32 (uint32) length (uint16) type (uint8: whole 1, first 2, middle 3, last 4)
//   bytes
//
// A fragment does not cross the end of a block; a rest of fewer than 7 bytes is not used.
//
// Damage: reading goes on behind a fragment whose checksum does not hold, if a sound fragment is
// there, and at the next block otherwise. A header of the file that is not one is damage, too.
// `Tail` and the functions are those of RecordReader (record_reader.h). Memory: one block, and one
// record. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/record_reader.h"

namespace sightline {

class BlockLogReader {
 public:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{32} << 10U;
  static constexpr std::uint64_t kHeaderBytes = 7;  // Of the file, and of a fragment.

  // `letters`: the first four bytes of such a file. `offset`: where the first record is expected.
  BlockLogReader(std::unique_ptr<ReadableFile> file, std::string_view letters, Tail tail,
                 std::uint64_t offset = 0)
      : file_(std::move(file)), letters_(letters), tail_(tail), position_(offset) {}

  ReadOutcome Next();
  // Valid until the next call of Next.
  std::string_view payload() const { return payload_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t records() const { return records_; }
  void Finish() { tail_ = Tail::kFinal; }
  void Reject(SkipReason reason);
  const std::vector<SkippedRegion>& skipped() const { return skipped_; }
  const Status& status() const { return status_; }

 private:
  enum class Verdict : std::uint8_t {
    kSound,
    kBad,
    kIncomplete,  // The file ends within it, or after damage in its last block.
    kNothing,     // The file ends before it.
    kError
  };
  enum class Type : std::uint8_t { kWhole = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

  struct Fragment {
    Type type = Type::kWhole;
    std::string_view bytes;   // Valid until the next one is read.
    std::uint64_t begin = 0;  // Of its header; behind the unused rest of a block.
    std::uint64_t end = 0;    // Where reading goes on, or the file ends.
    SkipReason reason = SkipReason::kPayloadChecksum;
  };

  // Reads the fragment at `at`, or at the beginning of the next block.
  Verdict ReadFragment(std::uint64_t at, Fragment& fragment);
  Verdict ReadFileHeader(Fragment& header);
  Verdict BadToTheBlocksEnd(Fragment& fragment, SkipReason reason);
  // Puts into block_ what the file has of a block, at least `wanted` bytes if there are as many.
  Status LoadBlock(std::uint64_t begin, std::uint64_t wanted);
  bool IsSoundAt(std::uint64_t within) const;
  void TakeDamage(const std::optional<SkippedRegion>& damage);
  void Skip(std::uint64_t begin, std::uint64_t end, SkipReason reason);

  std::unique_ptr<ReadableFile> file_;
  std::string letters_;
  Tail tail_;
  std::uint64_t position_;

  std::string block_;
  std::uint64_t block_begin_ = 0;

  std::string payload_;
  std::uint64_t offset_ = 0;
  std::uint64_t records_ = 0;
  std::vector<SkippedRegion> skipped_;
  Status status_;
};

}  // namespace sightline
