// What people send who want to see more than they may, or to keep the server from answering others,
// over loopback to the whole server; and files that were made to harm whoever reads them.

#include <chrono>
#include <filesystem>
#include <random>
#include <thread>

#include "sightline/dashboard/dashboard.h"
#include "sightline/dashboard/store/state_folder.h"
#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/dashboard/once_read.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::ReadFileOrDie;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using testing::Ask;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Reply;

constexpr char kToken[] = "0123456789012345678901234567890123456789012";
constexpr char kSecret[] = "TOP-SECRET";

class AttacksTest : public ::testing::Test {
 protected:
  AttacksTest() {
    std::filesystem::create_directories(dir_.File("root"));
    testing::RecordScalars(dir_.File("outside/run"), 10);
    WriteFileOrDie(dir_.File("outside/secret.txt"), kSecret);
  }
  void Start(DashboardOptions options = {}) {
    options.roots = {dir_.File("root")};
    options.token = kToken;
    auto started = Dashboard::Start(std::move(options));
    ASSERT_THAT(started, IsOk());
    dashboard_ = *std::move(started);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (dashboard_->catalog().snapshot()->loading &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
  }
  std::string Bearer() const {
    return "Host: localhost:" + std::to_string(dashboard_->port()) + "\r\nAuthorization: Bearer " +
           kToken + "\r\n";
  }
  Reply Get(const std::string& target) const {
    return testing::OnceAccepted([&] { return Ask(dashboard_->port(), "GET", target, Bearer()); });
  }
  Reply Post(const std::string& target, const std::string& body) const {
    return Ask(dashboard_->port(), "POST", target, Bearer() + "Content-Type: application/json\r\n",
               body);
  }

  TempDir dir_;
  std::unique_ptr<Dashboard> dashboard_;
};

// Each parameter that becomes a path somewhere.
std::vector<std::string> Paths(const std::string& path) {
  return {"run?run=" + path,
          "graph?run=" + path,
          "graph?ir=" + path,
          "ir/timeline?folder=" + path,
          "ir/diff?before=" + path + "&after=" + path,
          "exported?run=" + path,
          "exported/value?run=a&folder=export_1&file=" + path + ".npy",
          "exported/value?run=a&folder=" + path + "&file=a_1.npy",
          "profile?profile=" + path,
          "source?path=" + path,
          "profile/export?profile=" + path};
}

TEST_F(AttacksTest, NoParameterLeadsOutOfTheDirectory) {
  testing::RecordScalars(dir_.File("root/a"), 1);
  DashboardOptions options;
  options.source_roots = {dir_.File("root")};
  Start(options);
  const std::string outside = std::filesystem::canonical(dir_.File("outside")).string();
  for (const std::string& up :
       {std::string("../outside/secret.txt"), std::string("..%2foutside%2fsecret.txt"),
        std::string("%2e%2e/outside/secret.txt"), std::string("a/../../outside/secret.txt"),
        outside + "/secret.txt", outside + "/run", std::string("..%252foutside"),
        std::string("....//outside/secret.txt"), std::string("0:../outside"),
        std::string("..%5coutside%5csecret.txt"), std::string("%00/etc/passwd"),
        std::string("/proc/self/environ"), std::string("/etc/passwd"),
        std::string("../outside/run")}) {
    for (const std::string& target : Paths(up)) {
      const Reply reply = Get("/api/v1/" + target);
      EXPECT_TRUE(reply.status == 400 || reply.status == 404) << target << ": " << reply.status;
      EXPECT_THAT(reply.body, Not(HasSubstr(kSecret)));
      EXPECT_THAT(reply.body, Not(HasSubstr("root:x:0")));
    }
  }
}

TEST_F(AttacksTest, NoLinkLeadsOutOfTheDirectoryWheneverItIsMade) {
  testing::RecordScalars(dir_.File("root/a"), 3);
  std::filesystem::create_symlink(dir_.File("outside"), dir_.File("root/early"));
  DashboardOptions options;
  options.source_roots = {dir_.File("root")};
  Start(options);
  EXPECT_EQ(Get("/api/v1/runs").Json()["total"], 1);
  // Of a run that was listed: its directory is replaced by a link.
  const Reply before = Get("/api/v1/run?run=a");
  ASSERT_EQ(before.status, 200);
  std::filesystem::remove_all(dir_.File("root/a"));
  std::filesystem::create_directory_symlink(dir_.File("outside/run"), dir_.File("root/a"));
  std::filesystem::create_symlink(dir_.File("outside/secret.txt"), dir_.File("root/late.py"));
  for (const char* target :
       {"source?path=late.py", "source?path=early/secret.txt", "graph?ir=late.py",
        "graph?ir=early/secret.txt", "profile?profile=late.py", "ir/timeline?folder=early"}) {
    const Reply reply = Get(std::string("/api/v1/") + target);
    EXPECT_TRUE(reply.status == 400 || reply.status == 404) << target << ": " << reply.status;
    EXPECT_THAT(reply.body, Not(HasSubstr(kSecret)));
  }
}

TEST_F(AttacksTest, AnotherServersTokenDoesNotOpenThisOne) {
  Start();
  for (const std::string& wrong :
       {std::string(), std::string("Bearer "), "Bearer " + *MakeToken(),
        "Bearer " + std::string(kToken) + "x", "Bearer " + std::string(kToken).substr(1),
        "Basic " + std::string(kToken), "Bearer " + std::string(10'000, 'a')}) {
    const std::string header = wrong.empty() ? "" : "Authorization: " + wrong + "\r\n";
    for (const char* path : {"/api/v1/runs", "/api/v1/kept", "/api/v1/changes", "/api/v1/ir"})
      EXPECT_EQ(Ask(dashboard_->port(), "GET", path, "Host: localhost\r\n" + header).status, 401);
  }
}

// A name that was made to point at this machine after the page was loaded (DNS rebinding), and
// pages of other origins.
TEST_F(AttacksTest, PagesElsewhereAreNotAnswered) {
  Start();
  const std::string token = std::string("Authorization: Bearer ") + kToken + "\r\n";
  const std::uint16_t port = dashboard_->port();
  for (const char* host :
       {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
        "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]"}) {
    for (const char* path : {"/", "/api/v1/runs"}) {
      EXPECT_EQ(Ask(port, "GET", path, std::string("Host: ") + host + "\r\n" + token).status, 403)
          << host;
    }
  }
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), std::string("http://localhost:1"),
        std::string("https://localhost.evil")}) {
    EXPECT_EQ(Ask(port, "GET", "/api/v1/runs", Bearer() + "Origin: " + origin + "\r\n").status,
              403);
    EXPECT_EQ(Ask(port, "POST", "/api/v1/kept",
                  Bearer() + "Content-Type: application/json\r\nOrigin: " + origin + "\r\n", "{}")
                  .status,
              403);
  }
}

TEST_F(AttacksTest, NobodyWritesWithoutLeave) {
  testing::RecordScalars(dir_.File("root/a"), 1);
  Start();
  EXPECT_EQ(Post("/api/v1/kept", R"({"runs": {"a": {"note": "x"}}})").status, 403);
  EXPECT_EQ(Get("/api/v1/status").Json()["read_only"], true);
  EXPECT_FALSE(std::filesystem::exists(dir_.File("root/.sightline-notes.json")));
  DashboardOptions options;
  options.allow_write = true;
  Start(options);
  EXPECT_EQ(Post("/api/v1/kept", R"({"runs": {"a": {"note": "x"}}})").Json()["runs"]["a"]["note"],
            "x");
  // No form of another page sends JSON.
  EXPECT_EQ(Ask(dashboard_->port(), "POST", "/api/v1/kept",
                Bearer() + "Content-Type: text/plain\r\n", "{}")
                .status,
            400);
  for (const char* method : {"PUT", "DELETE", "PATCH"})
    EXPECT_EQ(Ask(dashboard_->port(), method, "/api/v1/kept", Bearer()).status, 405);
}

TEST_F(AttacksTest, BodiesThatAreMadeToBeSlowAreAnsweredAtOnce) {
  testing::RecordScalars(dir_.File("root/a"), 1);
  DashboardOptions options;
  options.allow_write = true;
  Start(options);
  std::string keys = "{";
  for (int i = 0; i < 30'000; ++i) keys += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  keys += "}";
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  std::string nested = R"({"runs":)";
  for (int i = 0; i < 100'000; ++i) nested += "{\"a\":";
  const std::string objects = nested + "1" + std::string(100'001, '}');
  for (const std::string& body :
       {keys, deep, objects, R"({"runs": )" + deep.substr(1, 300'000) + "}",
        R"({"series": [)" + std::string(300'000, '1') + "]}", std::string("{\"a\":1e999999}"),
        std::string("\xff\xfe{}"), std::string("{"), std::string("null")}) {
    for (const char* path : {"/api/v1/series", "/api/v1/tags", "/api/v1/kept"}) {
      // Without a response within a minute the status is 0.
      const int status = Post(path, body).status;
      EXPECT_TRUE(status == 400 || status == 200) << path << ": " << status;
    }
  }
  EXPECT_EQ(Post("/api/v1/tags", std::string((1U << 20U) + 1, ' ')).status, 413);
}

TEST_F(AttacksTest, QueriesThatAreMadeToBeSlowAreAnsweredAtOnce) {
  const std::string name(200, 'a');
  testing::RecordScalars(dir_.File("root/" + name), 1);
  Start();
  const auto matched = [&](const std::string& query) {
    const Reply reply = Get("/api/v1/runs?query=" + query);
    EXPECT_TRUE(reply.status == 200 || reply.status == 400) << query.substr(0, 80);
    return reply.status;
  };
  EXPECT_EQ(matched("name%3D~'(a%2B)%2Bb'"), 200);
  EXPECT_EQ(matched("name%3D~'(a|a)*c'"), 200);
  matched("name%3D~'((((a{1,100}){1,100}){1,100}){1,100})'");
  matched(std::string(4000, '('));
  matched("not%20not%20" + std::string(3000, '('));
  std::string nots;
  for (int i = 0; i < 3000; ++i) nots += "not+";
  matched(nots + "name");
}

TEST_F(AttacksTest, WhatRunsRecordedIsNeverMarkup) {
  const std::string evil = "<script>alert(1)</script>";
  {
    auto recorder = Recorder::Open(dir_.File("root/a"), {});
    ASSERT_THAT(recorder, IsOk());
    (*recorder)->AddScalar(evil, 1, 1);
    (*recorder)->AddScalar(std::string(1'000'000, 'x'), 1, 1);
    TrainLineage lineage;
    lineage.network = evil + std::string(1'000'000, '"');
    (*recorder)->AddMessage("", 0, ValueKind::kTrainLineage, SerializeTrainLineage(lineage));
    ASSERT_THAT((*recorder)->Close(), IsOk());
  }
  Start();
  for (const char* path : {"runs", "run?run=a", "lineage", "tags", "run?run=%3Cscript%3E"}) {
    const Reply reply = Get(std::string("/api/v1/") + path);
    EXPECT_EQ(reply.headers.at("content-type"), "application/json") << path;
    EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff");
    EXPECT_THAT(reply.headers.at("content-security-policy"), HasSubstr("default-src 'none'"));
    EXPECT_TRUE(reply.Json().is_object()) << path;
  }
}

// Every kind of file, cut and with bytes changed, under every page: a response, whatever it says.
TEST_F(AttacksTest, DamagedFilesAreAnsweredUnderEveryPage) {
  std::mt19937 random(17);
  const auto damage = [&](const std::string& directory) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      std::string bytes = ReadFileOrDie(entry.path().string());
      for (int i = 0; i < 20 && !bytes.empty(); ++i)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (random() % 2 == 0) bytes.resize(bytes.size() / 2);
      std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_all);
      WriteFileOrDie(entry.path().string(), bytes);
    }
  };
  for (const char* from : {"mindspore/values", "mindspore/lenet_landscape", "tensorboard/torch",
                           "ir/side", "profiler/torch", "profiler/mindspore_2_7"}) {
    const std::string to = dir_.File("root/" + std::string(from));
    std::filesystem::create_directories(to);
    std::filesystem::copy(CorpusPath(from), to, std::filesystem::copy_options::recursive);
    damage(to);
  }
  testing::RecordHeavy(dir_.File("root/heavy"));
  damage(dir_.File("root/heavy"));
  Start();
  std::vector<std::string> targets = {"runs", "lineage", "tags", "profiles", "ir"};
  const nlohmann::json runs = Get("/api/v1/runs").Json()["runs"];
  for (const auto& run : runs) {
    const std::string id = run["id"];
    targets.insert(targets.end(), {"run?run=" + id, "landscapes?run=" + id, "dataset?run=" + id,
                                   "graph?run=" + id, "graph/search?text=a&run=" + id});
    const nlohmann::json tags = Get("/api/v1/run?run=" + id).Json()["tags"];
    for (const auto& tag : tags) {
      const std::string series = "run=" + id + "&tag=" + tag["tag"].get<std::string>() +
                                 "&kind=" + tag["kind"].get<std::string>();
      targets.insert(targets.end(), {"series?" + series, "values?" + series, "value?" + series,
                                     "value?detail=stats&" + series, "histograms?" + series});
    }
  }
  const nlohmann::json folders = Get("/api/v1/ir").Json()["folders"];
  for (const auto& folder : folders) {
    const std::string id = folder["folder"];
    targets.push_back("ir/timeline?folder=" + id);
    const nlohmann::json dumps = Get("/api/v1/ir/timeline?folder=" + id).Json()["dumps"];
    for (const auto& dump : dumps) {
      const std::string file = dump["id"];
      targets.insert(targets.end(),
                     {"graph?ir=" + file, "ir/diff?before=" + file + "&after=" + file});
    }
  }
  const nlohmann::json profiles = Get("/api/v1/profiles").Json()["profiles"];
  for (const auto& profile : profiles) {
    for (const char* part : {"", "/operators", "/steps", "/data", "/summary", "/timeline", "/flame",
                             "/flows", "/ranks", "/export"}) {
      targets.push_back("profile" + std::string(part) +
                        "?profile=" + profile["profile"].get<std::string>());
    }
  }
  EXPECT_GT(targets.size(), 50U);
  for (std::string& target : targets) {
    std::string encoded;
    for (const char c : target) encoded += c == ' ' ? std::string("%20") : std::string(1, c);
    EXPECT_NE(Get("/api/v1/" + encoded).status, 0) << target;
  }
  EXPECT_EQ(Get("/api/v1/status").status, 200);
}

}  // namespace
}  // namespace sightline::dashboard
