#include "sightline/recorder/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sightline/recorder/crc32c.h"
#include "sightline/recorder/record_format.h"
#include "sightline/recorder/wire.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::BytesFile;
using ::testing::ElementsAre;
using testing::FrameHeader;
using testing::FrameRecord;
using ::testing::IsEmpty;
using Payloads = std::vector<std::string>;

// A file of records "0", "1", ... with payloads of different sizes, a way to damage it, and its
// readers.
class RecordReaderTest : public ::testing::Test {
 protected:
  // Record i holds its number and padding; records are 116, 117, ... bytes long.
  static std::string Payload(int i) {
    return std::to_string(i) +
           std::string(static_cast<std::size_t>(100 + i) - std::to_string(i).size(), '.');
  }
  static Payloads Numbers(std::initializer_list<int> numbers) {
    Payloads payloads;
    for (const int i : numbers) payloads.push_back(Payload(i));
    return payloads;
  }
  void Write(int count) {
    for (int i = 0; i < count; ++i) Append(Payload(i));
  }
  void Append(std::string_view payload) {
    begins_.push_back(bytes_->size());
    bytes_->append(FrameRecord(payload));
  }
  // Where record i begins; that of the last but one is the end.
  std::uint64_t Begin(std::size_t i) const {
    return i < begins_.size() ? begins_[i] : bytes_->size();
  }

  void FlipBit(std::uint64_t offset) {
    (*bytes_)[offset] = static_cast<char>((*bytes_)[offset] ^ 0x10);
  }

  std::unique_ptr<RecordReader> Open(Tail tail = Tail::kFinal,
                                     std::size_t most_bytes_a_read = SIZE_MAX) {
    return std::make_unique<RecordReader>(std::make_unique<BytesFile>(bytes_, most_bytes_a_read),
                                          tail);
  }
  // Everything that is there now.
  static Payloads ReadOn(RecordReader& reader) {
    Payloads payloads;
    while (reader.Next() == ReadOutcome::kRecord) payloads.emplace_back(reader.payload());
    EXPECT_THAT(reader.status(), testing::IsOk());
    return payloads;
  }
  // Reads the file as it is; leaves what was skipped in skipped_.
  Payloads ReadAll(std::size_t most_bytes_a_read = SIZE_MAX) {
    auto reader = Open(Tail::kFinal, most_bytes_a_read);
    Payloads payloads = ReadOn(*reader);
    skipped_ = reader->skipped();
    EXPECT_EQ(reader->records(), payloads.size());
    return payloads;
  }
  SkippedRegion Region(std::uint64_t begin, std::uint64_t end, SkipReason reason) const {
    return {begin, end - begin, reason};
  }

  std::shared_ptr<std::string> bytes_ = std::make_shared<std::string>();
  std::vector<std::uint64_t> begins_;
  std::vector<SkippedRegion> skipped_;
};

// Sound files.

TEST_F(RecordReaderTest, AnEmptyFileHasNoRecords) {
  EXPECT_THAT(ReadAll(), IsEmpty());
  EXPECT_THAT(skipped_, IsEmpty());
}

TEST_F(RecordReaderTest, ReadsRecordsInOrderWithTheirOffsets) {
  Write(3);
  auto reader = Open();
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
    EXPECT_EQ(reader->payload(), Payload(static_cast<int>(i)));
    EXPECT_EQ(reader->offset(), Begin(i));
    EXPECT_EQ(reader->position(), Begin(i + 1));
  }
  EXPECT_EQ(reader->Next(), ReadOutcome::kEnd);
  EXPECT_EQ(reader->Next(), ReadOutcome::kEnd);
  EXPECT_THAT(reader->skipped(), IsEmpty());
}

TEST_F(RecordReaderTest, ReadsEmptyRecords) {
  Append("");
  Append("x");
  Append("");
  EXPECT_THAT(ReadAll(), ElementsAre("", "x", ""));
}

TEST_F(RecordReaderTest, ReadsRecordsLargerThanItsWindow) {
  const std::string large(3'000'000, 'L');
  Append("a");
  Append(large);
  Append("b");
  Append(large + large);
  EXPECT_THAT(ReadAll(), ElementsAre("a", large, "b", large + large));
}

TEST_F(RecordReaderTest, ReadsThousandsOfRecordsAcrossWindows) {
  Write(20'000);
  const Payloads payloads = ReadAll();
  ASSERT_EQ(payloads.size(), 20'000u);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(payloads[static_cast<std::size_t>(i)], Payload(i));
}

TEST_F(RecordReaderTest, ReadsThroughPartialReadsOfAnySize) {
  Write(5);
  for (const std::size_t most : {1u, 2u, 7u, 11u, 12u, 13u, 100u}) {
    EXPECT_EQ(ReadAll(most), Numbers({0, 1, 2, 3, 4})) << most;
    EXPECT_THAT(skipped_, IsEmpty()) << most;
  }
}

// The worked bytes of docs/event_file.md: the second record of corpus/mindspore/values.
TEST_F(RecordReaderTest, ReadsTheRecordInTheFormatsDescription) {
  const std::string payload(
      "\x09\xfe\xd0\x1a\x64\x1c\xc0\xda\x41\x10\x01\x2a\x13\x0a\x11\x0a\x0a"
      "scalar/f32"
      "\x1d\x8d\xea\xcf\x3f",
      32);
  *bytes_ = std::string("\x20\0\0\0\0\0\0\0\x29\xed\xa9\x50", 12) + payload + "\x4b\x3f\xcc\xb2";
  EXPECT_THAT(ReadAll(), ElementsAre(payload));
  EXPECT_EQ(*bytes_, FrameRecord(payload));
}

// Each shape of damage, with the exact records and bytes lost.

TEST_F(RecordReaderTest, ABitOfAPayloadCostsItsRecord) {
  Write(4);
  FlipBit(Begin(1) + kRecordHeaderSize + 50);
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2), SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, ABitOfThePayloadChecksumCostsItsRecord) {
  Write(4);
  FlipBit(Begin(2) - 1);
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2), SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, ABitOfTheLengthCostsItsRecord) {
  Write(4);
  for (std::uint64_t byte = 0; byte < kRecordLengthSize; ++byte) {
    FlipBit(Begin(1) + byte);
    EXPECT_EQ(ReadAll(), Numbers({0, 2, 3})) << byte;
    EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2), SkipReason::kLengthChecksum)))
        << byte;
    FlipBit(Begin(1) + byte);
  }
}

TEST_F(RecordReaderTest, ABitOfTheLengthChecksumCostsItsRecord) {
  Write(4);
  FlipBit(Begin(1) + kRecordLengthSize + 2);
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2), SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, AZeroedBlockCostsTheRecordsItTouches) {
  Write(8);
  // From within record 2 to within record 5.
  bytes_->replace(Begin(2) + 40, Begin(5) - Begin(2), Begin(5) - Begin(2), '\0');
  EXPECT_EQ(ReadAll(), Numbers({0, 1, 6, 7}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(2), Begin(6), SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, ALargeZeroedBlockIsCrossed) {
  Write(2);
  bytes_->append(5'000'000, '\0');
  const std::uint64_t end = bytes_->size();
  Append("behind");
  EXPECT_EQ(ReadAll(), (Payloads{Payload(0), Payload(1), "behind"}));
  EXPECT_THAT(skipped_, ElementsAre(Region(end - 5'000'000, end, SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, LostBytesCostTheRecordThatLacksThem) {
  Write(5);
  bytes_->erase(Begin(1) + 30, 20);
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3, 4}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2) - 20, SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, LostBytesAcrossABoundaryCostTwoRecords) {
  Write(5);
  bytes_->erase(Begin(2) - 30, 60);
  EXPECT_EQ(ReadAll(), Numbers({0, 3, 4}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(3) - 60, SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, InsertedBytesCostTheRecordThatTheyAreIn) {
  Write(5);
  bytes_->insert(Begin(1) + 30, "inserted");
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3, 4}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2) + 8, SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, BytesInsertedBetweenRecordsCostNothing) {
  Write(3);
  bytes_->insert(Begin(1), "inserted");
  EXPECT_EQ(ReadAll(), Numbers({0, 1, 2}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(1) + 8, SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, ADuplicatedBlockCostsTheRecordThatItCuts) {
  Write(6);
  // Everything from within record 1 to within record 3 is there twice.
  const std::string block = bytes_->substr(Begin(1) + 30, Begin(3) - Begin(1));
  bytes_->insert(Begin(3) + 30, block);
  // The framing cannot tell that 2 comes a second time.
  EXPECT_EQ(ReadAll(), Numbers({0, 1, 2, 2, 3, 4, 5}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(3), Begin(3) + 30 + Begin(2) - Begin(1) - 30,
                                           SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, ATruncatedTailCostsTheLastRecord) {
  Write(3);
  const std::string whole = *bytes_;
  for (std::uint64_t size = Begin(2) + 1; size < whole.size(); ++size) {
    bytes_->resize(size);
    EXPECT_EQ(ReadAll(), Numbers({0, 1})) << size;
    EXPECT_THAT(skipped_, ElementsAre(Region(Begin(2), size, SkipReason::kTruncated))) << size;
    *bytes_ = whole;
  }
}

TEST_F(RecordReaderTest, AGarbageHeadCostsNothing) {
  *bytes_ = "this is no record, but something that stands in front of them";
  const std::uint64_t garbage = bytes_->size();
  Write(3);
  EXPECT_EQ(ReadAll(), Numbers({0, 1, 2}));
  EXPECT_THAT(skipped_, ElementsAre(Region(0, garbage, SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, DamageInTwoPlacesIsTwoRegions) {
  Write(6);
  FlipBit(Begin(1) + 3);
  FlipBit(Begin(4) + 50);
  EXPECT_EQ(ReadAll(), Numbers({0, 2, 3, 5}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(2), SkipReason::kLengthChecksum),
                                    Region(Begin(4), Begin(5), SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, NeighbouringDamageIsOneRegion) {
  Write(6);
  FlipBit(Begin(1) + 50);
  FlipBit(Begin(2) + 3);
  FlipBit(Begin(3) + 50);
  EXPECT_EQ(ReadAll(), Numbers({0, 4, 5}));
  EXPECT_THAT(skipped_, ElementsAre(Region(Begin(1), Begin(4), SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, AFileOfGarbageIsOneRegion) {
  for (unsigned i = 0; i < 100'000; ++i)
    bytes_->push_back(static_cast<char>(i * 2654435761U >> 13U));
  EXPECT_THAT(ReadAll(), IsEmpty());
  EXPECT_THAT(skipped_, ElementsAre(Region(0, 100'000, SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, DamageIsFoundThroughPartialReads) {
  Write(5);
  FlipBit(Begin(1) + 3);
  FlipBit(Begin(3) + 50);
  for (const std::size_t most : {1u, 5u, 13u, 100u})
    EXPECT_EQ(ReadAll(most), Numbers({0, 2, 4})) << most;
}

// A writer died within a record, and another one appended.

TEST_F(RecordReaderTest, RecordsAppendedBehindATornOneAreFound) {
  Write(2);
  const std::uint64_t torn = bytes_->size();
  bytes_->append(FrameRecord(std::string(5000, 'T')).substr(0, 400));
  Append("first");
  Append("second");
  EXPECT_EQ(ReadAll(), (Payloads{Payload(0), Payload(1), "first", "second"}));
  EXPECT_THAT(skipped_, ElementsAre(Region(torn, torn + 400, SkipReason::kTruncated)));
}

TEST_F(RecordReaderTest, RecordsThatATornOneCoversAreFound) {
  // Nothing but its header was written; by its length it would end where record 10 begins.
  constexpr std::uint64_t kRecordBytes = kRecordOverhead + 2;
  bytes_->append(FrameHeader(kRecordHeaderSize + 10 * kRecordBytes - kRecordOverhead));
  for (int i = 0; i < 20; ++i) Append("ab");
  EXPECT_EQ(ReadAll(), Payloads(20, "ab"));
  EXPECT_THAT(skipped_, ElementsAre(Region(0, kRecordHeaderSize, SkipReason::kPayloadChecksum)));
}

TEST_F(RecordReaderTest, ALengthThatLiesBeyondTheEndIsNeitherAllocatedNorFollowed) {
  Append("a");
  const std::uint64_t lie = bytes_->size();
  bytes_->append(FrameHeader(std::uint64_t{1} << 62U));
  const std::uint64_t behind = bytes_->size();
  Append("b");
  bytes_->append(FrameHeader(~std::uint64_t{0}));
  EXPECT_THAT(ReadAll(), ElementsAre("a", "b"));
  EXPECT_THAT(skipped_,
              ElementsAre(Region(lie, behind, SkipReason::kTruncated),
                          Region(bytes_->size() - 12, bytes_->size(), SkipReason::kTruncated)));
}

TEST_F(RecordReaderTest, AFileOfHeadersThatHoldTakesNoQuadraticTime) {
  // Each header promises half of the file. Without a bound this is 17 TB of checksums.
  const std::string header = FrameHeader(6'000'000);
  while (bytes_->size() < 12'000'000) bytes_->append(header);
  Append("end");
  EXPECT_THAT(ReadAll(), ElementsAre("end"));
}

// Growing files.

TEST_F(RecordReaderTest, AGrowingFileGivesEachRecordWhenItIsComplete) {
  Write(4);
  const std::string whole = *bytes_;
  bytes_->clear();
  auto reader = Open(Tail::kGrowing);
  Payloads payloads;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    *bytes_ = whole.substr(0, size);
    for (std::string& payload : ReadOn(*reader)) {
      EXPECT_EQ(size, Begin(payloads.size() + 1))
          << "a record was read before it was complete, or late";
      payloads.push_back(std::move(payload));
    }
  }
  EXPECT_EQ(payloads, Numbers({0, 1, 2, 3}));
  EXPECT_THAT(reader->skipped(), IsEmpty());
}

TEST_F(RecordReaderTest, ATruncatedTailOfAGrowingFileIsNotDamage) {
  Write(2);
  const std::string whole = *bytes_;
  bytes_->resize(whole.size() - 1);
  auto reader = Open(Tail::kGrowing);
  EXPECT_EQ(ReadOn(*reader), Numbers({0}));
  EXPECT_THAT(reader->skipped(), IsEmpty());
  *bytes_ = whole;
  EXPECT_EQ(ReadOn(*reader), Numbers({1}));
}

TEST_F(RecordReaderTest, FinishMakesDamageOfAnIncompleteTail) {
  Write(2);
  bytes_->resize(bytes_->size() - 1);
  auto reader = Open(Tail::kGrowing);
  EXPECT_EQ(ReadOn(*reader), Numbers({0}));
  reader->Finish();
  EXPECT_THAT(ReadOn(*reader), IsEmpty());
  EXPECT_THAT(reader->skipped(),
              ElementsAre(Region(Begin(1), bytes_->size(), SkipReason::kTruncated)));
}

TEST_F(RecordReaderTest, FinishFindsRecordsInsideTheTail) {
  bytes_->append(FrameHeader(100'000));
  Write(3);
  auto reader = Open(Tail::kGrowing);
  EXPECT_THAT(ReadOn(*reader), IsEmpty());
  reader->Finish();
  EXPECT_EQ(ReadOn(*reader), Numbers({0, 1, 2}));
  EXPECT_THAT(reader->skipped(), ElementsAre(Region(0, Begin(0), SkipReason::kTruncated)));
}

TEST_F(RecordReaderTest, BytesThatArriveAfterTheirSpaceAreNoDamage) {
  // A network drive may show a new length before the bytes.
  Write(3);
  const std::string whole = *bytes_;
  std::fill(bytes_->begin() + static_cast<std::ptrdiff_t>(Begin(1)), bytes_->end(), '\0');
  auto reader = Open(Tail::kGrowing);
  EXPECT_EQ(ReadOn(*reader), Numbers({0}));
  *bytes_ = whole;
  Append("more");
  EXPECT_EQ(ReadOn(*reader), (Payloads{Payload(1), Payload(2), "more"}));
  EXPECT_THAT(reader->skipped(), IsEmpty());
}

TEST_F(RecordReaderTest, DamageInAGrowingFileIsReportedWhenARecordFollowsIt) {
  Write(2);
  FlipBit(Begin(1) + 3);
  auto reader = Open(Tail::kGrowing);
  EXPECT_EQ(ReadOn(*reader), Numbers({0}));
  EXPECT_THAT(reader->skipped(), IsEmpty());
  Append("next");
  EXPECT_THAT(ReadOn(*reader), ElementsAre("next"));
  EXPECT_THAT(reader->skipped(),
              ElementsAre(Region(Begin(1), Begin(2), SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, ARecordBehindDamageIsReadWhenItIsCompleteByteByByte) {
  Write(5);
  FlipBit(Begin(1) + 3);
  FlipBit(Begin(3) + 50);
  const std::string whole = *bytes_;
  bytes_->clear();
  auto reader = Open(Tail::kGrowing);
  Payloads payloads;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    *bytes_ = whole.substr(0, size);
    for (std::string& payload : ReadOn(*reader)) payloads.push_back(std::move(payload));
  }
  EXPECT_EQ(payloads, Numbers({0, 2, 4}));
  EXPECT_EQ(reader->skipped().size(), 2u);
}

TEST_F(RecordReaderTest, AFileThatShrankGivesNothing) {
  Write(3);
  auto reader = Open(Tail::kGrowing);
  ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
  EXPECT_EQ(ReadOn(*reader), Numbers({1, 2}));
  bytes_->resize(10);
  EXPECT_THAT(ReadOn(*reader), IsEmpty());
}

// The rest of the interface.

TEST_F(RecordReaderTest, ARejectedRecordIsASkippedRegion) {
  Write(4);
  FlipBit(Begin(1) + 3);
  auto reader = Open();
  Payloads kept;
  while (reader->Next() == ReadOutcome::kRecord) {
    if (reader->payload() == Payload(2)) {
      reader->Reject(SkipReason::kMalformedEvent);
    } else {
      kept.emplace_back(reader->payload());
    }
  }
  EXPECT_EQ(kept, Numbers({0, 3}));
  EXPECT_EQ(reader->records(), 2u);
  // It follows the region of record 1.
  EXPECT_THAT(reader->skipped(),
              ElementsAre(Region(Begin(1), Begin(3), SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, AFailingReadIsAnErrorThatMayPass) {
  testing::MemoryFileSystem memory;
  testing::FaultyFileSystem faulty(memory);
  Write(3);
  FlipBit(Begin(1) + 3);
  memory.Put("f", *bytes_);
  RecordReader reader(*faulty.OpenForRead("f"));
  // Every call on the file fails once in turn; after each failure reading goes on where it was.
  Payloads payloads;
  for (int failures = 0; failures < 20; ++failures) {
    faulty.FailCall(1, StatusCode::kIoError);
    ReadOutcome outcome = reader.Next();
    if (outcome == ReadOutcome::kError) {
      EXPECT_THAT(reader.status(), testing::IsStatus(StatusCode::kIoError, "injected"));
      outcome = reader.Next();
    }
    if (outcome == ReadOutcome::kRecord) payloads.emplace_back(reader.payload());
  }
  EXPECT_EQ(payloads, Numbers({0, 2}));
  EXPECT_THAT(reader.skipped(),
              ElementsAre(Region(Begin(1), Begin(2), SkipReason::kLengthChecksum)));
}

TEST_F(RecordReaderTest, EveryReasonHasAName) {
  EXPECT_EQ(SkipReasonName(SkipReason::kLengthChecksum), "length checksum");
  EXPECT_EQ(SkipReasonName(SkipReason::kPayloadChecksum), "payload checksum");
  EXPECT_EQ(SkipReasonName(SkipReason::kTruncated), "truncated");
  EXPECT_EQ(SkipReasonName(SkipReason::kMalformedEvent), "malformed event");
}

}  // namespace
}  // namespace sightline
