// Where a diff might as well be another one, and where it might not.
#include "sightline/ir/compare/alternatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sightline/tests/ir/reported_changes.h"
#include "sightline/tests/ir/small_net.h"

namespace sightline::ir {
namespace {

using ::testing::AllOf;
using testing::Changes;
using testing::Compared;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Lt;
using testing::SmallGraph;
using testing::SmallNet;
using testing::SmallStatement;
using ::testing::UnorderedElementsAre;

// Layers in a row. What a layer is made of is written as statements that take "in"; its last one is
// what the next layer takes.
SmallNet Row(int layers, const std::vector<SmallStatement>& layer) {
  SmallNet net{{{"main", {"x", "w"}, {}, ""}}};
  std::string in = "x";
  for (int i = 0; i < layers; ++i) {
    const std::string end = std::to_string(i);
    for (SmallStatement statement : layer) {
      statement.name += end;
      for (std::string& input : statement.inputs) {
        if (input == "in") {
          input = in;
        } else if (input != "w") {
          input += end;
        }
      }
      net.entry().statements.push_back(statement);
    }
    in = layer.back().name + end;
  }
  net.entry().statements.push_back({"end", "Exp", {in}});
  net.entry().result = "end";
  return net;
}

const std::vector<SmallStatement> kAdd = {{"a", "Add", {"in", "w"}}};
const std::vector<SmallStatement> kDense = {{"m", "MatMul", {"in", "w"}}, {"r", "ReLU", {"m"}}};
const std::vector<SmallStatement> kResidual = {{"m", "MatMul", {"in", "w"}},
                                               {"a", "Add", {"m", "in"}}};

// Without the i-th layer; what took it takes what it took.
SmallNet Without(SmallNet net, const std::vector<SmallStatement>& layer, int i) {
  const std::string gone = layer.back().name + std::to_string(i);
  const std::string before = i == 0 ? "x" : layer.back().name + std::to_string(i - 1);
  for (const SmallStatement& statement : layer) {
    const std::string name = statement.name + std::to_string(i);
    std::erase_if(net.entry().statements, [&](const SmallStatement& s) { return s.name == name; });
  }
  for (SmallStatement& statement : net.entry().statements)
    std::replace(statement.inputs.begin(), statement.inputs.end(), gone, before);
  return net;
}

// Of another run: names do not help.
Diff InTwoRuns(const SmallNet& a, const SmallNet& b) { return Compared(a.Print(1), b.Print(2)); }
Diff InOneRun(const SmallNet& a, const SmallNet& b) { return Compared(a.Print(1), b.Print(1)); }

// Which statements of A were removed.
std::vector<std::uint32_t> Removed(const Diff& diff) {
  std::vector<std::uint32_t> removed;
  for (const Change& change : diff.changes) {
    if (change.kind == ChangeKind::kRemoved)
      removed.push_back(diff.a.elements[change.element].index);
  }
  return removed;
}

std::vector<bool> AmbiguousStatements(const Diff& diff) {
  return {diff.ambiguous.begin() + diff.a.first_node, diff.ambiguous.end()};
}

TEST(Alternatives, OneOfARowOfEqualStatementsIsGoneAndNothingTellsWhich) {
  const Diff diff = InTwoRuns(Row(4, kAdd), Row(3, kAdd));
  EXPECT_THAT(Changes(diff),
              UnorderedElementsAre("removed Add ?", "changed Exp: input Add -> Add"));
  EXPECT_THAT(AmbiguousStatements(diff), ElementsAre(true, true, true, true, false, false));
}

TEST(Alternatives, OneMoreInARowIsAnyOfThem) {
  EXPECT_THAT(Changes(InTwoRuns(Row(3, kAdd), Row(4, kAdd))),
              UnorderedElementsAre("added Add ?", "changed Exp: input Add -> Add"));
}

TEST(Alternatives, AsManyMoreAsThereAreInARow) {
  EXPECT_THAT(Changes(InTwoRuns(Row(2, kAdd), Row(4, kAdd))),
              UnorderedElementsAre("added Add ?", "added Add ?", "changed Exp: input Add -> Add"));
}

TEST(Alternatives, SeveralOfARowAreGone) {
  EXPECT_THAT(Changes(InTwoRuns(Row(6, kAdd), Row(3, kAdd))),
              UnorderedElementsAre("removed Add ?", "removed Add ?", "removed Add ?",
                                   "changed Exp: input Add -> Add"));
}

TEST(Alternatives, ALayerOfARowIsGone) {
  const Diff dense = InTwoRuns(Row(4, kDense), Row(3, kDense));
  EXPECT_THAT(Changes(dense), UnorderedElementsAre("removed MatMul ?", "removed ReLU ?",
                                                   "changed Exp: input ReLU -> ReLU"));
  EXPECT_THAT(AmbiguousStatements(dense),
              ElementsAre(true, true, true, true, true, true, true, true, false, false));
  // Whatever takes a layer's result twice is one change less than it looks.
  EXPECT_THAT(
      Changes(InTwoRuns(Row(4, kResidual), Row(3, kResidual))),
      UnorderedElementsAre("removed MatMul ?", "removed Add ?", "changed Exp: input Add -> Add"));
}

// Each layer is a subgraph with a call of it.
SmallNet RowOfCalls(int layers) {
  SmallNet net;
  SmallGraph main{"main", {"x"}, {}, ""};
  std::string in = "x";
  for (int i = 0; i < layers; ++i) {
    const std::string end = std::to_string(i);
    net.graphs.push_back(
        {"layer_" + end, {"v"}, {{"s", "Sigmoid", {"v"}}, {"t", "Tanh", {"s"}}}, "t"});
    main.statements.push_back({"c" + end, "call layer_" + end, {in}});
    in = "c" + end;
  }
  main.statements.push_back({"end", "Exp", {in}});
  main.result = "end";
  net.graphs.push_back(main);
  return net;
}

TEST(Alternatives, ASubgraphOfARowIsGoneWithAllThatIsInIt) {
  EXPECT_THAT(Changes(InTwoRuns(RowOfCalls(3), RowOfCalls(2))),
              UnorderedElementsAre("removed @layer_# ?", "removed %v ?", "removed Sigmoid ?",
                                   "removed Tanh ?", "removed Return ?", "removed call @layer_# ?",
                                   "changed Exp: input call @layer_# -> call @layer_#"));
}

TEST(Alternatives, WhatIsInASubgraphTells) {
  SmallNet row = RowOfCalls(2);
  row.graphs[1].statements[1].op = "Exp";
  SmallNet without_second = row;
  without_second.graphs.erase(without_second.graphs.begin() + 1);
  without_second.entry().statements.erase(without_second.entry().statements.begin() + 1);
  without_second.entry().At("end").inputs[0] = "c0";
  const Diff diff = InTwoRuns(row, without_second);
  EXPECT_EQ(CountChanges(diff).removed, 6);
  EXPECT_EQ(CountChanges(diff).ambiguous, 0);
}

// ReLU of another type, then three equal ones. Of two that are gone one is the middle one in any
// case.
TEST(Alternatives, WhatIsGoneInAnyCaseIsNotAmbiguous) {
  const std::vector<SmallStatement> relu = {{"r", "ReLU", {"in"}}};
  SmallNet a = Row(4, relu);
  SmallNet b = Row(2, relu);
  a.entry().statements[0].type = b.entry().statements[0].type = "<Tensor[Float32], (2)>";
  const Diff diff = InTwoRuns(a, b);
  EXPECT_THAT(Changes(diff), UnorderedElementsAre("removed ReLU", "removed ReLU ?",
                                                  "changed Exp: input ReLU -> ReLU"));
}

TEST(Alternatives, NamesTellInOneRun) {
  for (int i = 0; i < 4; ++i) {
    const SmallNet row = Row(4, kDense);
    const Diff diff = InOneRun(row, Without(row, kDense, i));
    const auto gone = static_cast<std::uint32_t>(2 * i);
    EXPECT_THAT(Removed(diff), ElementsAre(gone, gone + 1));
    EXPECT_EQ(CountChanges(diff).ambiguous, 0);
  }
}

TEST(Alternatives, ScopesTell) {
  for (int i = 0; i < 4; ++i) {
    SmallNet row = Row(4, kDense);
    for (std::size_t k = 0; k < 8; ++k)
      row.entry().statements[k].scope = "Default/" + std::to_string(k / 2) + "-Dense";
    const Diff diff = InTwoRuns(row, Without(row, kDense, i));
    const auto gone = static_cast<std::uint32_t>(2 * i);
    EXPECT_THAT(Removed(diff), ElementsAre(gone, gone + 1));
    EXPECT_EQ(CountChanges(diff).ambiguous, 0) << i;
  }
}

TEST(Alternatives, AttributesTell) {
  for (int i = 0; i < 4; ++i) {
    SmallNet row = Row(4, kAdd);
    for (std::size_t k = 0; k < 4; ++k)
      row.entry().statements[k].attribute = "I64(" + std::to_string(k) + ")";
    const Diff diff = InTwoRuns(row, Without(row, kAdd, i));
    EXPECT_THAT(Removed(diff), ElementsAre(static_cast<std::uint32_t>(i)));
    EXPECT_EQ(CountChanges(diff).ambiguous, 0) << i;
  }
}

TEST(Alternatives, WhatStandsBetweenTells) {
  // Add ReLU Add Neg Add: the middle one is gone.
  const SmallNet a{{{"main",
                     {"x"},
                     {{"a", "Add", {"x"}},
                      {"b", "ReLU", {"a"}},
                      {"c", "Add", {"b"}},
                      {"d", "Neg", {"c"}},
                      {"e", "Add", {"d"}}},
                     "e"}}};
  SmallNet b = a;
  b.entry().statements.erase(b.entry().statements.begin() + 2);
  b.entry().At("d").inputs[0] = "b";
  const Diff diff = InTwoRuns(a, b);
  EXPECT_THAT(Removed(diff), ElementsAre(2));
  EXPECT_THAT(Changes(diff), UnorderedElementsAre("removed Add", "changed Neg: input Add -> ReLU"));
}

TEST(Alternatives, OtherChangesOfARowAreNotAmbiguous) {
  SmallNet a = Row(4, kAdd);
  SmallNet b = a;
  b.entry().statements[1].attribute = "I64(7)";
  EXPECT_THAT(Changes(InTwoRuns(a, b)), ElementsAre("changed Add: attribute I64(1) -> I64(7)"));
  EXPECT_THAT(Changes(InTwoRuns(a, a)), IsEmpty());
}

// A chain is a word: without one letter it might be without another one just where that is the same
// letter and so are all between them.
TEST(Alternatives, InAChainThoseOfARowAreAmbiguousAndNoOthers) {
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    std::vector<SmallStatement> word;
    for (int i = 0; i < 30; ++i) {
      const std::string before = i == 0 ? "x" : "s" + std::to_string(i - 1);
      const std::vector<std::string> letters = {"Add", "Mul", "Sub"};
      word.push_back({"s" + std::to_string(i), letters[random() % 3], {before, "w"}});
    }
    const SmallNet whole{{{"main", {"x", "w"}, word, "s29"}}};
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t begin = i;
      std::size_t end = i + 1;
      while (begin > 0 && word[begin - 1].op == word[i].op) --begin;
      while (end < word.size() && word[end].op == word[i].op) ++end;
      SmallNet part = whole;
      part.entry().statements.erase(part.entry().statements.begin() +
                                    static_cast<std::ptrdiff_t>(i));
      const std::string before = word[i].inputs[0];
      if (i + 1 < word.size()) {
        part.entry().At(word[i + 1].name).inputs[0] = before;
      } else {
        part.entry().result = before;
      }
      for (const bool is_removed : {true, false}) {
        const Diff diff = is_removed ? InTwoRuns(whole, part) : InTwoRuns(part, whole);
        const DiffCounts counts = CountChanges(diff);
        EXPECT_EQ(counts.removed + counts.added, 1);
        EXPECT_EQ(counts.changed, 1);
        EXPECT_EQ(counts.ambiguous, end - begin > 1 ? 1 : 0) << round << " " << i;
        if (!is_removed) continue;
        EXPECT_THAT(Removed(diff), ElementsAre(AllOf(Ge(begin), Lt(end)))) << round << " " << i;
        const std::vector<bool> ambiguous = AmbiguousStatements(diff);
        for (std::size_t k = 0; k < ambiguous.size(); ++k)
          EXPECT_EQ(ambiguous[k], end - begin > 1 && k >= begin && k < end) << round << " " << k;
      }
    }
  }
}

// Two equal branches of one value that end in different statements; a statement of one is gone.
TEST(Alternatives, AnEqualStatementElsewhereDoesNotMakeItAmbiguous) {
  const SmallNet a{{{"main",
                     {"x", "w"},
                     {{"p1", "Add", {"x", "w"}},
                      {"p2", "ReLU", {"p1"}},
                      {"p3", "Exp", {"p2"}},
                      {"q1", "Add", {"x", "w"}},
                      {"q2", "ReLU", {"q1"}},
                      {"q3", "Log", {"q2"}},
                      {"end", "Concat", {"p3", "q3"}}},
                     "end"}}};
  SmallNet b = a;
  b.entry().statements.erase(b.entry().statements.begin() + 4);
  b.entry().At("q3").inputs[0] = "q1";
  const Diff diff = InTwoRuns(a, b);
  EXPECT_THAT(Removed(diff), ElementsAre(4));
  EXPECT_EQ(CountChanges(diff).ambiguous, 0);
}

}  // namespace
}  // namespace sightline::ir
