// Graph dumps and sources over the interface, from real dumps of MindSpore.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/store/ir_store.h"
#include "sightline/dashboard/store/source_texts.h"
#include "sightline/tests/dashboard/once_read.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::HasSubstr;

class ApiIrTest : public ::testing::Test {
 protected:
  ApiIrTest() {
    const auto copy = [&](const std::string& from, const std::string& to) {
      std::filesystem::create_directories(dir_.File(to));
      std::filesystem::copy(CorpusPath("ir/" + from), dir_.File(to),
                            std::filesystem::copy_options::recursive);
    };
    copy("mlp_level1", "run/graphs");
    copy("side", "other");
    store_ = std::make_unique<IrStore>(FileSystem::Local(), std::vector{dir_.path()}, imports_);
    service_ = std::make_unique<Service>(ServiceOptions(), StaticFiles());
    AddApi(*service_, catalog_, {*store_, imports_}, {});
    AddIrApi(*service_, *store_);
  }
  Response Ask(const std::string& target) const {
    Request request;
    request.target = *ParseTarget("/api/v1/" + target);
    request.host = "localhost";
    return testing::OnceAccepted([&] { return service_->Handle(request); });
  }
  json Get(const std::string& target) const {
    const Response response = Ask(target);
    EXPECT_EQ(response.status, 200U) << target << ": " << response.body.substr(0, 300);
    return json::parse(response.body, nullptr, false);
  }

  TempDir dir_;
  Catalog catalog_{std::vector<std::string>{dir_.path()}};
  BackgroundImports imports_{FileSystem::Local()};
  std::unique_ptr<IrStore> store_;
  std::unique_ptr<Service> service_;
};

TEST_F(ApiIrTest, ListsFoldersOnceWithAllTheirParts) {
  const json folders = Get("ir")["folders"];
  ASSERT_EQ(folders.size(), 2U);
  EXPECT_EQ(folders[0]["folder"], "other");
  EXPECT_EQ(folders[1]["folder"], "run/graphs");
  EXPECT_EQ(folders[1]["files"], Get("ir/timeline?folder=run/graphs")["dumps"].size());
}

TEST_F(ApiIrTest, ShowsPassByPassWhatChanged) {
  const json dumps = Get("ir/timeline?folder=run/graphs")["dumps"];
  ASSERT_GT(dumps.size(), 10U);
  std::size_t changed = 0;
  for (const json& dump : dumps) {
    EXPECT_EQ(dump["id"], "run/graphs/" + dump["file"].get<std::string>());
    if (dump.contains("before") && dump["changed"] == true) ++changed;
  }
  EXPECT_GT(changed, 0U);
}

TEST_F(ApiIrTest, ComparesTwoDumps) {
  const json dumps = Get("ir/timeline?folder=run/graphs")["dumps"];
  for (const json& dump : dumps) {
    if (!dump.contains("before") || dump["changed"] == false) continue;
    const json diff = Get("ir/diff?before=run/graphs/" + dump["before"].get<std::string>() +
                          "&after=" + dump["id"].get<std::string>());
    EXPECT_EQ(diff["equal"], false);
    EXPECT_FALSE(diff["changes"].empty());
    break;
  }
  const std::string one = dumps[0]["id"];
  EXPECT_EQ(Get("ir/diff?before=" + one + "&after=" + one)["equal"], true);
}

TEST_F(ApiIrTest, ShowsADumpAsAGraphWithItsPlacesInTheSources) {
  const std::string id = Get("ir/timeline?folder=run/graphs")["dumps"][0]["id"];
  const json graph = Get("graph?ir=" + id);
  EXPECT_EQ(graph["kind"], "ir");
  EXPECT_EQ(graph["graph"], id);
  EXPECT_GT(graph["nodes_in_graph"], 0);
  bool located = false;
  const json matches = Get("graph/search?text=o&ir=" + id)["matches"];
  for (const json& match : matches) {
    if (match["kind"] != "op") continue;
    const json node = Get("graph/node?ir=" + id + "&node=" + match["id"].get<std::string>());
    if (!node.contains("locations")) continue;
    located = true;
    EXPECT_THAT(node["locations"][0].get<std::string>(), HasSubstr(".py:"));
  }
  EXPECT_TRUE(located);
}

TEST_F(ApiIrTest, ReadsAFileAnewWhenItChanged) {
  const std::string path = dir_.File("run/graphs/a_0001.ir");
  WriteFileOrDie(path,
                 sightline::testing::ReadFileOrDie(CorpusPath(
                     "ir/mlp_level1/" +
                     Get("ir/timeline?folder=run/graphs")["dumps"][0]["file"].get<std::string>())));
  const auto nodes = Get("graph?ir=run/graphs/a_0001.ir")["nodes_in_graph"];
  EXPECT_GT(nodes, 0);
  WriteFileOrDie(path, "no dump at all\n");
  EXPECT_EQ(Ask("graph?ir=run/graphs/a_0001.ir").status, 400U);
}

TEST_F(ApiIrTest, SaysWhatIsNotThere) {
  for (const char* target : {"ir/timeline", "ir/timeline?folder=none", "ir/timeline?folder=../x",
                             "ir/timeline?folder=/etc", "graph?ir=none.ir", "graph?ir=run/graphs",
                             "ir/diff?before=a&after=b", "graph?ir="}) {
    const unsigned status = Ask(target).status;
    EXPECT_TRUE(status == 404 || status == 400) << target << ": " << status;
  }
}

class SourceTextsTest : public ::testing::Test {
 protected:
  SourceTextsTest() {
    std::filesystem::create_directories(dir_.File("src/net"));
    std::string text;
    for (int i = 1; i <= 100; ++i) text += "line " + std::to_string(i) + "\n";
    WriteFileOrDie(dir_.File("src/net/train.py"), text);
    WriteFileOrDie(dir_.File("secret.py"), "secret\n");
    sources_ = *SourceTexts::Open({dir_.File("src")});
  }
  TempDir dir_;
  std::unique_ptr<SourceTexts> sources_;
};

TEST_F(SourceTextsTest, GivesTheLinesAroundOne) {
  const auto lines = sources_->Around(dir_.File("src/net/train.py"), 41);
  ASSERT_THAT(lines, IsOk());
  EXPECT_EQ(lines->first, 31);
  EXPECT_EQ(lines->lines.size(), 21U);
  EXPECT_EQ(lines->lines[10], "line 41");
  EXPECT_EQ(sources_->Around(dir_.File("src/net/train.py"), 1)->lines.front(), "line 1");
  EXPECT_TRUE(sources_->Around(dir_.File("src/net/train.py"), 5000)->lines.empty());
}

TEST_F(SourceTextsTest, FindsAFileThatWasElsewhereByTheEndOfItsPath) {
  EXPECT_EQ(sources_->Around("/home/other/project/net/train.py", 1)->lines.front(), "line 1");
  EXPECT_EQ(sources_->Around("/home/other/train.py", 1).error().code(), StatusCode::kNotFound);
}

TEST_F(SourceTextsTest, ShowsNothingElse) {
  std::filesystem::create_symlink(dir_.File("secret.py"), dir_.File("src/link.py"));
  WriteFileOrDie(dir_.File("src/binary.py"), std::string("a\0b", 3));
  for (const std::string& path :
       {dir_.File("secret.py"), dir_.File("src/../secret.py"), dir_.File("src/link.py"),
        std::string("../secret.py"), std::string("/etc/passwd"), std::string(),
        dir_.File("src/binary.py"), std::string(100'000, 'a')})
    EXPECT_FALSE(sources_->Around(path, 1).has_value()) << path.substr(0, 100);
}

}  // namespace
}  // namespace sightline::dashboard
