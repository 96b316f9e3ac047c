#include "sightline/ir/folder/blame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/ir/small_net.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::SmallNet;
using testing::SmallStatement;

// A folder of dumps that are written one pass after another.
class BlameTest : public ::testing::Test {
 protected:
  // What the pass leaves behind.
  void Pass(const std::string& name) {
    const std::string number = std::to_string(passes_++);
    files_.Put("graphs/opt_pass_" + number + "_" + name + "_" +
                   std::string(4 - number.size(), '0') + number + ".ir",
               net_.Print(1));
  }

  Folder Read() {
    auto folder = ReadFolder(files_, "graphs", {});
    EXPECT_THAT(folder, IsOk());
    return folder ? *std::move(folder) : Folder();
  }

  std::vector<std::string> Ask(const NodeFilter& filter) { return Ask(Read(), filter); }
  // "introduced by b: Neg n", with "(was x)" and "?" where there are such.
  std::vector<std::string> Ask(const Folder& folder, const NodeFilter& filter) {
    const BlameResult result = Blame(files_, "graphs", folder, filter);
    EXPECT_THAT(result.unread, IsEmpty());
    std::vector<std::string> texts;
    for (const BlameEvent& event : result.events) {
      std::string pass = PassName(folder.dumps[event.dump].name);
      pass = pass.substr(pass.find(' ') + 1);
      texts.push_back(std::string(Describe(event.kind)) + " in " + pass + ": " + event.callee +
                      " " + event.name + (event.before ? " (was " + *event.before + ")" : "") +
                      (event.ambiguous ? " ?" : ""));
    }
    return texts;
  }

  std::vector<SmallStatement>& statements() { return net_.entry().statements; }

  testing::MemoryFileSystem files_;
  SmallNet net_ = {{{"main",
                     {"x", "w"},
                     {{"m", "MatMul", {"x", "w"}, "I64(1)", "<Tensor[Float32], (2)>", true},
                      {"r", "ReLU", {"m"}, "I64(1)", "<Tensor[Float32], (2)>", true},
                      {"a", "Add", {"r", "m"}, "I64(1)", "<Tensor[Float32], (2)>", true}},
                     "a"}}};
  int passes_ = 0;
};

TEST_F(BlameTest, SaysWhichPassIntroducedAndRemovedANode) {
  Pass("first");
  statements().insert(statements().begin() + 1, {"n", "Neg", {"m"}, "I64(1)", "<null>", true});
  statements()[2].inputs[0] = "n";
  Pass("insert");
  Pass("idle");
  statements()[2].inputs[0] = "m";
  statements().erase(statements().begin() + 1);
  Pass("remove");
  Pass("last");
  EXPECT_THAT(Ask({.name = "n"}),
              ElementsAre("introduced in insert: Neg n", "removed in remove: Neg n"));
  EXPECT_THAT(Ask({.callee = "Neg"}),
              ElementsAre("introduced in insert: Neg n", "removed in remove: Neg n"));
  EXPECT_THAT(Ask({.callee = "ReLU"}),
              ElementsAre("first in first: ReLU r", "last in last: ReLU r"));
  EXPECT_THAT(Ask({.name = "nobody"}), IsEmpty());
}

TEST_F(BlameTest, FollowsANodeThroughItsNames) {
  Pass("first");
  statements()[1].name = "q";
  statements()[2].inputs[0] = "q";
  Pass("rename");
  statements()[2].inputs[0] = "m";
  statements().erase(statements().begin() + 1);
  Pass("remove");
  EXPECT_THAT(Ask({.name = "r"}),
              ElementsAre("first in first: ReLU r", "renamed in rename: ReLU q (was r)",
                          "removed in remove: ReLU q"));
  EXPECT_THAT(Ask({.name = "q"}),
              ElementsAre("renamed in rename: ReLU q (was r)", "removed in remove: ReLU q"));
}

TEST_F(BlameTest, SeesNamesOfIdsThatChangeInEqualDumps) {
  for (auto& statement : statements()) statement.is_named = false;
  files_.Put("graphs/opt_pass_0_a_0000.ir", net_.Print(1));
  files_.Put("graphs/opt_pass_1_b_0001.ir", net_.Print(2));
  const auto folder = ReadFolder(files_, "graphs", {});
  ASSERT_FALSE(folder->dumps[1].changed);
  const auto events = Ask({.name = "CNode_*", .subgraph = "*"});
  EXPECT_THAT(
      events,
      Contains(AllOf(HasSubstr("renamed in b: ReLU CNode_"), HasSubstr("(was CNode_"))).Times(1));
}

TEST_F(BlameTest, SaysWhichPassSetAnAttributeAndWhichTookIt) {
  Pass("first");
  statements()[0].attribute = "I64(2)";
  Pass("set");
  statements()[0].attribute = "I64(1)";
  Pass("reset");
  EXPECT_THAT(
      Ask({.attribute = "side", .attribute_value = "I64(2)"}),
      ElementsAre("gained in set: MatMul m (was MatMul)", "lost in reset: MatMul m (was MatMul)"));
}

TEST_F(BlameTest, SaysWhichPassReplacedAnOperator) {
  Pass("first");
  statements()[1].op = "GeLU";
  Pass("replace");
  EXPECT_THAT(Ask({.callee = "ReLU"}),
              ElementsAre("first in first: ReLU r", "lost in replace: GeLU r (was ReLU)"));
  EXPECT_THAT(Ask({.callee = "GeLU"}),
              ElementsAre("gained in replace: GeLU r (was ReLU)", "last in replace: GeLU r"));
}

TEST_F(BlameTest, SaysWhereTwoNodesAreTheSame) {
  for (auto& statement : statements()) statement.is_named = false;
  for (const char* name : {"p1", "p2", "p3"}) statements().push_back({name, "Print", {"r"}});
  files_.Put("graphs/opt_pass_0_a_0000.ir", net_.Print(1));
  statements().pop_back();
  files_.Put("graphs/opt_pass_1_b_0001.ir", net_.Print(2));
  EXPECT_THAT(Ask({.callee = "Print"}),
              Contains(AllOf(HasSubstr("removed in b: Print"), HasSubstr(" ?"))));
}

TEST_F(BlameTest, SaysWhereANodeThatIsFollowedMightBeAnotherOne) {
  for (auto& statement : statements()) statement.is_named = false;
  for (const char* name : {"p1", "p2", "p3"}) statements().push_back({name, "Print", {"r"}});
  files_.Put("graphs/opt_pass_0_a_0000.ir", net_.Print(1));
  statements()[4].attribute = "I64(2)";
  files_.Put("graphs/opt_pass_1_b_0001.ir", net_.Print(2));
  EXPECT_THAT(Ask({.attribute = "side", .attribute_value = "I64(2)"}),
              Contains(AllOf(HasSubstr("gained in b: Print"), HasSubstr(" ?"))));
}

TEST_F(BlameTest, ADumpThatCannotBeReadIsNamedAndTheOthersAreUsed) {
  Pass("first");
  Pass("bad");
  statements()[1].op = "GeLU";
  Pass("replace");
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kOpenForRead, "_bad_", StatusCode::kPermissionDenied);
  const auto folder = ReadFolder(faulty, "graphs", {});
  const NodeFilter filter{.callee = "GeLU"};
  const BlameResult result = Blame(faulty, "graphs", *folder, filter);
  ASSERT_EQ(result.unread.size(), 1);
  EXPECT_THAT(result.unread[0], IsStatus(StatusCode::kPermissionDenied, "opt_pass_1_bad_0001.ir"));
  ASSERT_EQ(result.events.size(), 2);
  EXPECT_EQ(result.events[0].kind, BlameKind::kGained);
}

// Inserts, removals and renames at random passes; every one is asked for.
TEST_F(BlameTest, EveryPlantedChangeIsFoundInItsPass) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    files_ = {};
    passes_ = 0;
    statements().clear();
    const std::vector<std::string> operators = {"Add", "Mul", "ReLU", "MatMul", "Cast"};
    for (int i = 0; i < 60; ++i) {
      const std::string back =
          i == 0 ? "x" : "s" + std::to_string(i - 1 - (i > 8 ? static_cast<int>(random() % 8) : 0));
      statements().push_back({"s" + std::to_string(i),
                              operators[random() % operators.size()],
                              {back, i == 0 ? "w" : "s" + std::to_string(i - 1)},
                              "I64(1)",
                              "<Tensor[Float32], (2)>",
                              true});
    }
    net_.entry().result = "s59";
    std::map<std::string, std::vector<std::string>> expected;
    for (const auto& statement : statements())
      expected[statement.name] = {"first in p0: " + statement.op + " " + statement.name};
    Pass("p0");
    for (int pass = 1; pass <= 15; ++pass) {
      const std::string name = "p" + std::to_string(pass);
      const std::size_t at = random() % (statements().size() - 1);
      const SmallStatement old = statements()[at];
      const auto replace = [&](const std::string& to) {
        for (std::size_t i = at + 1; i < statements().size(); ++i)
          std::replace(statements()[i].inputs.begin(), statements()[i].inputs.end(), old.name, to);
      };
      // Said of the node under each of its names.
      const auto expect = [&](const std::string& event) {
        for (auto& [asked, events] : expected) {
          if (events.back().find(" " + old.name + " (") != std::string::npos ||
              events.back().ends_with(" " + old.name))
            events.push_back(event);
        }
      };
      if (pass % 3 == 0) {
        SmallStatement inserted = old;
        inserted.name = "new" + std::to_string(pass);
        inserted.inputs = {old.name};
        replace(inserted.name);
        statements().insert(statements().begin() + static_cast<std::ptrdiff_t>(at) + 1, inserted);
        expected[inserted.name] = {"introduced in " + name + ": " + old.op + " " + inserted.name};
      } else if (pass % 3 == 1) {
        replace(old.inputs[0]);
        statements().erase(statements().begin() + static_cast<std::ptrdiff_t>(at));
        expect("removed in " + name + ": " + old.op + " " + old.name);
      } else {
        const std::string fresh = "renamed" + std::to_string(pass);
        replace(fresh);
        statements()[at].name = fresh;
        const std::string event =
            "renamed in " + name + ": " + old.op + " " + fresh + " (was " + old.name + ")";
        expect(event);
        expected[fresh] = {event};
      }
      Pass(name);
    }
    const Folder folder = Read();
    for (const auto& [name, events] : expected) {
      std::vector<std::string> found = Ask(folder, {.name = name});
      if (!found.empty() && found.back().starts_with("last in p15: ")) found.pop_back();
      EXPECT_EQ(found, events) << seed << " " << name;
    }
  }
}

TEST(BlameCorpus, ARealFolderSaysWhichPassMergedTheUpdates) {
  const std::string path = testing::CorpusPath("ir/mlp_level3");
  const auto folder = ReadFolder(FileSystem::Local(), path, {});
  ASSERT_THAT(folder, IsOk());
  const NodeFilter filter{.callee = "MakeTuple"};
  const BlameResult result = Blame(FileSystem::Local(), path, *folder, filter);
  ASSERT_GE(result.events.size(), 2);
  EXPECT_EQ(result.events[0].kind, BlameKind::kIntroduced);
  EXPECT_EQ(folder->dumps[result.events[0].dump].path,
            "opt_substep_opt_a_r1_j0_8_updatestate_loads_eliminate_0050.ir");
}

}  // namespace
}  // namespace sightline::ir
