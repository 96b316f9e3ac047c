#include "sightline/recorder/tensor/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>

#include "sightline/base/wire.h"
#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/tensor/tensor_data.h"
#include "sightline/tests/support/mindspore_values.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::CorpusPath;
using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::kMindSporeEventFile;
using ::sightline::testing::MindSporeInput;
using ::sightline::testing::MindSporeTags;
using ::sightline::testing::ReadFileOrDie;
using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

ImageCanvas Canvas(DType dtype, const std::vector<std::int64_t>& shape, const void* data) {
  Result<ImageCanvas> canvas = MakeCanvas({dtype, shape, data});
  EXPECT_THAT(canvas, IsOk());
  return canvas ? *std::move(canvas) : ImageCanvas{};
}

// One row of one grey image; gives the pixels' red, after checking that green and blue equal it.
template <typename T>
std::vector<int> Pixels(const std::vector<T>& values, DType dtype = DTypeOf<T>()) {
  const ImageCanvas canvas =
      Canvas(dtype, {1, 1, 1, static_cast<std::int64_t>(values.size())}, values.data());
  std::vector<int> pixels;
  for (std::size_t i = 0; i < canvas.rgb.size(); i += 3) {
    EXPECT_EQ(canvas.rgb[i], canvas.rgb[i + 1]);
    EXPECT_EQ(canvas.rgb[i], canvas.rgb[i + 2]);
    pixels.push_back(canvas.rgb[i]);
  }
  return pixels;
}

// The bytes of the first field with this number, or nothing.
std::string_view FieldBytes(std::string_view message, std::uint32_t number) {
  wire::Field field;
  for (wire::Scanner scan(message); scan.Next(field);) {
    if (field.number == number) return field.bytes;
  }
  return {};
}

// Tag -> PNG of each image in the event file that MindSpore wrote (docs/event_file.md has the
// numbers).
std::map<std::string, std::string> MindSporePngs() {
  const std::string file = ReadFileOrDie(CorpusPath(kMindSporeEventFile));
  std::map<std::string, std::string> pngs;
  for (std::size_t at = 0; at < file.size();) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data() + at, sizeof(length));
    const std::string_view whole = file;
    const std::string_view event = whole.substr(at + kRecordHeaderSize, length);
    const std::string_view value = FieldBytes(FieldBytes(event, 5), 1);
    const std::string_view png = FieldBytes(FieldBytes(value, 4), 4);
    if (!png.empty()) pngs.emplace(FieldBytes(value, 1), png);
    at += length + kRecordOverhead;
  }
  return pngs;
}

// Its uint8 images are stretched; ours are exact, which is the stated exception.
TEST(ImageTest, EqualsMindSporesPixelsForEveryInputOfTheCorpus) {
  const std::map<std::string, std::string> pngs = MindSporePngs();
  int compared = 0;
  for (const std::string& tag : MindSporeTags("image")) {
    SCOPED_TRACE(tag);
    const NpyArray input = MindSporeInput(tag);
    const ImageCanvas ours = MakeCanvas(input.View()).value();
    const PngImage theirs = DecodePng(pngs.at(tag)).value();
    EXPECT_EQ(ours.width, theirs.width);
    EXPECT_EQ(ours.height, theirs.height);
    EXPECT_EQ(theirs.colorspace, 3);
    if (input.dtype == DType::kUint8) continue;
    EXPECT_EQ(std::string(ours.rgb.begin(), ours.rgb.end()), theirs.bytes);
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

TEST(ImageTest, Uint8IsKeptExactly) {
  std::vector<std::uint8_t> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i);
  const std::vector<int> pixels = Pixels(values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(pixels[i], static_cast<int>(i));
}

TEST(ImageTest, ChannelsBecomeInterleaved) {
  const std::vector<std::uint8_t> values = {1, 2, 3, 4, 5, 6};
  const ImageCanvas canvas = Canvas(DType::kUint8, {1, 3, 1, 2}, values.data());
  EXPECT_THAT(canvas.rgb, ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(ImageTest, WithinZeroAndOneIsTimes255) {
  EXPECT_THAT(Pixels<float>({0, 0.5F, 1}), ElementsAre(0, 127, 255));
  EXPECT_THAT(Pixels<double>({0, 0.25, 0.5}), ElementsAre(0, 63, 127));
}

TEST(ImageTest, ElseTheRangeIsStretched) {
  EXPECT_THAT(Pixels<float>({-1, 0, 1}), ElementsAre(0, 85, 170));
  EXPECT_THAT(Pixels<std::int32_t>({0, 127, 254}), ElementsAre(0, 127, 254));
}

// One part in 10^10 above 1 is 1 in float32, but MindSpore decides in float64.
TEST(ImageTest, DecidesByFloat64) {
  EXPECT_THAT(Pixels<double>({0, 1 + 1e-10}), ElementsAre(0, 127));
}

TEST(ImageTest, ConstantOutsideOfTheUnitIntervalIsBlack) {
  EXPECT_THAT(Pixels<float>({7, 7}), ElementsAre(0, 0));
  EXPECT_THAT(Pixels<float>({-3, -3}), ElementsAre(0, 0));
}

TEST(ImageTest, EveryDTypeIsTaken) {
  EXPECT_THAT(Pixels<std::uint8_t>({0, 1}, DType::kBool), ElementsAre(0, 255));
  EXPECT_THAT(Pixels<std::int8_t>({-1, 1}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::int16_t>({-1, 1}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::int32_t>({-1, 1}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::int64_t>({-1, 1}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::uint16_t>({0, 2}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::uint32_t>({0, 2}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::uint64_t>({0, 2}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::uint16_t>({0xbc00, 0x3c00}, DType::kFloat16), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<std::uint16_t>({0xbf80, 0x3f80}, DType::kBfloat16), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<float>({-1, 1}), ElementsAre(0, 170));
  EXPECT_THAT(Pixels<double>({-1, 1}), ElementsAre(0, 170));
}

TEST(ImageTest, NaNIsBlackAndInfinityIsAnEndOfTheRange) {
  EXPECT_THAT(Pixels<float>({0, kNaN, 1, kInf, -kInf}), ElementsAre(0, 0, 255, 255, 0));
  EXPECT_THAT(Pixels<float>({-1, kNaN, 1, kInf, -kInf}), ElementsAre(0, 0, 170, 255, 0));
  EXPECT_THAT(Pixels<float>({kNaN, kNaN}), ElementsAre(0, 0));
  EXPECT_THAT(Pixels<double>({-1, 1, 1e300, -1e300}), ElementsAre(0, 170, 255, 0));
}

TEST(ImageTest, RangeBeyondFloat32StaysWithinAByte) {
  constexpr float kMax = std::numeric_limits<float>::max();
  EXPECT_THAT(Pixels<float>({-kMax, kMax}), ElementsAre(0, 255));
}

TEST(ImageTest, BatchesStandEightARowAndTheRestIsBlack) {
  const std::vector<std::uint8_t> values(std::size_t{10} * 2 * 3, 9);
  const ImageCanvas canvas = Canvas(DType::kUint8, {10, 1, 2, 3}, values.data());
  EXPECT_EQ(canvas.width, 24);
  EXPECT_EQ(canvas.height, 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 24; ++x) {
      const bool image = y < 2 || x < 6;
      EXPECT_EQ(canvas.rgb[static_cast<std::size_t>(y * 24 + x) * 3], image ? 9 : 0)
          << x << "," << y;
    }
  }
}

// As in MindSpore: the empty places are zeros before the stretch.
TEST(ImageTest, EmptyPlacesTakePartInTheStretch) {
  const std::vector<float> values(9, 100);
  const ImageCanvas canvas = Canvas(DType::kFloat32, {9, 1, 1, 1}, values.data());
  EXPECT_EQ(canvas.rgb[0], 252);  // 100 * 255 / 101
  EXPECT_EQ(canvas.rgb.back(), 0);
  const std::vector<float> negative(9, -100);
  EXPECT_EQ(Canvas(DType::kFloat32, {9, 1, 1, 1}, negative.data()).rgb.back(), 252);
}

TEST(ImageTest, RefusesWhatIsNoBatchOfImages) {
  const float data[64] = {};
  const auto error = [&data](std::vector<std::int64_t> shape, DType dtype = DType::kFloat32) {
    return MakeCanvas({dtype, shape, data}).error();
  };
  EXPECT_THAT(error({2, 2}),
              IsStatus(StatusCode::kInvalidArgument, "(2, 2) does not have four dimensions"));
  EXPECT_THAT(error({1, 2, 2, 2}), IsStatus(StatusCode::kInvalidArgument, "2 channels"));
  EXPECT_THAT(error({0, 1, 2, 2}), IsStatus(StatusCode::kInvalidArgument, "empty dimension"));
  EXPECT_THAT(error({1, 1, -2, 2}), IsStatus(StatusCode::kInvalidArgument, "-2"));
  EXPECT_THAT(error({1, 1, 2, 2}, DType::kComplex64),
              IsStatus(StatusCode::kInvalidArgument, "complex64"));
  EXPECT_THAT(error({1, 1, 1 << 15, 1 << 15}), IsStatus(StatusCode::kInvalidArgument, "pixels"));
  EXPECT_THAT(error({1, 1, std::int64_t{1} << 40U, 1 << 15}),
              IsStatus(StatusCode::kInvalidArgument, "pixels"));
}

TEST(ImageTest, CanvasEncodesAsPng) {
  const std::vector<std::uint8_t> values(std::size_t{9} * 3 * 4 * 5, 77);
  const ImageCanvas canvas = Canvas(DType::kUint8, {9, 3, 4, 5}, values.data());
  const PngImage image =
      DecodePng(EncodePng(canvas.width, canvas.height, 3, canvas.rgb).value()).value();
  EXPECT_EQ(image.bytes, std::string(canvas.rgb.begin(), canvas.rgb.end()));
}

}  // namespace
}  // namespace sightline
