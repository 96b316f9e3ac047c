#include "sightline/ir/query/sorted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using testing::GraphMeaning;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsStatus;
using ::testing::Not;
using testing::ReadFileOrDie;

Module Read(const std::string& text) {
  Result<Module> module = ParseIr(text);
  EXPECT_TRUE(module) << module.error().ToString();
  EXPECT_EQ(module->problem_count, 0) << module->problems.front().message;
  return module ? *std::move(module) : Module();
}

std::string Sorted(const std::string& text) {
  const Result<Module> sorted = SortedForm(Read(text));
  EXPECT_TRUE(sorted) << sorted.error().ToString();
  return sorted ? PrintIr(*sorted) : "";
}

// Of ordinary dumps with these subgraphs.
std::string Dump(const std::string& subgraphs) {
  return "# IR entry: @main\n# Total subgraphs: 9\n\n# Total params: 2\n# Params:\n"
         "%para1_x: <Int64, NoShape>\n%para2_w: <Int64, NoShape>  :  has_default\n\n"
         "Node counting information:\nTotal number of nodes: 9\n\n" +
         subgraphs;
}

std::string Graph(const std::string& signature, const std::string& body) {
  return "subgraph attr:\nsubgraph instance: " +
         signature.substr(0, signature.find_first_of(" (")) + " : 0x55d0\n\nsubgraph @" +
         signature + " {\n" + body + "}\n\n\n";
}

// The lines that begin with this, without it.
std::vector<std::string> LinesWith(const std::string& text, std::string_view prefix) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(prefix)) lines.push_back(line.substr(prefix.size()));
  return lines;
}

// Puts aside numbers, addresses, and the source lines that a statement has twice.
std::string Comparable(const std::string& text) {
  std::string out;
  std::set<std::string> locations;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("      # In file")) {
      locations.clear();
    } else if (!locations.insert(line).second) {
      continue;
    }
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t hex = line.compare(at, 2, "0x") == 0
                                  ? line.find_first_not_of("0123456789abcdef", at + 2)
                                  : std::string::npos;
      if (line.compare(at, 2, "0x") == 0) {
        out += "0x";
        at = std::min(hex, line.size());
      } else if (line[at] < '0' || line[at] > '9') {
        out += line[at++];
      } else {
        out += '#';
        at = std::min(line.find_first_not_of("0123456789", at), line.size());
      }
    }
    out += '\n';
  }
  return out;
}

TEST(SortedForm, IsThatOfMindSporeForTheSameNetwork) {
  const std::string folder = testing::CorpusPath("ir/control_flow_grad");
  for (const std::string name :
       {"/00_bootstrap_0000.ir", "/01_type_inference_0001.ir", "/20_validate_0077.ir"}) {
    const std::string sorted = Comparable(Sorted(ReadFileOrDie(folder + name)));
    EXPECT_TRUE(sorted == Comparable(ReadFileOrDie(folder + "_sorted" + name))) << name;
  }
}

TEST(SortedForm, OfASortedDumpIsTheDump) {
  for (const std::string name :
       {"/00_bootstrap_0000.ir", "/01_type_inference_0001.ir", "/20_validate_0077.ir"}) {
    const std::string text =
        ReadFileOrDie(testing::CorpusPath("ir/control_flow_grad_sorted") + name);
    EXPECT_TRUE(Sorted(text) == text) << name;
  }
}

TEST(SortedForm, PrintsCallersFirst) {
  const std::string sorted = Sorted(Dump(
      Graph("inner(%para3_a)", "  Return(%para3_a)\n") + Graph("alone()", "  Return(I64(1))\n") +
      Graph("outer(%para4_b)", "  %0(c) = call @inner(%para4_b)\n  Return(%0)\n") +
      Graph("main()", "  %0(c) = call @outer(%para1_x)\n  Return(%0)\n")));
  EXPECT_THAT(LinesWith(sorted, "subgraph @"),
              ElementsAre("main() {", "outer(%para3_b) {", "inner(%para3_a) {", "alone() {"));
  EXPECT_THAT(sorted, HasSubstr("# Total subgraph: 4\n\n# attrs: \n# Total params: 2\n"));
  EXPECT_THAT(sorted, Not(HasSubstr("Node counting")));
}

TEST(SortedForm, GivesTheEntryItsTypesOfParameters) {
  const std::string sorted = Sorted(Dump(Graph("main()", "  Return(%para1_x)\n")));
  EXPECT_THAT(LinesWith(sorted, "# Parameters: "),
              ElementsAre("2, (<Int64, NoShape>, <Int64, NoShape>)"));
}

TEST(SortedForm, RepeatsAStatementWhereAnotherSubgraphUsesIt) {
  const std::string sorted =
      Sorted(Dump(Graph("inner parent: [subgraph @main](%para3_a)",
                        "  %0(sum) = Add($(@main:twice), %para3_a)\n  Return(%0)\n") +
                  Graph("main()",
                        "  %0(twice) = Add(%para1_x, %para1_x)\n"
                        "  %1(c) = call @inner(%0)\n  Return(%1)\n")));
  EXPECT_THAT(LinesWith(sorted, "  %"),
              ElementsAre("0(twice) = Add(%para1_x, %para1_x)", "1(c) = call @inner(%0)",
                          "0(twice) = Add(%para1_x, %para1_x)", "1(sum) = Add(%0, %para3_a)"));
}

// "%para3_a" of inner's own would be read in place of main's.
TEST(SortedForm, NamesAParameterBySubgraphWhereItsNameMeansAnother) {
  const std::string text =
      Dump(Graph("inner parent: [subgraph @outer](%para3_a)",
                 "  %0(sum) = Add($(@outer:twice), %para3_a)\n  Return(%0)\n") +
           Graph("outer(%para4_a)",
                 "  %0(twice) = Add(%para4_a, %para4_a)\n"
                 "  %1(c) = call @inner(%0)\n  Return(%1)\n") +
           Graph("main()", "  %0(c) = call @outer(%para1_x)\n  Return(%0)\n"));
  const std::string sorted = Sorted(text);
  EXPECT_THAT(sorted, HasSubstr("(twice) = Add($(@outer:para3_a), $(@outer:para3_a))"));
  EXPECT_EQ(GraphMeaning(Read(sorted)).results(), GraphMeaning(Read(text)).results());
}

// In outer the parameter has another name than in its list; in inner its number is that of c.
TEST(SortedForm, NamesAParameterAsItsListDoesWhereItsNumberMeansAnother) {
  const std::string text =
      Dump(Graph("inner parent: [subgraph @outer](%para3_c)",
                 "  %0(sum) = Add($(@outer:twice), %para3_c)\n  Return(%0)\n") +
           Graph("outer(%para4_a)",
                 "  %0(twice) = Add(%para4_b, %para4_b)\n"
                 "  %1(c) = call @inner(%0)\n  Return(%1)\n") +
           Graph("main()", "  %0(c) = call @outer(%para1_x)\n  Return(%0)\n"));
  const std::string sorted = Sorted(text);
  EXPECT_THAT(LinesWith(sorted, "  %0(twice) = "),
              ElementsAre("Add(%para3_b, %para3_b)", "Add(%para3_a, %para3_a)"));
  EXPECT_EQ(GraphMeaning(Read(sorted)).results(), GraphMeaning(Read(text)).results());
}

TEST(SortedForm, KeepsWhatNoReturnNeeds) {
  const std::string sorted =
      Sorted(Dump(Graph("main()",
                        "  %0(idle) = Print(%para1_x)\n  %1(more) = Print(%0)\n"
                        "  Return(%para1_x)\n")));
  EXPECT_THAT(LinesWith(sorted, "  "), ElementsAre("%0(idle) = Print(%para1_x)",
                                                   "%1(more) = Print(%0)", "Return(%para1_x)"));
}

TEST(SortedForm, CallsThroughAFunctionValueGetTheScopeOfIt) {
  const std::string notes = "      # Fullname with scope: (";
  const std::string sorted =
      Sorted(Dump(Graph("main()", "  %0(f) = Switch(%para1_x, @main, @main)\n" + notes +
                                      "Default/net/Switch-op1)\n  %1(c) = %0()\n" + notes +
                                      "18)\n  Return(%1)\n" + notes + "Default/Return-op0)\n")));
  EXPECT_THAT(LinesWith(sorted, "      # Scope: "),
              ElementsAre("(Default/net)", "(Default/net)", "(Default)"));
}

TEST(SortedForm, StatementsInACircleAreNamed) {
  const std::string sorted =
      Sorted(Dump(Graph("inner parent: [subgraph @main]()",
                        "  %0(a) = Add($(@main:b), I64(1))\n  Return(%0)\n") +
                  Graph("main()", "  %0(b) = Add($(@inner:a), I64(2))\n  Return(%0)\n")));
  EXPECT_THAT(LinesWith(sorted, "  %"),
              ElementsAre("0(a) = Add($(@main:b), I64(1))", "1(b) = Add(%0, I64(2))",
                          "0(b) = Add($(@inner:a), I64(2))", "1(a) = Add(%0, I64(1))"));
}

TEST(SortedForm, IsRefusedWhereItWouldBeManyTimesTheGraph) {
  std::string chain = "  %0(n0) = Add(%para1_x)\n";
  for (int i = 1; i < 200; ++i) {
    chain += "  %" + std::to_string(i) + "(n" + std::to_string(i) + ") = Add(%" +
             std::to_string(i - 1) + ")\n";
  }
  std::string users;
  for (int i = 0; i < 40; ++i) {
    users +=
        Graph("f" + std::to_string(i) + " parent: [subgraph @main]()", "  Return($(@main:n199))\n");
  }
  const auto sorted = SortedForm(Read(Dump(users + Graph("main()", chain + "  Return(%199)\n"))));
  ASSERT_FALSE(sorted);
  EXPECT_THAT(sorted.error(), IsStatus(StatusCode::kResourceExhausted, "16 times"));
}

TEST(SortedForm, CompileErrorsHaveNone) {
  const Result<Module> module =
      ParseIr(ReadFileOrDie(testing::CorpusPath("ir/compile_error/rank_0/om/analyze_fail.ir")));
  ASSERT_TRUE(module);
  EXPECT_THAT(SortedForm(*module).error(), IsStatus(StatusCode::kUnimplemented, "compile errors"));
}

TEST(SortedForm, OfNothingIsAHeader) {
  EXPECT_THAT(LinesWith(Sorted(""), "# IR entry"), Not(IsEmpty()));
}

}  // namespace
}  // namespace sightline::ir
