#include "sightline/recorder/dialect/payload.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::BytesOf;
using testing::IsOk;
using testing::IsStatus;

// key, length, content.
std::string FieldOf(std::uint32_t number, const std::string& content) {
  std::string bytes;
  wire::AppendBytes(bytes, number, content);
  return bytes;
}

std::vector<std::size_t> ChunkSizes(const Payload& payload) {
  std::vector<std::size_t> sizes;
  payload.ForEachChunk([&](const Payload::Chunk& chunk) { sizes.push_back(chunk.bytes.size()); });
  return sizes;
}

TEST(PayloadTest, AnEmptyOneHasNoChunk) {
  const Payload payload;
  EXPECT_EQ(payload.size(), 0U);
  EXPECT_TRUE(ChunkSizes(payload).empty());
}

TEST(PayloadTest, KeepsTheOrderOfOwnedAndBorrowedBytes) {
  const std::string big(1000, 'b');
  Payload payload;
  payload.AppendBorrowed(big);
  payload.bytes() += "one";
  payload.AppendBorrowed(big);
  payload.AppendBorrowed(big);
  payload.bytes() += "two";
  EXPECT_EQ(BytesOf(payload), big + "one" + big + big + "two");
}

TEST(PayloadTest, DoesNotCopyLargeBorrowedBytes) {
  const std::string big(100'000, 'b');
  Payload payload;
  payload.AppendBorrowed(big);
  payload.ForEachChunk(
      [&](const Payload::Chunk& chunk) { EXPECT_EQ(chunk.bytes.data(), big.data()); });
}

TEST(PayloadTest, KnowsTheChecksumsOfBorrowedBytesThatCameWithOne) {
  const std::string big(100'000, 'b');
  Payload payload;
  payload.bytes() += "own";
  payload.AppendBorrowed(big, 7);
  payload.AppendBorrowed(big);
  std::vector<std::optional<std::uint32_t>> crcs;
  payload.ForEachChunk([&](const Payload::Chunk& chunk) { crcs.push_back(chunk.crc); });
  EXPECT_EQ(crcs, (std::vector<std::optional<std::uint32_t>>{std::nullopt, 7, std::nullopt}));
}

TEST(PayloadTest, VisitsSmallBorrowedBytesTogetherWithItsOwn) {
  const std::string small = "small";
  Payload payload;
  payload.bytes() += "own ";
  payload.AppendBorrowed(small);
  EXPECT_EQ(ChunkSizes(payload), (std::vector<std::size_t>{9}));
}

// Sizes around each step of a length's varint, borrowed and owned.
TEST(PayloadTest, WritesTheLengthOfNestedFields) {
  for (const std::size_t size :
       {0U, 1U, 126U, 127U, 128U, 129U, 16383U, 16384U, 2097151U, 2097152U}) {
    const std::string content(size, 'c');
    Payload owned;
    owned.Nested(5, [&] { owned.bytes() += content; });
    EXPECT_EQ(BytesOf(owned), FieldOf(5, content)) << size;
    Payload borrowed;
    borrowed.Nested(1000, [&] { borrowed.AppendBorrowed(content); });
    EXPECT_EQ(BytesOf(borrowed), FieldOf(1000, content)) << size;
  }
}

TEST(PayloadTest, NestsFieldsAroundBorrowedBytes) {
  const std::string big(70'000, 'b');
  Payload payload;
  payload.bytes() += "front";
  payload.AppendBorrowed(big);
  payload.Nested(1, [&] {
    payload.Nested(2, [&] { payload.AppendBorrowed(big); });
    payload.bytes() += "middle";
    payload.Nested(3, [&] {
      payload.bytes() += std::string(200, 'x');
      payload.AppendBorrowed(big);
    });
  });
  payload.bytes() += "end";
  EXPECT_EQ(BytesOf(payload),
            "front" + big +
                FieldOf(1, FieldOf(2, big) + "middle" + FieldOf(3, std::string(200, 'x') + big)) +
                "end");
}

TEST(PayloadTest, ConvertsElementsPieceByPiece) {
  constexpr std::size_t kPerPiece = Payload::kPieceBytes / sizeof(float);
  for (const std::size_t count : {std::size_t{1}, kPerPiece - 1, kPerPiece, 2 * kPerPiece + 7}) {
    std::vector<std::int64_t> elements(count);
    std::iota(elements.begin(), elements.end(), -5);
    const std::vector<float> expected(elements.begin(), elements.end());
    Payload payload;
    payload.bytes() += "<";
    payload.AppendFloat32(DType::kInt64, elements.data(), count);
    payload.bytes() += ">";
    for (const std::size_t size : ChunkSizes(payload)) EXPECT_LE(size, Payload::kPieceBytes);
    EXPECT_EQ(BytesOf(payload),
              "<" + std::string(reinterpret_cast<const char*>(expected.data()), count * 4) + ">");
  }
}

TEST(PayloadTest, BorrowsElementsThatAreFloat32Already) {
  const std::vector<float> elements(10'000, 1.5F);
  Payload payload;
  payload.AppendFloat32(DType::kFloat32, elements.data(), elements.size());
  EXPECT_EQ(ChunkSizes(payload), (std::vector<std::size_t>{40'000}));
}

TEST(PayloadTest, StopsAtTheVisitorsFirstError) {
  const std::string big(1000, 'b');
  const std::vector<double> doubles(100'000);
  Payload payload;
  payload.AppendBorrowed(big);
  payload.AppendFloat32(DType::kFloat64, doubles.data(), doubles.size());
  payload.AppendBorrowed(big);
  int visits = 0;
  const auto fail_at = [&](int last) {
    visits = 0;
    return payload.ForEachChunk([&](const Payload::Chunk&) {
      return ++visits == last ? Status(StatusCode::kIoError, "disk") : Status();
    });
  };
  EXPECT_THAT(fail_at(1), IsStatus(StatusCode::kIoError, "disk"));
  EXPECT_EQ(visits, 1);
  EXPECT_THAT(fail_at(3), IsStatus(StatusCode::kIoError, "disk"));
  EXPECT_EQ(visits, 3);
  EXPECT_THAT(fail_at(1000), IsOk());
}

TEST(PayloadTest, IsReusedAfterClearWithoutAllocating) {
  const std::string big(1000, 'b');
  Payload payload;
  const auto fill = [&] {
    payload.Nested(1, [&] {
      payload.bytes() += std::string(300, 'x');
      payload.AppendBorrowed(big);
    });
  };
  fill();
  const std::string first = BytesOf(payload);
  const char* const storage = payload.bytes().data();
  payload.Clear();
  EXPECT_EQ(payload.size(), 0U);
  fill();
  EXPECT_EQ(BytesOf(payload), first);
  EXPECT_EQ(payload.bytes().data(), storage);
}

TEST(PayloadTest, GivesTheMemoryOfOneLargeMessageBack) {
  Payload payload;
  payload.bytes().assign(std::size_t{4} << 20, 'x');
  payload.Clear();
  EXPECT_LT(payload.bytes().capacity(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace sightline
