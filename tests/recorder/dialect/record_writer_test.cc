#include "sightline/recorder/dialect/record_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;

class RecordWriterTest : public ::testing::Test {
 protected:
  RecordWriterTest()
      : faulty_(memory_), writer_(*faulty_.OpenForWrite("file", OpenMode::kCreateNew), 0) {}

  std::vector<std::string> Records() {
    std::vector<std::string> records;
    RecordReader reader(*memory_.OpenForRead("file"));
    while (reader.Next() == ReadOutcome::kRecord) records.emplace_back(reader.payload());
    EXPECT_THAT(reader.skipped(), IsEmpty());
    return records;
  }

  testing::MemoryFileSystem memory_;
  testing::FaultyFileSystem faulty_;
  RecordWriter writer_;
};

TEST_F(RecordWriterTest, WritesRecordsThatTheReaderReads) {
  EXPECT_THAT(writer_.Write("one"), IsOk());
  EXPECT_THAT(writer_.Write(""), IsOk());
  EXPECT_THAT(writer_.Flush(), IsOk());
  EXPECT_THAT(Records(), ElementsAre("one", ""));
}

// Worked out by hand: length 3, masked CRC32C of the length, "one", masked CRC32C of "one".
TEST_F(RecordWriterTest, WritesTheFramingOfTfRecord) {
  EXPECT_THAT(writer_.Write("one"), IsOk());
  EXPECT_THAT(writer_.Flush(), IsOk());
  const std::string bytes = memory_.Get("file");
  ASSERT_EQ(bytes.size(), 3 + 16);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(bytes.substr(12, 3), "one");
}

TEST_F(RecordWriterTest, HandsNothingOverBeforeFlush) {
  EXPECT_THAT(writer_.Write("one"), IsOk());
  EXPECT_EQ(writer_.flushed(), 0);
  EXPECT_EQ(writer_.end(), 3 + 16);
  EXPECT_THAT(Records(), IsEmpty());
}

TEST_F(RecordWriterTest, WritesRecordsOfEverySizeAroundItsBuffer) {
  std::vector<std::string> expected;
  for (const std::size_t size :
       {std::size_t{1} << 14, RecordWriter::kBufferBytes - 1, RecordWriter::kBufferBytes,
        RecordWriter::kBufferBytes + 1, std::size_t{100}, std::size_t{1} << 20}) {
    expected.emplace_back(size, static_cast<char>('a' + expected.size()));
    EXPECT_THAT(writer_.Write(expected.back()), IsOk());
  }
  EXPECT_THAT(writer_.Flush(), IsOk());
  EXPECT_EQ(Records(), expected);
}

TEST_F(RecordWriterTest, GoesBackToAGoodPlaceAfterATornWrite) {
  EXPECT_THAT(writer_.Write("good"), IsOk());
  EXPECT_THAT(writer_.Flush(), IsOk());
  const std::uint64_t good = writer_.flushed();
  faulty_.FailCall(1, StatusCode::kIoError);
  faulty_.KeepOfFailedWrites(7);
  EXPECT_THAT(writer_.Write("torn"), IsOk());
  EXPECT_THAT(writer_.Flush(), IsStatus(StatusCode::kIoError, "file"));
  writer_.Discard(good);
  EXPECT_THAT(Records(), ElementsAre("good"));
  EXPECT_THAT(writer_.Write("again"), IsOk());
  EXPECT_THAT(writer_.Flush(), IsOk());
  EXPECT_THAT(Records(), ElementsAre("good", "again"));
}

TEST_F(RecordWriterTest, GoesOnWhereAFileEnds) {
  EXPECT_THAT(writer_.Write("one"), IsOk());
  EXPECT_THAT(writer_.Flush(), IsOk());
  RecordWriter next(*memory_.OpenForWrite("file", OpenMode::kOpenExisting), writer_.flushed());
  EXPECT_THAT(next.Write("two"), IsOk());
  EXPECT_THAT(next.Flush(), IsOk());
  EXPECT_THAT(Records(), ElementsAre("one", "two"));
}

}  // namespace
}  // namespace sightline
