#include "sightline/dashboard/http/service.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "sightline/base/compress/gzip.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using ::testing::HasSubstr;

constexpr StaticFile kFiles[] = {{"/assets/a-1.js", "let a"}, {"/index.html", "<p>page"}};

std::string HeaderOf(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return {};
}

class ServiceTest : public ::testing::Test {
 protected:
  void Make(ServiceOptions options) {
    service_ = std::make_unique<Service>(std::move(options), StaticFiles(kFiles));
    service_->Add("/api/v1/status", [this](const Request&) {
      Response response;
      response.body = body_;
      return response;
    });
    service_->Add(
        "/api/v1/series", [](const Request& r) { return JsonResponse(r.body); }, true);
    service_->Add("/api/v1/throws",
                  [](const Request&) -> Response { throw std::runtime_error("no memory"); });
  }
  void SetUp() override {
    ServiceOptions options;
    options.access.token = "secret-token";
    options.access.hosts = {"box.example.org"};
    Make(options);
  }
  static Request Get(std::string_view target) {
    Request request;
    request.target = *ParseTarget(target);
    request.host = "localhost:8080";
    request.authorization = "Bearer secret-token";
    return request;
  }
  unsigned StatusOf(const Request& request) const { return service_->Handle(request).status; }

  std::string body_ = "{}";
  std::unique_ptr<Service> service_;
};

TEST_F(ServiceTest, AnswersTheApiWithTheTokenOnly) {
  Request request = Get("/api/v1/status");
  EXPECT_EQ(StatusOf(request), 200U);
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer secret-toke", "Bearer secret-tokeN",
                            "Bearer secret-token2", "Basic secret-token", "secret-token"}) {
    request.authorization = wrong;
    EXPECT_EQ(StatusOf(request), 401U) << wrong;
  }
  request.authorization.reset();
  EXPECT_EQ(StatusOf(request), 401U);
  EXPECT_EQ(HeaderOf(service_->Handle(request), "WWW-Authenticate"), "Bearer");
}

TEST_F(ServiceTest, TellsNobodyWithoutTheTokenWhichPathsThereAre) {
  Request request = Get("/api/v1/nothing");
  EXPECT_EQ(StatusOf(request), 404U);
  request.authorization.reset();
  EXPECT_EQ(StatusOf(request), 401U);
}

TEST_F(ServiceTest, GivesThePageWithoutAToken) {
  Request request = Get("/");
  request.authorization.reset();
  const Response page = service_->Handle(request);
  EXPECT_EQ(page.body, "<p>page");
  EXPECT_THAT(page.content_type, HasSubstr("text/html"));
  request.target = *ParseTarget("/assets/a-1.js");
  EXPECT_THAT(HeaderOf(service_->Handle(request), "Cache-Control"), HasSubstr("immutable"));
  request.target = *ParseTarget("/assets/b.js");
  EXPECT_EQ(StatusOf(request), 404U);
}

TEST_F(ServiceTest, AnswersToItsOwnNamesOnly) {
  Request request = Get("/");
  for (const char* own : {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080", "localhost.",
                          "box.example.org:8080"}) {
    request.host = own;
    EXPECT_EQ(StatusOf(request), 200U) << own;
  }
  for (const char* foreign :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:80:80",
        "localhost:x", "[::1", "127.0.0.2", "localhost@evil"}) {
    request.host = foreign;
    EXPECT_EQ(StatusOf(request), 403U) << foreign;
  }
}

TEST_F(ServiceTest, RefusesOtherPages) {
  Request request = Get("/api/v1/status");
  request.origin = "http://localhost:8080";
  EXPECT_EQ(StatusOf(request), 200U);
  for (const char* foreign : {"http://evil.example", "null", "", "http://localhost:9999",
                              "http://localhost:8080.evil.example", "file://localhost:8080"}) {
    request.origin = foreign;
    EXPECT_EQ(StatusOf(request), 403U) << foreign;
  }
  request.origin.reset();
  request.fetch_site = "cross-site";
  EXPECT_EQ(StatusOf(request), 403U);
}

TEST_F(ServiceTest, AsksForNoTokenWhereThereIsNone) {
  Make({});
  Request request = Get("/api/v1/status");
  request.authorization.reset();
  EXPECT_EQ(StatusOf(request), 200U);
  request.host = "evil.example";
  EXPECT_EQ(StatusOf(request), 403U);
}

TEST_F(ServiceTest, TakesPostWhereItIsMeant) {
  Request request = Get("/api/v1/series");
  request.method = Method::kPost;
  request.body = "{}";
  EXPECT_EQ(StatusOf(request), 400U);
  request.content_type = "application/json";
  EXPECT_EQ(StatusOf(request), 200U);
  request.target = *ParseTarget("/api/v1/status");
  EXPECT_EQ(StatusOf(request), 405U);
  request.target = *ParseTarget("/");
  EXPECT_EQ(StatusOf(request), 405U);
  request.method = Method::kOther;
  request.target = *ParseTarget("/api/v1/series");
  EXPECT_EQ(StatusOf(request), 405U);
}

TEST_F(ServiceTest, SetsTheSecurityHeadersOnEveryAnswer) {
  Request refused = Get("/api/v1/status");
  refused.host = "evil.example";
  for (const Request& request : {Get("/"), Get("/api/v1/status"), refused}) {
    const Response response = service_->Handle(request);
    EXPECT_EQ(HeaderOf(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_THAT(HeaderOf(response, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
    EXPECT_THAT(HeaderOf(response, "Content-Security-Policy"), HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(HeaderOf(response, "Content-Security-Policy"), ::testing::Not(HasSubstr("unsafe")));
    EXPECT_EQ(HeaderOf(response, "Cross-Origin-Resource-Policy"), "same-origin");
  }
}

TEST_F(ServiceTest, AllowsTheFrameThatWasAllowed) {
  ServiceOptions options;
  options.allow_frame = "https://box.example.org";
  Make(options);
  const Response response = service_->Handle(Get("/"));
  EXPECT_THAT(HeaderOf(response, "Content-Security-Policy"),
              HasSubstr("frame-ancestors https://box.example.org"));
  EXPECT_EQ(HeaderOf(response, "X-Frame-Options"), "");
}

TEST_F(ServiceTest, SaysWhenNothingChanged) {
  Request request = Get("/api/v1/status");
  const std::string tag = HeaderOf(service_->Handle(request), "ETag");
  ASSERT_FALSE(tag.empty());
  request.if_none_match = tag;
  EXPECT_EQ(StatusOf(request), 304U);
  EXPECT_EQ(service_->Handle(request).body, "");
  body_ = "{\"other\": 1}";
  EXPECT_EQ(StatusOf(request), 200U);
}

TEST_F(ServiceTest, CompressesForThoseWhoTakeIt) {
  body_ = std::string(100'000, 'a');
  Request request = Get("/api/v1/status");
  EXPECT_EQ(service_->Handle(request).body, body_);
  request.accepts_gzip = true;
  const Response packed = service_->Handle(request);
  EXPECT_EQ(HeaderOf(packed, "Content-Encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 1000U);
  EXPECT_EQ(Gunzip(packed.body, body_.size()), body_);
}

TEST_F(ServiceTest, ServesBeneathABasePath) {
  ServiceOptions options;
  options.base_path = "/x";
  Make(options);
  EXPECT_EQ(StatusOf(Get("/x/")), 200U);
  EXPECT_EQ(StatusOf(Get("/x/api/v1/status")), 200U);
  EXPECT_EQ(StatusOf(Get("/api/v1/status")), 404U);
  EXPECT_EQ(StatusOf(Get("/xy/")), 404U);
  EXPECT_EQ(HeaderOf(service_->Handle(Get("/x")), "Location"), "/x/");
}

TEST_F(ServiceTest, SurvivesAHandlerThatThrows) {
  EXPECT_EQ(StatusOf(Get("/api/v1/throws")), 500U);
}

TEST(TargetTest, DecodesPathAndParameters) {
  const auto target = ParseTarget("/a%20b?tag=loss%2Ftrain&tag=x+y&empty&n=5");
  ASSERT_THAT(target, sightline::testing::IsOk());
  EXPECT_EQ(target->path, "/a b");
  EXPECT_THAT(target->All("tag"), ::testing::ElementsAre("loss/train", "x y"));
  EXPECT_EQ(target->Get("empty", "z"), "");
  EXPECT_EQ(target->Get("other", "z"), "z");
  EXPECT_EQ(*target->Integer("n", 1, 0, 10), 5);
  EXPECT_EQ(*target->Integer("other", 1, 0, 10), 1);
  EXPECT_FALSE(target->Integer("n", 1, 0, 4).has_value());
  EXPECT_FALSE(target->Integer("tag", 1, 0, 4).has_value());
  EXPECT_FALSE(target->Number("tag").has_value());
}

TEST(TargetTest, RefusesMoreParametersThanAnybodySends) {
  std::string text = "/?";
  for (int i = 0; i < 1001; ++i) text += "a=1&";
  EXPECT_FALSE(ParseTarget(text).has_value());
}

}  // namespace
}  // namespace sightline::dashboard
