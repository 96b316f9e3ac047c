#include "sightline/ir/read/dot_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/read/printer.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// MindSpore's way to draw each kind of box.
std::string NodeBox(const std::string& id, const std::string& name) {
  return "node" + id + R"([fontname="Courier New",shape=plaintext,label=<<table port='core'>
<tr><td port='0'>0</td><td port='1'>1</td></tr>
<tr><td colspan='2' bgcolor='cornsilk'>CNode()" +
         name + ")</td></tr>\n</table>>,]\n";
}
std::string ValueBox(const std::string& id, const std::string& type, const std::string& rows) {
  return "node" + id +
         "[fontname=\"Courier New\",shape=plaintext,label=<<table port='core' cellborder='0' "
         "cellspacing='2' bgcolor='lavender'><tr><td bgcolor='white'>" +
         type + "</td></tr><tr><td>" + rows + "</td></tr></table>>,]\n";
}
std::string Primitive(const std::string& id, const std::string& name,
                      const std::string& attributes = "") {
  return ValueBox(id, "Primitive", name + "</td></tr><tr><td align='left'>" + attributes);
}
std::string ParameterBox(const std::string& id, const std::string& name) {
  return "node" + id + "[fontname=\"Courier New\",shape=octagon,label=\"" + name +
         "\",style=filled,fillcolor=paleturquoise,]\n";
}
std::string SubgraphBox(const std::string& id, const std::string& name,
                        const std::string& cluster) {
  return "node" + id + "[fontname=\"Courier New\",shape=oval,label=\"" + name +
         "[_anonymous_]\",style=filled,fillcolor=palegreen,URL=\"#cluster_" + cluster + "\",]\n";
}
std::string Cluster(const std::string& address, const std::string& boxes,
                    const std::string& parameters) {
  return "subgraph cluster_" + address + "{\nid=cluster_" + address +
         "\nlabel=\"_anonymous_[managed]\"\nfontname=\"Courier New\"\n" + boxes + "parameters_" +
         address +
         "[shape=plaintext label=<<table bgcolor='paleturquoise' cellspacing='0' "
         "cellborder='1' border='0'><tr><td>parameters</td></tr>" +
         parameters + "</table>>,];}\n";
}
std::string Edge(const std::string& from, const std::string& to) {
  return "node" + from + "->node" + to + "[arrowhead=vee,]\n";
}
std::string Dot(const std::string& clusters, const std::string& edges) {
  return "digraph mindspore {\ncompound=true\n" + clusters + edges + "}\n";
}

std::vector<std::string> Statements(const Module& module) {
  std::vector<std::string> statements;
  const std::string text = PrintIr(module);
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) {
    const std::size_t end = text.find('\n', at + 1);
    statements.push_back(text.substr(at + 3, end - at - 3));
    at = end;
  }
  return statements;
}

TEST(DotReader, ReadsNodesOperandsAndAttributes) {
  const Module module = ParseDot(Dot(
      Cluster("0x1",
              NodeBox("0xa_0", "CNode_2") + NodeBox("0xb_0", "CNode_1") +
                  Primitive("0xc_0", "Return") +
                  Primitive("0xd_1", "Add",
                            "instance name: add<br/></td></tr><tr><td "
                            "align='left'>axis 1<br/>name two words") +
                  ParameterBox("0xe_2", "x") + ValueBox("0xf_3", "Int64Imm", "7") +
                  ValueBox("0x10_4", "BoolImm", "true") + ValueBox("0x11_5", "UMonad", "U"),
              "<tr><td>x[2,3,]</td></tr><tr><td>y</td></tr>"),
      Edge("0xc_0:core", "0xa_0:0") + Edge("0xb_0:core", "0xa_0:1") +
          Edge("0xd_1:core", "0xb_0:0") + Edge("0xf_3:core", "0xb_0:2") + Edge("0xe_2", "0xb_0:1") +
          Edge("0x10_4:core", "0xb_0:3") + Edge("0x11_5:core", "0xb_0:4")));
  EXPECT_EQ(module.problem_count, 0);
  EXPECT_EQ(module.header.parameters.size, 2);
  EXPECT_EQ(module.texts[module.parameters[0].name], "x");
  EXPECT_EQ(module.texts[module.subgraphs[0].instance], "0x1");
  EXPECT_THAT(
      Statements(module),
      ElementsAre("%0(CNode_1) = Add(%para1_x, I64(7), Bool(1), UMonad[U]) primitive_attrs: "
                  "{instance name: add, axis: 1, name: two words}",
                  "Return(%0)"));
}

TEST(DotReader, ReadsCallsClosuresAndValuesOfOtherSubgraphs) {
  const std::string g = Cluster("0x2",
                                NodeBox("0x20_0", "g_return") + NodeBox("0x21_0", "inner") +
                                    Primitive("0x22_0", "Return") + ParameterBox("0x40_1", "x"),
                                "<tr><td>y</td></tr>");
  const std::string f = Cluster(
      "0x1",
      NodeBox("0x10_0", "f_return") + NodeBox("0x11_0", "call") + NodeBox("0x12_0", "make") +
          Primitive("0x13_2", "Return") + Primitive("0x14_3", "Partial") +
          SubgraphBox("0x15_4", "g_1", "0x2") + ParameterBox("0x40_5", "x"),
      "<tr><td>x</td></tr>");
  const Module module =
      ParseDot(Dot(g + f, Edge("0x22_0:core", "0x20_0:0") + Edge("0x21_0:core", "0x20_0:1") +
                              Edge("0x40_1", "0x21_0:0") + Edge("0x12_0:core", "0x21_0:1") +
                              Edge("0x13_2:core", "0x10_0:0") + Edge("0x11_0:core", "0x10_0:1") +
                              Edge("0x12_0:core", "0x11_0:0") + Edge("0x14_3:core", "0x12_0:0") +
                              Edge("0x15_4", "0x12_0:1") +
                              "node0x15_4->node0x20_0[lhead=cluster_0x2,dir=both]\n"));
  EXPECT_EQ(module.problem_count, 0);
  ASSERT_EQ(module.subgraphs.size(), 2);
  EXPECT_EQ(module.texts[module.subgraphs[0].name], "g_1");
  EXPECT_EQ(module.texts[module.header.entry], "_anonymous_");
  EXPECT_THAT(Statements(module),
              ElementsAre("%0(inner) = x($(@_anonymous_:make))", "Return(%0)",
                          "%0(make) = Partial(@g_1)", "%1(call) = %0()", "Return(%1)"));
}

// ModelDigraph_N.dot: operators in the boxes of nodes, which have no names.
TEST(DotReader, ReadsOperatorsInTheBoxesOfNodes) {
  const auto box = [](const std::string& id, const std::string& rows) {
    return "node" + id +
           "[fontname=\"Courier New\",shape=plaintext,label=<<table port='core'>\n<tr><td "
           "port='0'>0</td></tr>\n<tr><td colspan='1' bgcolor='cornsilk'>" +
           rows + "CNode</td></tr>\n</table>>,]\n";
  };
  const Module module =
      ParseDot(Dot(Cluster("0x1",
                           box("0xa_0", "Return") +
                               box("0xb_0", "Depend</td></tr>\n<tr><td colspan='2'>side 1") +
                               ParameterBox("0xe_2", "x"),
                           "<tr><td>x[2,3,]</td></tr>"),
                   Edge("0xb_0:core", "0xa_0:0") + Edge("0xe_2", "0xb_0:0")));
  EXPECT_EQ(module.problem_count, 0);
  EXPECT_THAT(Statements(module),
              ElementsAre("%0() = Depend(%para1_x) primitive_attrs: {side: 1}", "Return(%0)"));
}

// graphviz rejects what MindSpore writes here.
TEST(DotReader, ReadsValuesWithTagsQuotesAndNewlines) {
  const Module module = ParseDot(
      Dot(Cluster("0x1",
                  NodeBox("0xa_0", "CNode_1") + Primitive("0xc_0", "F") +
                      ValueBox("0xf_1", "StringImm", "a<b & \"c\">\nnode0x9_1[d</td></tr></table>"),
                  ""),
          Edge("0xc_0:core", "0xa_0:0") + Edge("0xf_1:core", "0xa_0:1")));
  EXPECT_EQ(module.problem_count, 0);
  ASSERT_EQ(module.nodes.size(), 1);
  EXPECT_EQ(module.texts[TextId{module.operands[0].index}],
            "\"a<b & \"c\">\nnode0x9_1[d</td></tr></table>\"");
}

TEST(DotReader, NamesDamageAndReadsTheRest) {
  const Module module =
      ParseDot(Dot(Cluster("0x1",
                           NodeBox("0xa_0", "CNode_1") + "nonsense\n" +
                               NodeBox("0xb_0", "CNode_2") + ParameterBox("0xe_1", "nobody"),
                           ""),
                   Edge("0x99_0:core", "0xa_0:0") + Edge("0xb_0:core", "0xa_0:1") +
                       Edge("0xa_0:core", "0xb_0:1") + Edge("0xe_1", "0xb_0:2")));
  EXPECT_EQ(module.nodes.size(), 2);
  ASSERT_EQ(module.problem_count, 4);
  EXPECT_EQ(module.problems[0].line, 11);
  EXPECT_THAT(module.problems[0].message, HasSubstr("not a line of MindSpore's .dot"));
  EXPECT_THAT(module.problems[2].message, HasSubstr("the node takes a result that depends on it"));
  EXPECT_THAT(module.problems[3].message, HasSubstr("no subgraph has a parameter nobody"));
}

TEST(DotReader, ReadsAFileThatIsCutAnywhere) {
  const std::string text =
      Dot(Cluster("0x1", NodeBox("0xa_0", "CNode_1") + Primitive("0xc_0", "Return"),
                  "<tr><td>x</td></tr>"),
          Edge("0xc_0:core", "0xa_0:0"));
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_LE(ParseDot(text.substr(0, size)).nodes.size(), 1);
}

TEST(DotReader, RefusesATableOfParametersThatEndsBeforeItBegins) {
  const Module module =
      ParseDot("subgraph cluster_0x1{\nparameters_</table>>,];}<tr><td>parameters</td></tr>x\n");
  EXPECT_EQ(module.problem_count, 1);
  EXPECT_EQ(module.subgraphs.size(), 1);
}

TEST(DotReader, OfNothingIsEmpty) {
  const Module module = ParseDot("");
  EXPECT_EQ(module.problem_count, 0);
  EXPECT_THAT(module.nodes, IsEmpty());
}

}  // namespace
}  // namespace sightline::ir
