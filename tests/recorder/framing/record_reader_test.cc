#include "sightline/recorder/framing/record_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "sightline/tests/recorder/record_reader_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FrameRecord;
using ::testing::IsEmpty;
using testing::Payloads;
using testing::RecordReaderTest;

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
