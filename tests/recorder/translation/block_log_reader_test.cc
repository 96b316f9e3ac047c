#include "sightline/recorder/translation/block_log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sightline/tests/support/block_log.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

using testing::BlockLog;
using testing::BytesFile;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kLetters[] = ":ABC";
constexpr std::size_t kBlock = BlockLogReader::kBlockBytes;

struct Read {
  std::vector<std::string> records;
  std::vector<SkippedRegion> skipped;
  std::uint64_t position = 0;
};

Read ReadAll(const std::string& bytes, Tail tail = Tail::kFinal) {
  BlockLogReader reader(std::make_unique<BytesFile>(bytes), kLetters, tail);
  Read read;
  while (reader.Next() == ReadOutcome::kRecord) read.records.emplace_back(reader.payload());
  read.skipped = reader.skipped();
  read.position = reader.position();
  return read;
}

// Records of these sizes, each of one letter.
BlockLog LogOf(const std::vector<std::size_t>& sizes) {
  BlockLog log(kLetters);
  char letter = 'a';
  for (const std::size_t size : sizes) log.Add(std::string(size, letter++));
  return log;
}

TEST(BlockLogReaderTest, ReadsRecordsOfEverySizeAcrossBlocks) {
  const std::vector<std::size_t> sizes = {0, 1, 32'740, 3, 100'000, 5, 32'761};
  const std::string bytes = LogOf(sizes).bytes();
  const Read read = ReadAll(bytes);
  ASSERT_EQ(read.records.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    EXPECT_EQ(read.records[i], std::string(sizes[i], static_cast<char>('a' + i)));
  EXPECT_THAT(read.skipped, IsEmpty());
  EXPECT_EQ(read.position, bytes.size());
}

TEST(BlockLogReaderTest, ARestOfABlockThatIsTooSmallForAHeaderIsNotUsed) {
  for (std::size_t rest = 0; rest < 16; ++rest) {
    const std::string bytes = LogOf({kBlock - 14 - rest, 4}).bytes();
    EXPECT_EQ(ReadAll(bytes).records.size(), 2U) << rest;
    EXPECT_THAT(ReadAll(bytes).skipped, IsEmpty()) << rest;
  }
}

TEST(BlockLogReaderTest, AtEachCutTheRecordsBeforeItAreRead) {
  const std::string bytes = LogOf({3, 0, 9, 5}).bytes();
  const std::string whole = LogOf({3, 0, 9}).bytes();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    const Read growing = ReadAll(bytes.substr(0, cut), Tail::kGrowing);
    EXPECT_THAT(growing.skipped, IsEmpty()) << cut;
    const Read final = ReadAll(bytes.substr(0, cut));
    EXPECT_EQ(final.records, growing.records) << cut;
    EXPECT_EQ(final.position, cut);
    if (cut > whole.size()) {
      EXPECT_EQ(final.records.size(), 3U);
      EXPECT_THAT(final.skipped, ElementsAre(SkippedRegion{whole.size(), cut - whole.size(),
                                                           SkipReason::kTruncated}));
    }
  }
}

TEST(BlockLogReaderTest, ContinuesWhenTheFileHasGrown) {
  const std::string bytes = LogOf({10, 40'000, 7, 33'000, 2}).bytes();
  auto shown = std::make_shared<std::string>();
  BlockLogReader reader(std::make_unique<BytesFile>(shown), kLetters, Tail::kGrowing);
  std::vector<std::size_t> sizes;
  for (std::size_t cut = 0; cut <= bytes.size(); cut += 13) {
    *shown = bytes.substr(0, cut);
    while (reader.Next() == ReadOutcome::kRecord) sizes.push_back(reader.payload().size());
  }
  *shown = bytes;
  while (reader.Next() == ReadOutcome::kRecord) sizes.push_back(reader.payload().size());
  EXPECT_THAT(sizes, ElementsAre(10U, 40'000U, 7U, 33'000U, 2U));
  EXPECT_THAT(reader.skipped(), IsEmpty());
}

TEST(BlockLogReaderTest, AnotherReaderContinuesAtAPosition) {
  const std::string bytes = LogOf({10, 40'000, 7}).bytes();
  BlockLogReader first(std::make_unique<BytesFile>(bytes), kLetters, Tail::kFinal);
  ASSERT_EQ(first.Next(), ReadOutcome::kRecord);
  BlockLogReader second(std::make_unique<BytesFile>(bytes), kLetters, Tail::kFinal,
                        first.position());
  ASSERT_EQ(second.Next(), ReadOutcome::kRecord);
  EXPECT_EQ(second.payload().size(), 40'000U);
}

TEST(BlockLogReaderTest, ADamagedPayloadLosesItsRecordOnly) {
  const std::string before = LogOf({20}).bytes();
  std::string bytes = LogOf({20, 30, 40}).bytes();
  bytes[before.size() + 10] ^= 1;
  const Read read = ReadAll(bytes);
  EXPECT_THAT(read.records, ElementsAre(std::string(20, 'a'), std::string(40, 'c')));
  EXPECT_THAT(read.skipped,
              ElementsAre(SkippedRegion{before.size(), 37, SkipReason::kPayloadChecksum}));
}

TEST(BlockLogReaderTest, AfterADamagedLengthItGoesOnAtTheNextBlock) {
  std::string bytes = LogOf({20, 30'000, 10'000, 40}).bytes();
  bytes[7 + 5] = '\x7f';  // The first record's length now reaches into the next one.
  const Read read = ReadAll(bytes);
  EXPECT_THAT(read.records, ElementsAre(std::string(40, 'd')));
  ASSERT_EQ(read.skipped.size(), 1U);
  EXPECT_EQ(read.skipped[0].offset, 7U);
  // The rest of the third record, in the next block, is lost with its beginning.
  EXPECT_EQ(read.skipped[0].offset + read.skipped[0].length, bytes.size() - 47);
}

TEST(BlockLogReaderTest, DamageThatNothingFollowsIsNoDamageWhileTheFileGrows) {
  std::string bytes = LogOf({20, 30}).bytes();
  const std::size_t begin = LogOf({20}).bytes().size();
  bytes.back() ^= 1;
  const Read growing = ReadAll(bytes, Tail::kGrowing);
  EXPECT_THAT(growing.skipped, IsEmpty());
  EXPECT_EQ(growing.position, begin);
  EXPECT_THAT(ReadAll(bytes).skipped,
              ElementsAre(SkippedRegion{begin, 37, SkipReason::kPayloadChecksum}));
}

TEST(BlockLogReaderTest, ARecordWithoutAnEndOrABeginningIsDamage) {
  BlockLog log(kLetters);
  log.AddFragment(2, "first");
  log.AddFragment(1, "whole");
  log.AddFragment(3, "middle");
  log.AddFragment(4, "last");
  log.Add("end");
  const Read read = ReadAll(log.bytes());
  EXPECT_THAT(read.records, ElementsAre("whole", "end"));
  EXPECT_THAT(read.skipped, ElementsAre(SkippedRegion{7, 12, SkipReason::kTruncated},
                                        SkippedRegion{31, 24, SkipReason::kTruncated}));
}

TEST(BlockLogReaderTest, AHeaderOfAnotherFileIsDamage) {
  std::string bytes = LogOf({20}).bytes();
  bytes[1] = 'X';
  const Read read = ReadAll(bytes);
  EXPECT_EQ(read.records.size(), 1U);
  EXPECT_THAT(read.skipped, ElementsAre(SkippedRegion{0, 7, SkipReason::kLengthChecksum}));
}

TEST(BlockLogReaderTest, ZerosAreDamage) {
  const std::string bytes = LogOf({20}).bytes() + std::string(100'000, '\0');
  const Read read = ReadAll(bytes);
  EXPECT_EQ(read.records.size(), 1U);
  ASSERT_EQ(read.skipped.size(), 1U);
  EXPECT_EQ(read.skipped[0].length, 100'000U);
}

}  // namespace
}  // namespace sightline
