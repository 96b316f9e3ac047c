// RecordReader on files that grow while they are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/tests/recorder/record_reader_fixture.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FrameHeader;
using ::testing::IsEmpty;
using testing::Payloads;
using testing::RecordReaderTest;

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

}  // namespace
}  // namespace sightline
