// Values as other programs wrote them (tests/corpus/wild), against docs/http_api.md.
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;

const sightline::testing::ManualClock kClock(1e10);

Result<Response> ValueOf(const std::string& target) {
  static Catalog* const catalog = [] {
    auto* const read = new Catalog({sightline::testing::CorpusPath("wild")}, {.clock = &kClock});
    read->Poll({});
    return read;
  }();
  Request request;
  request.target = *ParseTarget(target);
  return ValueResponse(*catalog->snapshot(), request);
}

TEST(ApiValuesTest, TextsKeepTheirShape) {
  const auto text = [](const std::string& tag) {
    const auto response = ValueOf("/?run=text_table&kind=text&tag=" + tag);
    return response ? json::parse(response->body) : json(response.error().ToString());
  };
  const json table = text("table");
  EXPECT_EQ(table["shape"], json::array({3, 2})) << table;
  EXPECT_EQ(table["texts"], json::array({"name", "score", "alice", "1", "bob", "2"}));
  EXPECT_EQ(text("list")["shape"], json::array({3}));
  EXPECT_EQ(text("empty")["shape"], json::array({0}));
  EXPECT_EQ(text("cube")["shape"], json::array({2, 2, 2}));
  EXPECT_EQ(text("markdown")["shape"], json::array({1}));
}

TEST(ApiValuesTest, PicturesHaveTheTypeOfTheirBytes) {
  const auto type = [](const std::string& tag) {
    const auto response = ValueOf("/?run=images&kind=image&tag=" + tag);
    return response ? response->content_type : response.error().ToString();
  };
  for (const char* tag : {"png16", "gray", "rgba", "palette", "apng", "cut_png"})
    EXPECT_EQ(type(tag), "image/png") << tag;
  EXPECT_EQ(type("jpeg"), "image/jpeg");
  EXPECT_EQ(type("cmyk_jpeg"), "image/jpeg");
  EXPECT_EQ(type("gif"), "image/gif");
  EXPECT_EQ(type("webp"), "image/webp");
  for (const char* tag : {"svg", "bmp", "tiff", "avif_or_jp2", "empty"})
    EXPECT_EQ(type(tag), "application/octet-stream") << tag;
}

}  // namespace
}  // namespace sightline::dashboard
