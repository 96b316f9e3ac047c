#include "sightline/ir/compare/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "sightline/ir/folder/folder.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/applied_diff.h"
#include "sightline/tests/ir/corpus.h"
#include "sightline/tests/ir/reported_changes.h"
#include "sightline/tests/ir/small_net.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::Changes;
using testing::Compared;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::SmallNet;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

// x -> MatMul(x, w) -> ReLU -> call branch -> Add(call, MatMul)
SmallNet Net() {
  return {{{"branch", {"v"}, {{"s", "Sigmoid", {"v"}}, {"t", "Tanh", {"s"}}}, "t"},
           {"main",
            {"x", "w"},
            {{"m", "MatMul", {"x", "w"}},
             {"r", "ReLU", {"m"}},
             {"c", "call branch", {"r"}},
             {"a", "Add", {"c", "m"}}},
            "a"}}};
}

// What is said when Net() is edited. Ids, numbers and addresses are others in both.
template <typename Edit>
std::vector<std::string> Edited(const Edit& edit) {
  SmallNet net = Net();
  edit(net);
  return Changes(Compared(Net().Print(1), net.Print(2)));
}

TEST(Diff, IsEmptyWhenOnlyIdsNumbersAndAddressesChanged) {
  EXPECT_NE(Net().Print(1), Net().Print(2));
  EXPECT_THAT(Edited([](SmallNet&) {}), IsEmpty());
}

TEST(Diff, SaysWhichAttributeChanged) {
  EXPECT_THAT(Edited([](SmallNet& net) { net.entry().At("m").attribute = "I64(2)"; }),
              ElementsAre("changed MatMul: attribute I64(1) -> I64(2)"));
}

TEST(Diff, SaysWhichTypeChanged) {
  EXPECT_THAT(
      Edited([](SmallNet& net) { net.entry().At("m").type = "<Tensor[Float16], (2, 4)>"; }),
      ElementsAre(
          "changed MatMul: type of result <Tensor[Float32], (2, 4)> -> <Tensor[Float16], (2, 4)>"));
}

TEST(Diff, SaysWhichInputChanged) {
  EXPECT_THAT(Edited([](SmallNet& net) { net.entry().At("a").inputs[1] = "r"; }),
              ElementsAre("changed Add: input MatMul -> ReLU"));
  EXPECT_THAT(Edited([](SmallNet& net) { net.entry().At("a").inputs[1] = "F32(2)"; }),
              ElementsAre("changed Add: input MatMul -> F32(2)"));
}

TEST(Diff, SeesInputsThatChangedPlaces) {
  EXPECT_THAT(Edited([](SmallNet& net) {
                std::swap(net.entry().At("m").inputs[0], net.entry().At("m").inputs[1]);
              }),
              ElementsAre("changed MatMul: input %x -> %w", "changed MatMul: input %w -> %x"));
}

TEST(Diff, AnotherOperatorInTheSamePlaceIsAChange) {
  EXPECT_THAT(Edited([](SmallNet& net) { net.entry().At("r").op = "GeLU"; }),
              ElementsAre("changed ReLU: callee ReLU -> GeLU"));
}

TEST(Diff, SaysWhatWasAddedAndWhatTakesIt) {
  EXPECT_THAT(Edited([](SmallNet& net) {
                auto& statements = net.entry().statements;
                statements.insert(statements.begin() + 2, {"n", "Neg", {"r"}});
                net.entry().At("c").inputs[0] = "n";
              }),
              UnorderedElementsAre("added Neg", "changed call @branch: input ReLU -> Neg"));
}

TEST(Diff, SaysWhatWasRemovedAndWhatTookIt) {
  EXPECT_THAT(Edited([](SmallNet& net) {
                net.entry().statements.erase(net.entry().statements.begin() + 1);
                net.entry().At("c").inputs[0] = "m";
              }),
              UnorderedElementsAre("removed ReLU", "changed call @branch: input ReLU -> MatMul"));
}

TEST(Diff, SaysWhatStandsInAnotherSubgraph) {
  SmallNet a = Net();
  a.entry().At("r").is_named = true;
  SmallNet b = a;
  auto& branch = b.graphs[0].statements;
  branch.insert(branch.begin(), b.entry().At("r"));
  branch[0].inputs[0] = "v";
  branch[1].inputs[0] = "r";
  b.entry().statements.erase(b.entry().statements.begin() + 1);
  b.entry().At("c").inputs[0] = "m";
  EXPECT_THAT(Changes(Compared(a.Print(1), b.Print(2))),
              UnorderedElementsAre("moved ReLU", "changed ReLU: input MatMul -> %v",
                                   "changed Sigmoid: input %v -> ReLU",
                                   "changed call @branch: input ReLU -> MatMul"));
}

TEST(Diff, SaysWhatStandsInAnotherOrder) {
  SmallNet a = Net();
  a.entry().statements.insert(a.entry().statements.begin() + 1, {"n", "Neg", {"m"}});
  a.entry().At("a").inputs.emplace_back("n");
  SmallNet b = a;
  std::swap(b.entry().statements[1], b.entry().statements[2]);
  const Diff diff = Compared(a.Print(1), b.Print(2));
  EXPECT_THAT(Changes(diff), ElementsAre("reordered ReLU"));
  EXPECT_EQ(CountChanges(diff).reordered, 1);
}

TEST(Diff, SaysWhichParametersAndSubgraphsAreNew) {
  EXPECT_THAT(
      Edited([](SmallNet& net) {
        net.entry().parameters.emplace_back("bias");
        net.graphs.insert(net.graphs.begin(), {"other", {}, {}, "F32(1)"});
        net.entry().At("a").op = "call other";
        net.entry().At("a").inputs = {};
      }),
      UnorderedElementsAre("added @other", "added %bias", "added Return", "added call @other",
                           "removed Add", "changed Return: input Add -> call @other"));
}

TEST(Diff, SeesNamesButNotThoseThatMindSporeMadeUp) {
  EXPECT_THAT(Edited([](SmallNet& net) {
                net.entry().At("m").is_named = true;
                net.entry().At("m").name = "product";
                for (auto& statement : net.entry().statements) {
                  std::replace(statement.inputs.begin(), statement.inputs.end(), std::string("m"),
                               std::string("product"));
                }
              }),
              ElementsAre("changed MatMul: name nothing -> product"));
}

TEST(Diff, SubgraphsOfAnotherOrderAreTheSame) {
  SmallNet net = Net();
  net.graphs.insert(net.graphs.begin(), {"other", {"v"}, {{"n", "Neg", {"v"}}}, "n"});
  net.entry().At("a").inputs.emplace_back("o");
  net.entry().statements.insert(net.entry().statements.begin() + 2, {"o", "call other", {"r"}});
  SmallNet swapped = net;
  std::swap(swapped.graphs[0], swapped.graphs[1]);
  EXPECT_THAT(Changes(Compared(net.Print(1), swapped.Print(2))), IsEmpty());
}

TEST(Diff, SaysWhereNothingTellsElementsApart) {
  SmallNet a = Net();
  SmallNet b = Net();
  for (int i = 0; i < 3; ++i) {
    const std::string name = "u" + std::to_string(i);
    a.entry().statements.push_back({name, "Print", {"r"}});
    if (i < 2) b.entry().statements.push_back({name, "Print", {"r"}});
  }
  const Diff diff = Compared(a.Print(1), b.Print(2));
  EXPECT_THAT(Changes(diff), ElementsAre("removed Print ?"));
  EXPECT_EQ(CountChanges(diff).ambiguous, 1);
}

TEST(Diff, OfGraphsWithNothingInCommonReplacesAll) {
  const SmallNet other = {{{"f", {"q"}, {{"z", "Exp", {"q"}}}, "z"}}};
  const Diff diff = Compared(Net().Print(1), other.Print(2));
  EXPECT_FALSE(diff.equal());
}

// "@13_1_construct_68" with other numbers at both ends: which clone it is, and of what.
std::string OtherGraphName(const std::string& name) {
  std::string out = "@";
  std::size_t at = 1;
  for (std::size_t end = at;
       (end = name.find_first_not_of("0123456789", at)) != std::string::npos && end > at &&
       name[end] == '_';
       at = end + 1)
    out += std::to_string(std::stoul(name.substr(at, end - at)) + 1000) + "_";
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last < at || last == std::string::npos || name[last] != '_' || last + 1 == name.size())
    return out + name.substr(at);
  return out + name.substr(at, last + 1 - at) +
         std::to_string(std::stoul(name.substr(last + 1)) + 1000);
}

// A dump with other ids, addresses and numbers of parameters, each of them consistently.
std::string Renumbered(std::string text) {
  std::string out;
  const std::regex noise(
      "0x[0-9a-f]+|CNode_[0-9]+|unique_id: \"[0-9]+\"|[%:]para[0-9]+_|@[^\\s(),:{}\\[\\]@]+");
  std::map<std::string, std::string> fresh;
  std::mt19937 random(7);
  std::size_t at = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), noise), end; i != end; ++i) {
    const auto begin = static_cast<std::size_t>(i->position());
    out.append(text, at, begin - at);
    const std::string old = i->str();
    std::string& next = fresh[old];
    // Numbers that others had: a name alone does not tell what is what.
    const std::string number = std::to_string(random() % 900);
    if (next.empty() && old[0] == '0') next = "0x7f" + number;
    if (next.empty() && old[0] == 'C') next = "CNode_" + std::to_string(fresh.size());
    if (next.empty() && old[0] == '@') next = OtherGraphName(old);
    if (next.empty() && old.substr(1).starts_with("para"))
      next = old.substr(0, 5) + std::to_string(std::stoul(old.substr(5)) + 700) + "_";
    if (next.empty()) next = "unique_id: \"" + number + "\"";
    out += next;
    at = begin + old.size();
  }
  return out.append(text, at);
}

TEST(Diff, OfARealDumpWithOtherIdsIsEmpty) {
  for (const char* name : {"ir/transformer_level1/20_validate_0074.ir",
                           "ir/control_flow_grad/01_type_inference_0001.ir",
                           "ir/mlp_level1/graph_build_0_0090.ir", "ir/html/20_validate_0542.ir"}) {
    const std::string text = testing::ReadFileOrDie(testing::CorpusPath(name));
    const std::string renumbered = Renumbered(text);
    EXPECT_NE(text, renumbered);
    EXPECT_THAT(Changes(Compared(text, renumbered)), IsEmpty()) << name;
  }
}

// A network of statements that take one or two earlier ones: the last, or one up to `reach` back.
SmallNet RandomNet(std::mt19937& random, int size, unsigned reach) {
  const std::vector<std::string> ops = {"Add", "Mul", "ReLU", "MatMul", "Cast", "Reshape"};
  SmallNet net{{{"main", {"x", "w"}, {}, ""}}};
  for (int i = 0; i < size; ++i) {
    const auto earlier = [&] {
      const auto back = static_cast<int>(random() % 3 == 0 ? 1 + random() % reach : 1);
      return i - back < 0 ? std::string("x") : "s" + std::to_string(i - back);
    };
    net.entry().statements.push_back(
        {"s" + std::to_string(i), ops[random() % ops.size()], {earlier()}});
    if (random() % 2 == 0) net.entry().statements.back().inputs.push_back(earlier());
  }
  net.entry().result = "s" + std::to_string(size - 1);
  return net;
}

// One edit of the i-th statement: of another kind for each `kind`.
void Edit(SmallNet& net, std::size_t i, int kind) {
  auto& statements = net.entry().statements;
  const testing::SmallStatement before = statements[i];
  const auto replace = [&](const std::string& from, const std::string& to, std::size_t begin) {
    for (std::size_t k = begin; k < statements.size(); ++k)
      std::replace(statements[k].inputs.begin(), statements[k].inputs.end(), from, to);
  };
  if (kind == 0) statements[i].attribute = "I64(7)";
  if (kind == 1) statements[i].type = "<Tensor[Float16], (2, 4)>";
  if (kind == 2) statements[i].inputs[0] = statements[i].inputs[0] == "w" ? "x" : "w";
  if (kind == 3) statements[i].op = "Replaced";
  if (kind == 4) {
    replace(before.name, "new_" + before.name, i + 1);
    statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      {"new_" + before.name, "Neg", {before.name}});
  }
  if (kind == 5) {
    replace(before.name, before.inputs[0], i + 1);
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// What is to be reported, found by the names that the dumps do not show.
std::vector<std::string> Expected(const SmallNet& a, const SmallNet& b) {
  std::map<std::string, const testing::SmallStatement*> before;
  std::map<std::string, const testing::SmallStatement*> after;
  for (const auto& statement : a.graphs.back().statements) before[statement.name] = &statement;
  for (const auto& statement : b.graphs.back().statements) after[statement.name] = &statement;
  const auto label = [&](const std::string& name) {
    return before.contains(name)  ? before[name]->op
           : after.contains(name) ? after[name]->op
                                  : "%" + name;
  };
  std::vector<std::string> texts;
  for (const auto& [name, statement] : before)
    if (!after.contains(name)) texts.push_back("removed " + statement->op);
  for (const auto& [name, statement] : after) {
    if (!before.contains(name)) {
      texts.push_back("added " + statement->op);
      continue;
    }
    const testing::SmallStatement& old = *before[name];
    const auto compare = [&](const std::string& what, const std::string& from,
                             const std::string& to) {
      if (from != to) texts.push_back("changed " + old.op + ": " + what + " " + from + " -> " + to);
    };
    compare("callee", old.op, statement->op);
    compare("attribute", old.attribute, statement->attribute);
    compare("type of result", old.type, statement->type);
    for (std::size_t i = 0; i < old.inputs.size(); ++i) {
      if (old.inputs[i] != statement->inputs[i]) {
        texts.push_back("changed " + old.op + ": input " + label(old.inputs[i]) + " -> " +
                        label(statement->inputs[i]));
      }
    }
  }
  return texts;
}

void EditTwenty(SmallNet& net, std::mt19937& random) {
  for (std::size_t i = 20; i-- > 0;) Edit(net, 9 * i + 4, static_cast<int>(random() % 6));
}

TEST(Diff, ReportsTwentyRandomEditsOfOneRunAndNothingElse) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const SmallNet net = RandomNet(random, 200, 20);
    SmallNet edited = net;
    EditTwenty(edited, random);
    const Diff diff = Compared(net.Print(seed), edited.Print(seed));
    EXPECT_THAT(Changes(diff), UnorderedElementsAreArray(Expected(net, edited))) << seed;
  }
}

// Names do not help. Where neighbours are edited too, or are equal, more than one answer is right:
// this network is a chain without either.
TEST(Diff, ReportsTwentyRandomEditsOfAnotherRunAndNothingElse) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    SmallNet net = RandomNet(random, 200, 1);
    for (std::size_t i = 0; i < net.entry().statements.size(); ++i)
      net.entry().statements[i].op += std::to_string(i % 25);
    SmallNet edited = net;
    EditTwenty(edited, random);
    const Diff diff = Compared(net.Print(seed), edited.Print(seed + 1));
    EXPECT_THAT(Changes(diff), UnorderedElementsAreArray(Expected(net, edited))) << seed;
  }
}

// Here neighbours may be equal by chance. Then the diff may report another removed element than
// expected, which is as good an answer; the rest is exact.
TEST(Diff, ReportsOneEditOfAnotherRunWithAsFewChanges) {
  for (const unsigned reach : {1U, 3U, 20U}) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      std::mt19937 random(seed);
      const SmallNet net = RandomNet(random, 60, reach);
      SmallNet edited = net;
      const int kind = static_cast<int>(seed % 6);
      Edit(edited, 5 + random() % 50, kind);
      const Diff diff = Compared(net.Print(seed), edited.Print(seed + 1));
      const DiffCounts counts = CountChanges(diff);
      std::vector<std::string> changes = Changes(diff);
      for (std::string& change : changes)
        if (change.ends_with(" ?")) change.resize(change.size() - 2);
      if (kind < 5) {
        EXPECT_THAT(changes, UnorderedElementsAreArray(Expected(net, edited))) << seed;
      } else {
        EXPECT_EQ(counts.removed, 1) << reach << " " << seed;
        EXPECT_EQ(counts.added, 0) << reach << " " << seed;
      }
    }
  }
}

// Those of the 329 dumps of a compilation at level 3 that changed something; tests/corpus has all.
TEST(Diff, AppliedToADumpGivesTheNextOne) {
  const std::string path = testing::CorpusFolder() + "/mlp_level3";
  const auto folder = ReadFolder(FileSystem::Local(), path, {});
  ASSERT_THAT(folder, IsOk());
  int compared = 0;
  for (const Dump& dump : folder->dumps) {
    if (!dump.before || !dump.changed) continue;
    const std::string& before = folder->dumps[*dump.before].path;
    const auto a = ReadIr(FileSystem::Local(), path + "/" + before);
    const auto b = ReadIr(FileSystem::Local(), path + "/" + dump.path);
    const auto diff = Compare(*a, *b);
    ASSERT_THAT(diff, IsOk());
    EXPECT_FALSE(diff->equal()) << dump.path;
    EXPECT_TRUE(testing::ChangesGiveB(*diff)) << before << " " << dump.path;
    ++compared;
  }
  EXPECT_EQ(compared, 20);
}

}  // namespace
}  // namespace sightline::ir
