// Which bytes reach a browser as a picture or a sound.
#include "sightline/dashboard/api/media_type.h"

#include <gtest/gtest.h>

namespace sightline::dashboard {
namespace {

using namespace std::string_view_literals;

TEST(ImageTypeTest, KnowsWhatBrowsersShowAsAPicture) {
  EXPECT_EQ(ImageTypeOf("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv), "image/png");
  EXPECT_EQ(ImageTypeOf("\xff\xd8\xff\xe0"), "image/jpeg");
  EXPECT_EQ(ImageTypeOf("GIF87a"), "image/gif");
  EXPECT_EQ(ImageTypeOf("GIF89a"), "image/gif");
  EXPECT_EQ(ImageTypeOf("RIFF\x24\0\0\0WEBPVP8 "sv), "image/webp");
  EXPECT_EQ(ImageTypeOf("\0\0\0\x14"
                        "ftypavif\0\0\0\0mif1"sv),
            "image/avif");
  EXPECT_EQ(ImageTypeOf("\0\0\0\x18"
                        "ftypmif1\0\0\0\0mif1avif"sv),
            "image/avif");
}

TEST(ImageTypeTest, LetsNothingElseThrough) {
  for (const std::string_view bytes :
       {""sv, "<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>"sv, "<!doctype html>"sv,
        "\xef\xbb\xbf<svg/>"sv, "BM\0\0"sv, "II*\0"sv, "\x89PNG"sv, "GIF80a<svg/>"sv,
        "RIFF\0\0\0\0WAVE"sv, "RIFF"sv, "%PDF-1.7"sv,
        "\0\0\0\x14"
        "ftypheic\0\0\0\0mif1"sv,
        // The version is not a brand, and what follows the box is not either.
        "\0\0\0\x14"
        "ftypheicavifmif1"sv,
        "\0\0\0\x10"
        "ftypheic\0\0\0\0avif"sv}) {
    EXPECT_EQ(ImageTypeOf(bytes), "application/octet-stream") << bytes;
  }
}

TEST(AudioTypeTest, KnowsWav) {
  EXPECT_EQ(AudioTypeOf("RIFF\x24\0\0\0WAVEfmt "sv), "audio/wav");
  EXPECT_EQ(AudioTypeOf("RIFF\x24\0\0\0WEBPVP8 "sv), "application/octet-stream");
  EXPECT_EQ(AudioTypeOf("RIFF"), "application/octet-stream");
}

}  // namespace
}  // namespace sightline::dashboard
