#include "sightline/base/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sightline::crc32c {
namespace {

// RFC 3720, appendix B.4.
TEST(Crc32cTest, EqualsTheVectorsOfTheRfc) {
  std::string rising;
  for (int i = 0; i < 32; ++i) rising.push_back(static_cast<char>(i));
  EXPECT_EQ(Value(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(Value(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(Value(rising), 0x46dd794eU);
  EXPECT_EQ(Value(std::string(rising.rbegin(), rising.rend())), 0x113fdb5cU);
}

TEST(Crc32cTest, ExtendsOverPieces) {
  const std::string text = "hello world";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(Extend(Value(text.substr(0, cut)), text.substr(cut)), Value(text)) << cut;
  }
}

// Short and long inputs take different code.
TEST(Crc32cTest, AgreesWithItselfOverEverySizeOfPiece) {
  std::string text;
  for (unsigned i = 0; i < 3000; ++i) text.push_back(static_cast<char>(i * 7919U >> 3U));
  const std::string_view bytes = text;
  const std::uint32_t whole = Value(bytes);
  for (std::size_t size = 1; size <= 600; ++size) {
    std::uint32_t crc = 0;
    for (std::size_t at = 0; at < text.size(); at += size) {
      crc = Extend(crc, bytes.substr(at, size));
    }
    EXPECT_EQ(crc, whole) << size;
  }
}

// Sizes around those where it copies in pieces, and past the caches; a destination of any
// alignment.
TEST(Crc32cTest, CopiesWhatItExtendsOver) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  std::string bytes(6 * kMebi + 200, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 2'654'435'761U >> 7U);
  const std::string_view all = bytes;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{16'383},
                                 std::size_t{16'384}, std::size_t{16'385}, std::size_t{100'000},
                                 4 * kMebi - 1, 4 * kMebi, 4 * kMebi + 1, 6 * kMebi + 77}) {
    for (const std::size_t shift : {0U, 1U, 8U, 63U}) {
      std::string out(size + shift + 1, '?');
      const std::string_view from = all.substr(shift, size);
      EXPECT_EQ(ExtendCopy(Value("before"), from, out.data() + shift),
                Extend(Value("before"), from))
          << size << " " << shift;
      EXPECT_TRUE(out.compare(shift, size, from) == 0) << size << " " << shift;
      EXPECT_EQ(out.substr(0, shift), std::string(shift, '?'));
      EXPECT_EQ(out.back(), '?');
    }
  }
}

TEST(Crc32cTest, CombinesTheChecksumsOfParts) {
  const std::string text(70'000, 't');
  const std::string_view bytes = text;
  for (const std::size_t size : {0U, 1U, 8U, 1000U, 65'535U, 65'536U, 70'000U}) {
    const std::string_view a = bytes.substr(0, bytes.size() - size);
    const std::string_view b = bytes.substr(bytes.size() - size);
    EXPECT_EQ(Combine(Value(a), Value(b), size), Value(bytes)) << size;
  }
}

TEST(Crc32cTest, MaskIsReversibleAndNotIdempotent) {
  const std::uint32_t crc = Value("foo");
  EXPECT_NE(Mask(crc), crc);
  EXPECT_NE(Mask(Mask(crc)), crc);
  EXPECT_EQ(Unmask(Mask(crc)), crc);
}

}  // namespace
}  // namespace sightline::crc32c
