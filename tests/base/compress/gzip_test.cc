#include "sightline/base/compress/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsStatus;

TEST(GzipTest, UnpacksWhatItPacked) {
  std::string text = "loss";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919);
  for (const int level : {1, 6, 9}) EXPECT_EQ(Gunzip(Gzip(text, level), text.size()), text);
  EXPECT_LT(Gzip(text).size(), text.size() / 2);
  EXPECT_EQ(Gunzip(Gzip(""), 0), "");
}

TEST(GzipTest, UnpacksNoMoreThanTheLimit) {
  const std::string zeros(8'000'000, '\0');
  EXPECT_EQ(Gunzip(Gzip(zeros), zeros.size()), zeros);
  EXPECT_THAT(Gunzip(Gzip(zeros), zeros.size() - 1).error(),
              IsStatus(StatusCode::kDataLoss, "more content"));
}

TEST(GzipTest, UnpacksSeveralMembers) {
  EXPECT_EQ(Gunzip(Gzip("a") + Gzip("") + Gzip("bc"), 3), "abc");
}

TEST(GzipTest, SkipsZerosAfterAMember) {
  EXPECT_EQ(Gunzip(Gzip("content") + std::string(512, '\0'), 100).value(), "content");
}

TEST(GzipTest, RefusesWhatIsNotAWholeFile) {
  const std::string packed = Gzip("some text");
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT_THAT(Gunzip(packed.substr(0, size), 100).error(),
                IsStatus(StatusCode::kDataLoss, "cut"));
  }
  EXPECT_FALSE(Gunzip(packed + "d", 100)) << "bytes after the end";
  EXPECT_THAT(Gunzip("no gzip file", 100).error(), IsStatus(StatusCode::kDataLoss, "damaged"));
  std::string damaged = packed;
  damaged[damaged.size() - 5] ^= 1;
  EXPECT_THAT(Gunzip(damaged, 100).error(), IsStatus(StatusCode::kDataLoss, "damaged"));
}

TEST(GzipReaderTest, ReadsPieceByPiece) {
  const std::string text(1000, 'x');
  const std::string packed = Gzip(text) + Gzip(text);
  GzipReader reader;
  std::string out;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string_view piece{packed.data() + i, 1};
    char buffer[300];
    for (std::size_t got = 1; got != 0;) {
      got = reader.Read(piece, buffer).value();
      out.append(buffer, got);
    }
    EXPECT_EQ(piece, "");
  }
  EXPECT_EQ(out, text + text);
  EXPECT_TRUE(reader.complete());
}

}  // namespace
}  // namespace sightline
