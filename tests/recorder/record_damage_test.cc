// RecordReader on damaged files: which records and bytes each shape of damage costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/tests/recorder/record_reader_fixture.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FrameHeader;
using testing::FrameRecord;
using ::testing::IsEmpty;
using testing::Payloads;
using testing::RecordReaderTest;

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

}  // namespace
}  // namespace sightline
