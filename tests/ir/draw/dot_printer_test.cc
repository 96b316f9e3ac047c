#include "sightline/ir/draw/dot_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/support/graphviz.h"

namespace sightline::ir {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LayOut;
using testing::Layout;
using ::testing::Not;

// A drawing without boxes.
Drawing Empty() {
  Drawing drawing;
  drawing.title = "net";
  drawing.clusters.emplace_back();
  return drawing;
}

// Boxes of these titles, on top.
Drawing Boxes(const std::vector<std::string>& titles) {
  Drawing drawing = Empty();
  for (const std::string& title : titles) {
    Box box;
    box.title = title;
    box.nodes = 1;
    drawing.boxes.push_back(box);
  }
  drawing.nodes = static_cast<std::uint32_t>(titles.size());
  return drawing;
}

Drawing WithEdge(Drawing drawing, std::uint32_t from, std::uint32_t to, const std::string& type) {
  drawing.edges.push_back({from, to, EdgeKind::kData, 1, type, true, kNoIndex});
  return drawing;
}

void ExpectLaidOut(const Layout& layout) {
  EXPECT_EQ(layout.exit_code, 0);
  EXPECT_THAT(layout.messages, IsEmpty());
  EXPECT_THAT(layout.svg, HasSubstr("</svg>"));
}

TEST(DotPrinter, ABoxHasTheOperatorInItsLabel) {
  const std::string dot = PrintDot(Boxes({"MatMul"}));
  EXPECT_THAT(dot, HasSubstr("n0 [label=<<b>MatMul</b>>"));
  ExpectLaidOut(LayOut(dot));
}

TEST(DotPrinter, ATypeStandsAtTheTailOfItsEdge) {
  const std::string dot = PrintDot(WithEdge(Boxes({"a", "b"}), 0, 1, "Float32 (2, 4)"));
  EXPECT_THAT(dot, AllOf(HasSubstr("taillabel=\"Float32 (2, 4)\" labeldistance"),
                         Not(HasSubstr("[label=\"Float32"))));
}

TEST(DotPrinter, AValueOfSeveralUsersIsLabelledOnce) {
  const Drawing drawing = WithEdge(WithEdge(Boxes({"a", "b", "c"}), 0, 1, "Int64"), 0, 2, "Int64");
  const std::string dot = PrintDot(drawing);
  EXPECT_EQ(dot.find("taillabel"), dot.rfind("taillabel"));
}

TEST(DotPrinter, ARepeatedBlockSaysHowOften) {
  Drawing drawing = Boxes({"0-Block"});
  drawing.boxes[0].copies = 12;
  EXPECT_THAT(PrintDot(drawing), HasSubstr("<b>0-Block</b> × 12"));
}

TEST(DotPrinter, ADrawingWithoutBoxesIsLaidOut) { ExpectLaidOut(LayOut(PrintDot(Empty()))); }

// Scopes and subgraphs are clusters within each other; types within them do not make graphviz fail.
TEST(DotPrinter, BoxesStandInTheirClusters) {
  Drawing drawing = WithEdge(WithEdge(Boxes({"a", "b", "c"}), 0, 1, "Int64"), 1, 2, "Int32");
  drawing.clusters.push_back({0, false, 1, "outer"});
  drawing.clusters.push_back({1, true, 1, "inner"});
  drawing.boxes[1].cluster = 1;
  drawing.boxes[2].cluster = 2;
  const std::string dot = PrintDot(drawing);
  const std::size_t outer = dot.find("subgraph cluster_1 {");
  const std::size_t inner = dot.find("subgraph cluster_2 {");
  EXPECT_LT(dot.find("  n0 ["), outer);
  EXPECT_LT(outer, dot.find("  n1 ["));
  EXPECT_LT(dot.find("  n1 ["), inner);
  EXPECT_LT(inner, dot.find("  n2 ["));
  ExpectLaidOut(LayOut(dot));
}

TEST(DotPrinter, ACallEndsAtTheClusterOfItsSubgraph) {
  Drawing drawing = Boxes({"call @g", "Return"});
  drawing.clusters.push_back({0, true, 1, "@g"});
  drawing.boxes[1].cluster = 1;
  drawing.edges.push_back({0, 1, EdgeKind::kCall, 1, "", true, 1});
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, HasSubstr("lhead=cluster_1"));
  ExpectLaidOut(LayOut(dot));
}

// Each of a chain of boxes; the values of the first half are taken in reverse by the second.
Drawing ForwardAndBackward(std::uint32_t count) {
  Drawing drawing = Boxes(std::vector<std::string>(count, "Add"));
  for (std::uint32_t i = 1; i < count; ++i) drawing = WithEdge(std::move(drawing), i - 1, i, "");
  for (std::uint32_t i = 0; i < count / 2; ++i)
    drawing = WithEdge(std::move(drawing), i, count - 1 - i, "");
  return drawing;
}

// Graphviz would look for the best layout for minutes.
TEST(DotPrinter, GraphvizLooksForALayoutOnlySoLong) {
  EXPECT_THAT(PrintDot(Boxes({"Add"})), HasSubstr("nslimit=2"));
  ExpectLaidOut(LayOut(PrintDot(ForwardAndBackward(100))));
}

// Each of 30 boxes takes the values of 30 others.
TEST(DotPrinter, ManyEdgesAreLaidOutLessCarefully) {
  Drawing drawing = Boxes(std::vector<std::string>(60, "Add"));
  for (std::uint32_t from = 0; from < 30; ++from) {
    for (std::uint32_t to = 30; to < 60; ++to) drawing = WithEdge(std::move(drawing), from, to, "");
  }
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, AllOf(HasSubstr("mclimit"), Not(HasSubstr("layout"))));
  ExpectLaidOut(LayOut(dot));
}

// A box whose value all others take, which are a chain.
TEST(DotPrinter, WhereEdgesPassManyRowsBoxesArePlacedByForces) {
  Drawing drawing = Boxes(std::vector<std::string>(110, "Add"));
  for (std::uint32_t i = 1; i < 110; ++i) {
    drawing = WithEdge(std::move(drawing), i - 1, i, "Int64");
    if (i > 1) drawing = WithEdge(std::move(drawing), 0, i, "Int64");
  }
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, HasSubstr("layout=fdp"));
  ExpectLaidOut(LayOut(dot));
  EXPECT_THAT(PrintDot(ForwardAndBackward(100)), Not(HasSubstr("layout")));
}

// In a circle there is no first row.
TEST(DotPrinter, BoxesThatTakeEachOtherAreLaidOut) {
  ExpectLaidOut(LayOut(PrintDot(WithEdge(
      WithEdge(WithEdge(Boxes({"a", "b", "c"}), 0, 1, "Int64"), 1, 0, "Int64"), 1, 2, "Int64"))));
}

// A type is printed on the left of its edge, which leaves downwards.
TEST(DotPrinter, AnEdgeWithinAClusterLeavesBelowAndComesInAbove) {
  Drawing drawing = WithEdge(WithEdge(Boxes({"a", "b", "c"}), 0, 1, ""), 1, 2, "");
  drawing.clusters.push_back({0, false, 1, "scope"});
  drawing.boxes[2].cluster = 1;
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, HasSubstr("n0 -> n1 [tailport=s headport=n]"));
  EXPECT_THAT(dot, HasSubstr("n1 -> n2 [color"));
}

TEST(DotPrinter, TheColoursOfTheBoxesAreExplained) {
  Drawing drawing = Boxes({"MatMul", "0-Block"});
  drawing.boxes[0].operator_kind = OperatorKind::kMatrix;
  drawing.boxes[1].kind = BoxKind::kGroup;
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, AllOf(HasSubstr(">matrix products<"), HasSubstr(">several nodes<")));
  EXPECT_THAT(dot, Not(HasSubstr(">control<")));
  EXPECT_THAT(PrintDot(Boxes({"Add"})), Not(HasSubstr(">arithmetic<")));
  ExpectLaidOut(LayOut(dot));
}

// Where a subgraph calls itself graphviz could not end the edge at the cluster, and would warn.
TEST(DotPrinter, ACallFromWithinEndsAtABox) {
  Drawing drawing = Boxes({"call @g", "Return"});
  drawing.clusters.push_back({0, true, 1, "@g"});
  drawing.boxes[0].cluster = drawing.boxes[1].cluster = 1;
  drawing.edges.push_back({0, 1, EdgeKind::kCall, 1, "", true, 1});
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, Not(HasSubstr("lhead")));
  ExpectLaidOut(LayOut(dot));
}

// Texts that mean something to graphviz, to its HTML-like labels, to XML or to UTF-8.
class HostileTextTest : public ::testing::TestWithParam<std::string> {};

TEST_P(HostileTextTest, IsLaidOutWhereverItStands) {
  Drawing drawing = WithEdge(Boxes({GetParam(), "b"}), 0, 1, GetParam());
  drawing.title = drawing.subtitle = GetParam();
  drawing.clusters.push_back({0, false, 1, GetParam()});
  drawing.boxes[1].cluster = 1;
  drawing.boxes[1].rows = {GetParam(), GetParam()};
  drawing.boxes[1].tooltip = GetParam();
  ExpectLaidOut(LayOut(PrintDot(drawing)));
}

INSTANTIATE_TEST_SUITE_P(DotPrinter, HostileTextTest,
                         ::testing::Values("a<b & c>d", "<tag>", "</b></font>", "&",
                                           "&amp; &lt; &#0; &nosuch;", "say \"hello\"", "'",
                                           "back\\slash", "ends in \\", "\\N \\G \\l", "two\nlines",
                                           "\r\n\t", std::string("nul\0inside", 10), "\x01\x1f\x7f",
                                           "\xc2\x80\xc2\x9f", "\xff\xfe cut \xe2\x82",
                                           "\xed\xa0\x80", "\xef\xbf\xbe\xef\xbf\xbf", "]]>", "-->",
                                           "{a|b}", "%%", "▸9_↵✓", "数据", "\xf0\x9f\x98\x80", "",
                                           " ", std::string(5000, 'x')));

TEST(DotPrinter, HostileTextIsShownAsItIs) {
  const Layout layout = LayOut(PrintDot(Boxes({R"(a<b & "c" \N &lt;)"})));
  EXPECT_THAT(layout.svg, HasSubstr(R"(a&lt;b &amp; &quot;c&quot; \N &amp;lt;)"));
}

TEST(DotPrinter, HostileTextIsShownAsItIsAtAnEdgeAndInATooltip) {
  const std::string text = R"(a<b & "c" \N &lt;)";
  Drawing drawing = WithEdge(Boxes({"a", "b"}), 0, 1, text);
  drawing.boxes[0].tooltip = text;
  const std::string dot = PrintDot(drawing);
  EXPECT_THAT(dot, HasSubstr(R"(taillabel="a<b &amp; \"c\" \\N &amp;lt;")"));
  EXPECT_THAT(dot, HasSubstr(R"(tooltip="a<b &amp; \"c\" \\\\N &amp;lt;")"));
  const Layout layout = LayOut(dot);
  ExpectLaidOut(layout);
  EXPECT_THAT(layout.svg, HasSubstr(R"(>a&lt;b &amp; &quot;c&quot; \N &)"));
}

TEST(DotPrinter, ControlCharactersAreShownAsCWritesThem) {
  EXPECT_THAT(LayOut(PrintDot(Boxes({"a\nb\x01"}))).svg, HasSubstr(">a\\nb\\x01<"));
}

}  // namespace
}  // namespace sightline::ir
