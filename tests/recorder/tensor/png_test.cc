#include "sightline/recorder/tensor/png.h"

#include <gtest/gtest.h>
#include <spng.h>
#include <zlib.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "sightline/recorder/tensor/png_filter.h"
#include "sightline/tests/support/pictures.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::NoisePicture;
using ::sightline::testing::PhotoLike;

std::string BigEndian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xffU);
  return out;
}

std::string Chunk(const std::string& type, const std::string& data) {
  const std::string covered = type + data;
  const uLong crc =
      crc32(0, reinterpret_cast<const Bytef*>(covered.data()), static_cast<uInt>(covered.size()));
  return BigEndian(static_cast<std::uint32_t>(data.size())) + covered +
         BigEndian(static_cast<std::uint32_t>(crc));
}

std::string Zlib(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string out(size, '\0');
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(out.data()), &size,
                     reinterpret_cast<const Bytef*>(raw.data()), raw.size()),
            Z_OK);
  out.resize(size);
  return out;
}

// A file by the specification, of the kinds that EncodePng does not write. `rows` has a filter byte
// (0) a row.
std::string ForeignPng(std::uint32_t width, std::uint32_t height, int depth, int color_type,
                       const std::string& rows, const std::string& other_chunks = "",
                       bool interlaced = false) {
  const std::string header = BigEndian(width) + BigEndian(height) + static_cast<char>(depth) +
                             static_cast<char>(color_type) + std::string(2, '\0') +
                             static_cast<char>(interlaced ? 1 : 0);
  return "\x89PNG\r\n\x1a\n" + Chunk("IHDR", header) + other_chunks + Chunk("IDAT", Zlib(rows)) +
         Chunk("IEND", "");
}

std::vector<std::uint8_t> Random(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(size);
  // Few different values, so that matches occur.
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() % 4 * 60);
  return bytes;
}

std::string Text(const std::vector<std::uint8_t>& bytes) {
  return std::string(bytes.begin(), bytes.end());
}

TEST(PngTest, EveryPixelComesBack) {
  for (const int channels : {1, 2, 3, 4}) {
    for (const int width : {1, 2, 5, 16, 17, 63, 65, 200}) {
      for (const int height : {1, 3, 40}) {
        const int bytes = width * height * channels;
        const auto pixels =
            Random(static_cast<std::size_t>(bytes), static_cast<unsigned>(width + height));
        const Result<std::string> file = EncodePng(width, height, channels, pixels);
        ASSERT_THAT(file, IsOk());
        const Result<PngImage> image = DecodePng(*file);
        ASSERT_THAT(image, IsOk());
        EXPECT_EQ(image->width, width);
        EXPECT_EQ(image->height, height);
        EXPECT_EQ(image->colorspace, channels);
        ASSERT_EQ(image->bytes, Text(pixels)) << width << " x " << height << " x " << channels;
      }
    }
  }
}

TEST(PngTest, PhotographsAndNoiseComeBack) {
  for (const auto& pixels : {PhotoLike(224, 224, 1), NoisePicture(224, 224, 1)}) {
    const Result<std::string> file = EncodePng(224, 224, 3, pixels);
    ASSERT_THAT(file, IsOk());
    EXPECT_EQ(DecodePng(*file).value().bytes, Text(pixels));
    std::string rows;
    EXPECT_THAT(DecodePngRows(*file, [&](std::string_view row) { rows += row; }), IsOk());
    EXPECT_EQ(rows, Text(pixels));
  }
}

// What Pillow, and with it the peers, writes: the best filter of five a row, zlib's level 6.
std::size_t SizeByLibspng(int width, int height, const std::vector<std::uint8_t>& rgb) {
  const std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(SPNG_CTX_ENCODER),
                                                               spng_ctx_free);
  spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, 6);
  spng_set_option(context.get(), SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_ALL);
  spng_ihdr header{static_cast<std::uint32_t>(width),
                   static_cast<std::uint32_t>(height),
                   8,
                   SPNG_COLOR_TYPE_TRUECOLOR,
                   0,
                   0,
                   0};
  EXPECT_EQ(spng_set_ihdr(context.get(), &header), 0);
  EXPECT_EQ(
      spng_encode_image(context.get(), rgb.data(), rgb.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE),
      0);
  std::size_t size = 0;
  int error = 0;
  std::free(spng_get_png_buffer(context.get(), &size, &error));
  return size;
}

TEST(PngTest, FilesAreAtMostAQuarterLargerThanThePeers) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const auto& pixels : {PhotoLike(224, 224, seed), NoisePicture(224, 224, seed)}) {
      const std::size_t ours = EncodePng(224, 224, 3, pixels).value().size();
      EXPECT_LE(static_cast<double>(ours),
                1.25 * static_cast<double>(SizeByLibspng(224, 224, pixels)));
    }
  }
}

TEST(PngTest, NoiseCostsNoMoreThanItsPixels) {
  const auto pixels = NoisePicture(1000, 700, 9);
  EXPECT_LT(EncodePng(1000, 700, 3, pixels).value().size(), pixels.size() + pixels.size() / 1000);
}

TEST(PngTest, RefusesSizesOutOfRange) {
  const std::vector<std::uint8_t> pixels(12);
  EXPECT_THAT(EncodePng(0, 1, 3, pixels).error(), IsStatus(StatusCode::kInvalidArgument, "0 x 1"));
  EXPECT_THAT(EncodePng(2, -2, 3, pixels).error(), IsStatus(StatusCode::kInvalidArgument, "-2"));
  EXPECT_THAT(EncodePng(2, 2, 5, pixels).error(),
              IsStatus(StatusCode::kInvalidArgument, "5 channels"));
  EXPECT_THAT(EncodePng(1 << 24, 1 << 24, 3, pixels).error(),
              IsStatus(StatusCode::kInvalidArgument, "16777216"));
  EXPECT_THAT(EncodePng(2, 2, 4, pixels).error(),
              IsStatus(StatusCode::kInvalidArgument, "12 bytes"));
}

// As a whole, and row by row.
PngImage Decoded(std::string_view file) {
  PngImage whole = DecodePng(file).value();
  PngImage rows;
  const auto shape = DecodePngRows(file, [&](std::string_view bytes) { rows.bytes += bytes; });
  EXPECT_THAT(shape, IsOk());
  EXPECT_EQ(rows.bytes, whole.bytes);
  for (const PngImage& header : {*shape, ReadPngHeader(file).value()}) {
    EXPECT_EQ(header.width, whole.width);
    EXPECT_EQ(header.height, whole.height);
    EXPECT_EQ(header.colorspace, whole.colorspace);
    EXPECT_EQ(header.bytes, "");
  }
  return whole;
}

TEST(PngTest, DecodesPalettes) {
  const std::string palette = Chunk("PLTE", std::string("\1\2\3\4\5\6", 6));
  const std::string rows("\0\0\1", 3);
  const PngImage rgb = Decoded(ForeignPng(2, 1, 8, 3, rows, palette));
  EXPECT_EQ(rgb.colorspace, 3);
  EXPECT_EQ(rgb.bytes, "\1\2\3\4\5\6");
  const std::string transparent = palette + Chunk("tRNS", "\x7f");
  const PngImage rgba = Decoded(ForeignPng(2, 1, 8, 3, rows, transparent));
  EXPECT_EQ(rgba.colorspace, 4);
  EXPECT_EQ(rgba.bytes, "\1\2\3\x7f\4\5\6\xff");
}

TEST(PngTest, DecodesOneBitGrey) {
  const PngImage image = Decoded(ForeignPng(3, 1, 1, 0, std::string("\0\xa0", 2)));
  EXPECT_EQ(image.colorspace, 1);
  EXPECT_EQ(image.bytes, std::string("\xff\0\xff", 3));
}

TEST(PngTest, ReducesSixteenBitsToEight) {
  const PngImage grey = Decoded(ForeignPng(2, 1, 16, 0, std::string("\0\x12\x12\xff\xff", 5)));
  EXPECT_EQ(grey.colorspace, 1);
  EXPECT_EQ(grey.bytes, "\x12\xff");
  const PngImage grey_alpha =
      Decoded(ForeignPng(1, 1, 16, 4, std::string("\0\x12\x12\x34\x34", 5)));
  EXPECT_EQ(grey_alpha.colorspace, 2);
  EXPECT_EQ(grey_alpha.bytes, "\x12\x34");
  const PngImage rgb = Decoded(ForeignPng(1, 1, 16, 2, std::string("\0\1\1\2\2\3\3", 7)));
  EXPECT_EQ(rgb.colorspace, 3);
  EXPECT_EQ(rgb.bytes, "\1\2\3");
}

TEST(PngTest, EveryTruncationIsReported) {
  const std::string file = EncodePng(9, 7, 3, Random(std::size_t{9} * 7 * 3, 1)).value();
  for (std::size_t size = 0; size + 16 < file.size();
       ++size) {  // Pixels need no IEND, and zlib has a checksum of its own.
    EXPECT_FALSE(DecodePng(file.substr(0, size))) << size;
  }
}

TEST(PngTest, InterlacedImagesAreGivenRowByRowAsWell) {
  // Two passes of Adam7 have pixels: the first column, then the other one.
  const std::string passes("\0\x11\0\x22\0\x33\x44", 7);
  const PngImage image = Decoded(ForeignPng(2, 2, 8, 0, passes, "", /*interlaced=*/true));
  EXPECT_EQ(image.bytes, "\x11\x22\x33\x44");
}

TEST(PngTest, RowsNeedNoMemoryForTheWholeImage) {
  const auto pixels = Random(std::size_t{50} * 40 * 3, 1);
  std::vector<std::size_t> sizes;
  EXPECT_THAT(DecodePngRows(EncodePng(50, 40, 3, pixels).value(),
                            [&](std::string_view row) { sizes.push_back(row.size()); }),
              IsOk());
  EXPECT_EQ(sizes, std::vector<std::size_t>(40, 150));
}

TEST(PngTest, DamageIsReportedAndNeverCrashes) {
  const std::string file = EncodePng(9, 7, 3, Random(std::size_t{9} * 7 * 3, 1)).value();
  EXPECT_THAT(DecodePng("no picture").error(), IsStatus(StatusCode::kDataLoss, "png"));
  std::string damaged = file;
  damaged[60] = static_cast<char>(damaged[60] ^ 1);
  EXPECT_THAT(DecodePng(damaged).error(), IsStatus(StatusCode::kDataLoss, "png"));
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    damaged = file;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    const Result<PngImage> image = DecodePng(damaged);
    EXPECT_LE(image ? image->bytes.size() : 0, 9U * 7 * 4);
    std::string rows;
    const bool whole = bool(DecodePngRows(damaged, [&](std::string_view row) { rows += row; }));
    EXPECT_EQ(whole, bool(image));
    if (whole && image) {
      EXPECT_EQ(rows, image->bytes);
    }
  }
}

TEST(PngTest, NeverBelievesADeclaredSize) {
  EXPECT_THAT(DecodePng(ForeignPng(16000, 16000, 8, 2, "tiny")).error(),
              IsStatus(StatusCode::kDataLoss, "16000 x 16000"));
  EXPECT_THAT(DecodePng(ForeignPng(1U << 23U, 1U << 23U, 8, 2, "tiny")).error(),
              IsStatus(StatusCode::kInvalidArgument, "8388608"));
  EXPECT_FALSE(DecodePng(ForeignPng(1U << 30U, 1, 8, 2, "tiny")));
}

// The definition in section 9.4 of the specification, one byte at a time.
TEST(PngFilterTest, IsThePaethPredictorOfTheSpecification) {
  std::mt19937 random(1);
  for (std::size_t bytes = 1; bytes < 300; ++bytes) {
    const std::size_t pixel = bytes % 4 + 1;
    std::vector<std::uint8_t> row(bytes), above(bytes), got(bytes), expected(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      row[i] = static_cast<std::uint8_t>(random());
      above[i] = static_cast<std::uint8_t>(random() % 3 == 0 ? row[i] : random());
    }
    for (std::size_t i = 0; i < bytes; ++i) {
      const int a = i < pixel ? 0 : row[i - pixel];
      const int b = above[i];
      const int c = i < pixel ? 0 : above[i - pixel];
      const int p = a + b - c;
      const int predicted = std::abs(p - a) <= std::abs(p - b) && std::abs(p - a) <= std::abs(p - c)
                                ? a
                            : std::abs(p - b) <= std::abs(p - c) ? b
                                                                 : c;
      expected[i] = static_cast<std::uint8_t>(row[i] - predicted);
    }
    FilterPaeth(row.data(), above.data(), bytes, pixel, got.data());
    ASSERT_EQ(got, expected) << bytes;
  }
}

}  // namespace
}  // namespace sightline
