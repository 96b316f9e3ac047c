// The server while large files are imported: a file system holds the imports back, and all other
// requests are answered.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_profile.h"
#include "sightline/dashboard/http/http_server.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/tests/dashboard/held_back_files.h"
#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/dashboard/once_read.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::TempDir;
using testing::HeldBackFiles;
using testing::Reply;

class ImportingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::RecordScalars(dir_.File("run"), 100);
    testing::RecordHeavy(dir_.File("heavy"));
    for (const char* name : {"a", "b", "c", "d"}) {
      std::ofstream(dir_.File(std::string(name) + ".trace.json"))
          << R"([{"ph":"X","name":"MatMul","pid":1,"tid":7,"ts":0,"dur":1}])";
    }
    std::filesystem::copy(CorpusPath("ir/side"), dir_.File("dumps"),
                          std::filesystem::copy_options::recursive);
    catalog_.Poll({});
    AddApi(service_, catalog_, {dumps_, imports_}, {});
    AddIrApi(service_, dumps_);
    AddProfileApi(service_, catalog_, profiles_);
    auto server = HttpServer::Listen(
        {.port = 0}, [this](const Request& request) { return service_.Handle(request); });
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }
  ~ImportingTest() override { files_.Release(); }

  Reply Get(const std::string& target) const {
    return testing::Ask(server_->port(), "GET", "/api/v1/" + target, "Host: localhost\r\n");
  }
  std::vector<std::string> DumpIds() const {
    std::vector<std::string> ids;
    const auto listed =
        testing::OnceAccepted([&] { return Get("ir/timeline?folder=dumps"); }).Json();
    for (const auto& dump : listed["dumps"]) ids.push_back(dump["id"]);
    return ids;
  }
  // While reads of such files are held back, all of these requests are told to wait, and others are
  // answered; afterwards, these are answered, too.
  void ExpectNobodyElseWaits(const std::string& files, const std::vector<std::string>& targets) {
    files_.HoldBack(files);
    for (const std::string& target : targets) {
      for (int i = 0; i < 2; ++i) {
        const Reply reply = Get(target);
        EXPECT_EQ(reply.status, 202) << target << ": " << reply.body;
        EXPECT_EQ(reply.headers.at("retry-after"), "1");
        EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
        EXPECT_TRUE(reply.Json()["importing"]["bytes"].is_number()) << reply.body;
      }
      EXPECT_EQ(Get("series?run=run&tag=loss").status, 200);
    }
    files_.AwaitReaders(1);
    EXPECT_EQ(Get("runs").status, 200);
    files_.Release();
    for (const std::string& target : targets) {
      const Reply reply = testing::OnceAccepted([&] { return Get(target); });
      EXPECT_EQ(reply.status, 200) << target << ": " << reply.body;
    }
  }

  TempDir dir_;
  HeldBackFiles files_{FileSystem::Local()};
  Catalog catalog_{{dir_.path()}, {.file_system = &files_}};
  BackgroundImports imports_{files_};
  IrStore dumps_{files_, {dir_.path()}, imports_};
  ProfileStore profiles_{files_, {dir_.path()}, imports_};
  Service service_{ServiceOptions(), StaticFiles()};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ImportingTest, NobodyWaitsForProfilesOfOthers) {
  ExpectNobodyElseWaits(
      ".trace.json",
      {"profile?profile=a.trace.json", "profile/steps?profile=a.trace.json",
       "profile/timeline?profile=b.trace.json", "profile/cluster?profile=c.trace.json",
       "profile/compare?profile=c.trace.json&before=d.trace.json"});
}

TEST_F(ImportingTest, NobodyWaitsForDumpsOfOthers) {
  const std::vector<std::string> ids = DumpIds();
  ASSERT_GE(ids.size(), 2U);
  ExpectNobodyElseWaits(".ir", {"graph?ir=" + ids[0], "graph/search?text=a&ir=" + ids[0],
                                "ir/diff?before=" + ids[0] + "&after=" + ids[1]});
}

TEST_F(ImportingTest, NobodyWaitsForFoldersOfDumpsOfOthers) {
  ExpectNobodyElseWaits(".ir", {"ir/timeline?folder=dumps"});
}

TEST_F(ImportingTest, NobodyWaitsForGraphsOfRunsOfOthers) {
  ExpectNobodyElseWaits("heavy", {"graph?run=heavy", "graph/node?run=heavy&node=Default/Sum-op3"});
}

TEST_F(ImportingTest, WhatDoesNotExistIsRefusedAtOnce) {
  for (const char* target :
       {"profile?profile=none", "profile/cluster?profile=none", "graph?ir=none",
        "graph?run=heavy&graph=g9", "ir/timeline?folder=none", "ir/diff?before=none&after=none"}) {
    EXPECT_EQ(Get(target).status, 404) << target;
  }
}

TEST_F(ImportingTest, TellsTheBytesOfTheFile) {
  files_.HoldBack("a.trace.json");
  (void)Get("profile?profile=a.trace.json");
  files_.AwaitReaders(1);
  const auto progress = Get("profile?profile=a.trace.json").Json()["importing"];
  EXPECT_EQ(progress["bytes"], 0);
  EXPECT_EQ(progress["total"], std::filesystem::file_size(dir_.File("a.trace.json")));
}

}  // namespace
}  // namespace sightline::dashboard
