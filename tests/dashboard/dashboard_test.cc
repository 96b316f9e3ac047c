// The whole server over loopback: who gets in, and what they see.
#include "sightline/dashboard/dashboard.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;
using sightline::testing::TempDir;
using testing::Ask;
using ::testing::HasSubstr;
using testing::HttpClient;
using ::testing::Not;
using testing::Reply;

constexpr char kToken[] = "0123456789012345678901234567890123456789012";
const std::string kHost = "Host: localhost\r\n";
const std::string kBearer = kHost + "Authorization: Bearer " + kToken + "\r\n";

class DashboardTest : public ::testing::Test {
 protected:
  void Start(DashboardOptions options = {}) {
    if (options.roots.empty()) options.roots = {dir_.path()};
    options.token = kToken;
    options.limits.comment_time = std::chrono::milliseconds(100);
    auto started = Dashboard::Start(std::move(options));
    ASSERT_THAT(started, IsOk());
    dashboard_ = *std::move(started);
  }
  // Once everything that lies there was read.
  Reply Get(const std::string& target) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (dashboard_->catalog().snapshot()->loading &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    return Ask(dashboard_->port(), "GET", target, kBearer);
  }

  TempDir dir_;
  std::unique_ptr<Dashboard> dashboard_;
};

TEST_F(DashboardTest, ShowsRunsToWhoHasTheAddress) {
  testing::RecordScalars(dir_.File("a"), 10);
  Start();
  EXPECT_THAT(dashboard_->Url(), HasSubstr(std::string("/#token=") + kToken));
  const Reply page = Ask(dashboard_->port(), "GET", "/", kHost);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<!doctype html>"));
  const Reply runs = Get("/api/v1/runs");
  EXPECT_EQ(runs.status, 200);
  EXPECT_EQ(runs.headers.at("content-type"), "application/json");
  EXPECT_EQ(runs.Json()["runs"][0]["id"], "a");
  const Reply series = Get("/api/v1/series?run=a&tag=loss");
  EXPECT_EQ(series.body.substr(0, 4), "SLS1");
  EXPECT_EQ(Get("/api/v1/status").Json()["runs"], 1);
}

TEST_F(DashboardTest, ShowsNothingToOthers) {
  testing::RecordScalars(dir_.File("a"), 1);
  Start();
  const std::uint16_t port = dashboard_->port();
  for (const char* path : {"/api/v1/status", "/api/v1/runs", "/api/v1/run?run=a", "/api/v1/series",
                           "/api/v1/changes", "/api/v1/value", "/api/none", "/api"}) {
    EXPECT_EQ(Ask(port, "GET", path, kHost).status, 401) << path;
    EXPECT_EQ(Ask(port, "GET", path, kHost + "Authorization: Bearer wrong\r\n").status, 401);
    EXPECT_EQ(Ask(port, "GET", path, kHost + "Cookie: token=" + kToken + "\r\n").status, 401);
  }
  EXPECT_EQ(Ask(port, "GET", std::string("/api/v1/runs?token=") + kToken, kHost).status, 401);
  const std::string bearer = std::string("Authorization: Bearer ") + kToken + "\r\n";
  EXPECT_EQ(Ask(port, "GET", "/api/v1/runs", "Host: evil.example\r\n" + bearer).status, 403);
  EXPECT_EQ(Ask(port, "GET", "/", "Host: evil.example\r\n").status, 403);
  EXPECT_EQ(Ask(port, "GET", "/api/v1/runs", kBearer + "Origin: http://evil.example\r\n").status,
            403);
  EXPECT_EQ(Ask(port, "DELETE", "/api/v1/runs", kBearer).status, 405);
  EXPECT_THAT(Ask(port, "GET", "/", kHost).body, Not(HasSubstr(dir_.path())));
}

TEST_F(DashboardTest, DoesNotShowWhatLinksLeadOutTo) {
  testing::RecordScalars(dir_.File("other/secret"), 1);
  testing::RecordScalars(dir_.File("root/a"), 1);
  ASSERT_EQ(symlink(dir_.File("other").c_str(), dir_.File("root/link").c_str()), 0);
  DashboardOptions options;
  options.roots = {dir_.File("root")};
  Start(options);
  EXPECT_EQ(Get("/api/v1/runs").Json()["total"], 1);
  options.follow = {dir_.File("other")};
  Start(options);
  EXPECT_EQ(Get("/api/v1/runs").Json()["total"], 2);
}

TEST_F(DashboardTest, StreamsWhatGrows) {
  Start();
  ASSERT_EQ(Get("/api/v1/status").Json()["runs"], 0);
  HttpClient stream(dashboard_->port());
  stream.Send("GET /api/v1/changes HTTP/1.1\r\n" + kBearer + "\r\n");
  ASSERT_TRUE(stream.ReadUntil(": still here"));
  EXPECT_THAT(stream.held(), HasSubstr("text/event-stream"));
  EXPECT_THAT(stream.held(), HasSubstr("event: hello"));
  testing::RecordScalars(dir_.File("a"), 1);
  EXPECT_TRUE(stream.ReadUntil(R"({"run":"a","change":"new"})"));
  EXPECT_EQ(Get("/api/v1/runs").Json()["total"], 1);
}

TEST_F(DashboardTest, ShowsTextsOfRunsAsData) {
  auto recorder = Recorder::Open(dir_.File("<script>alert(1)<"), {});
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("<img src=x onerror=alert(1)>", 1, 1);
  ASSERT_THAT((*recorder)->Close(), IsOk());
  Start();
  const Reply runs = Get("/api/v1/runs");
  EXPECT_EQ(runs.headers.at("content-type"), "application/json");
  EXPECT_EQ(runs.headers.at("x-content-type-options"), "nosniff");
  EXPECT_EQ(runs.Json()["runs"][0]["id"], "<script>alert(1)<");
}

TEST(DashboardOptionsTest, LetsNobodyElseInByMistake) {
  const TempDir dir;
  const auto refuses = [&](auto change) {
    DashboardOptions options;
    options.roots = {dir.path()};
    options.token = kToken;
    change(options);
    const auto started = Dashboard::Start(std::move(options));
    return !started && started.error().code() == StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refuses([](auto& o) { o.address = "0.0.0.0"; }));
  EXPECT_TRUE(refuses([](auto& o) {
    o.address = "0.0.0.0";
    o.plain_http = true;
    o.token.clear();
  }));
  EXPECT_TRUE(refuses([](auto& o) { o.roots.clear(); }));
  for (const char* base :
       {"x", "/", "/x/", "/x/../y", "/x?y", "/x%20y", "/x#y", "/<x>", "/\"x", "/é"})
    EXPECT_TRUE(refuses([&](auto& o) { o.base_path = base; })) << base;
  EXPECT_TRUE(refuses([](auto& o) { o.allow_frame = "https://a; script-src *"; }));
  EXPECT_FALSE(refuses([](auto& o) { o.base_path = "/x"; }));
}

}  // namespace
}  // namespace sightline::dashboard
