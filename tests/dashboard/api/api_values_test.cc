// Values as other programs wrote them (tests/corpus/wild), against docs/http_api.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sightline/dashboard/api/api.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
const sightline::testing::ManualClock kClock(1e10);

class ApiValuesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    catalog_ = new Catalog({CorpusPath("wild")}, {.clock = &kClock});
    catalog_->Poll({});
  }
  static void TearDownTestSuite() { delete catalog_; }

  using Respond = Result<Response> (*)(const CatalogSnapshot&, const Request&);
  static Response Value(const std::string& query, Respond respond = ValueResponse) {
    Request request;
    request.target = *ParseTarget("/?" + query);
    auto response = respond(*catalog_->snapshot(), request);
    EXPECT_THAT(response, sightline::testing::IsOk()) << query;
    return *std::move(response);
  }
  static json Json(const std::string& query, Respond respond = ValueResponse) {
    return json::parse(Value(query, respond).body);
  }

  static Catalog* catalog_;
};
Catalog* ApiValuesTest::catalog_ = nullptr;

TEST_F(ApiValuesTest, EachImageOfATensorHasAPlace) {
  const std::string series = "run=images_five&kind=image&tag=training%20data";
  const json places = Json(series, ValuesResponse);
  EXPECT_THAT(places["steps"], ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1));
  std::set<std::string> pictures;
  for (const json& at : places["at"]) {
    const Response picture = Value(series + "&at=" + at.get<std::string>());
    EXPECT_EQ(picture.content_type, "image/png");
    pictures.insert(picture.body);
  }
  EXPECT_EQ(pictures.size(), 10U);
}

TEST_F(ApiValuesTest, EachSoundOfATensorHasAPlace) {
  EXPECT_EQ(Json("run=sounds_three&kind=audio&tag=speech", ValuesResponse)["at"].size(), 3U);
  const json places = Json("run=sounds_three&kind=audio&tag=labelled", ValuesResponse);
  ASSERT_EQ(places["at"].size(), 2U);
  EXPECT_EQ(
      Value("run=sounds_three&kind=audio&tag=labelled&at=" + places["at"][1].get<std::string>())
          .content_type,
      "audio/wav");
}

TEST_F(ApiValuesTest, NumbersThatTheFileLacksAreLeftOut) {
  const json histogram = Json("run=histograms_v2&kind=histogram&tag=normal");
  EXPECT_EQ(histogram["count"], 5);
  EXPECT_EQ(histogram["max"], 1);
  EXPECT_FALSE(histogram.contains("sum"));
  const json edges = Json("run=histograms_v2&kind=histogram&tag=nan_edges");
  EXPECT_FALSE(edges.contains("min"));
  EXPECT_TRUE(Json("run=histograms&kind=histogram&tag=backwards").contains("sum"));
}

TEST_F(ApiValuesTest, CountsKeepTheirFractions) {
  const json histogram = Json("run=histogram_fractions&kind=histogram&tag=p");
  EXPECT_THAT(histogram["counts"], ElementsAre(0.1, 0.4, 0.4, 0.1));
  EXPECT_EQ(histogram["count"].dump(), "1");
}

TEST_F(ApiValuesTest, AnUnreadableHistogramSaysWhy) {
  const Response response = Value("run=histograms_v2&kind=histogram&tag=float32");
  EXPECT_EQ(response.status, 422U);
  EXPECT_THAT(response.body, HasSubstr("its tensor is not of float64"));
  const json several = Json("run=histograms_v2&tag=float32", HistogramsResponse);
  EXPECT_THAT(several["values"][0]["error"].get<std::string>(), HasSubstr("float64"));
}

TEST_F(ApiValuesTest, StringsWithoutAPluginAreTexts) {
  const json flags = Json("run=string_tensor&kind=text&tag=flags");
  EXPECT_THAT(flags["texts"], ElementsAre("--a", "--b"));
  EXPECT_THAT(flags["shape"], ElementsAre(2));
}

TEST_F(ApiValuesTest, TensorsOfPyTorchAreTensors) {
  const json half = Json("run=torch_add_tensor&kind=tensor&tag=half&detail=stats");
  EXPECT_EQ(half["dtype"], "float16");
  EXPECT_EQ(half["min"], -2.5);
  EXPECT_EQ(half["max"], 1);
}

TEST_F(ApiValuesTest, AValueWithoutContentIsRefusedWithTheReason) {
  const Response response = Value("run=plugins&kind=unknown&tag=nothing");
  EXPECT_EQ(response.status, 422U);
  EXPECT_THAT(response.body, HasSubstr("the value has no content"));
}

TEST_F(ApiValuesTest, TextsKeepTheirShape) {
  const auto text = [](const std::string& tag) {
    return Json("run=text_table&kind=text&tag=" + tag);
  };
  const json table = text("table");
  EXPECT_EQ(table["shape"], json::array({3, 2})) << table;
  EXPECT_EQ(table["texts"], json::array({"name", "score", "alice", "1", "bob", "2"}));
  EXPECT_EQ(text("list")["shape"], json::array({3}));
  EXPECT_EQ(text("empty")["shape"], json::array({0}));
  EXPECT_EQ(text("cube")["shape"], json::array({2, 2, 2}));
  EXPECT_EQ(text("markdown")["shape"], json::array({1}));
}

TEST_F(ApiValuesTest, PicturesHaveTheTypeOfTheirBytes) {
  const auto type = [](const std::string& tag) {
    return Value("run=images&kind=image&tag=" + tag).content_type;
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
