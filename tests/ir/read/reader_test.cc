#include "sightline/ir/read/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/printer.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsStatus;

constexpr char kHeader[] = R"(# IR entry: @main_1
# Total subgraphs: 1

# Attrs:
has_shard: 0
phase: 

# Total params: 2
# Params:
%para1_x: <Tensor[Float32], (2, 4)> : [2, 4]
%para2_w: <Ref[Tensor[Float32]], (4), ref_key=w, is_parameter>  :  has_default

)";
constexpr char kBegin[] = R"(subgraph attr:
core: 1
subgraph instance: main_1 : 0x55bca89fc3b0
# In file /net.py:1~3/def f(x):/
subgraph @main_1() {
)";
constexpr char kAdd[] =
    R"(  %0(CNode_1) = PrimFunc_Add(%para1_x, %para2_w) cnode_attrs: {checkpoint: Bool(1)}
      : (<Tensor[Float32], (2, 4)>, <Tensor[Float32], (4)>) -> (<Tensor[Float32], (2, 4)>)
      # Fullname with scope: (Default/Add-op0)
      # In file /net.py:2, 4~9/    x + w/
)";
constexpr char kMul[] = R"(  %1(CNode_2) = PrimFunc_Mul(%0, F32(2.5)) {instance name: mul}
      : (<Tensor[Float32], (2, 4)>, <Float32, NoShape>) -> (<Tensor[Float32], (2, 4)>)
      # Fullname with scope: (Default/Mul-op0)
)";
constexpr char kReturn[] = R"(  Return(%1)
      : (<Tensor[Float32], (2, 4)>)
      # Fullname with scope: (Default/Return-op0)
)";
constexpr char kEnd[] = "}\n\n\n";

class ReaderTest : public ::testing::Test {
 protected:
  // Reads, and checks what holds for any bytes: printed, they are the same.
  const Module& Read(const std::string& text) {
    Result<Module> module = ParseIr(text);
    EXPECT_TRUE(module) << module.error().ToString();
    module_ = *std::move(module);
    EXPECT_EQ(PrintIr(module_), text);
    return module_;
  }
  // One subgraph of these statements.
  const Module& ReadBody(const std::string& body) { return Read(kHeader + (kBegin + body) + kEnd); }

  std::vector<std::string> Operands(std::size_t node) {
    std::vector<std::string> operands;
    const Range range = module_.nodes.at(node).operands;
    for (std::uint32_t i = range.begin; i < range.end(); ++i) {
      const Operand& operand = module_.operands[i];
      operands.push_back(operand.kind == OperandKind::kNode
                             ? "%" + std::to_string(operand.index)
                             : std::string(module_.texts[TextId{operand.index}]));
    }
    return operands;
  }
  std::vector<std::string> Problems() {
    std::vector<std::string> problems;
    for (const Problem& problem : module_.problems) {
      problems.push_back(std::to_string(problem.line) + ":" + std::to_string(problem.column) +
                         ": " + problem.message);
    }
    return problems;
  }
  // The 1-based number of the line that begins with `text`.
  static std::string LineOf(const std::string& file, const std::string& text) {
    const auto at = static_cast<std::ptrdiff_t>(file.find("\n" + text)) + 1;
    return std::to_string(std::count(file.begin(), file.begin() + at, '\n') + 1);
  }

  Module module_;
};

TEST_F(ReaderTest, ReadsHeaderSubgraphAndStatements) {
  const Module& module = ReadBody(std::string(kAdd) + kMul + kReturn);
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_EQ(module.texts[module.header.entry], "main_1");
  EXPECT_EQ(module.header.attributes.size, 2);
  ASSERT_EQ(module.header.parameters.size, 2);
  EXPECT_EQ(module.texts[module.parameters[0].shape], "[2, 4]");
  EXPECT_TRUE(module.parameters[1].has_default);
  ASSERT_EQ(module.subgraphs.size(), 1);
  EXPECT_EQ(module.texts[module.subgraphs[0].instance], "0x55bca89fc3b0");
  EXPECT_EQ(module.subgraphs[0].attributes.size, 1);
  ASSERT_EQ(module.nodes.size(), 3);
  EXPECT_EQ(module.texts[module.nodes[0].callee], "PrimFunc_Add");
  EXPECT_EQ(module.nodes[0].lines.size, 3);
  EXPECT_EQ(module.nodes[2].kind, CalleeKind::kReturn);
  EXPECT_THAT(Operands(1), ElementsAre("%0", "F32(2.5)"));
}

TEST_F(ReaderTest, TellsCalleesApart) {
  ReadBody(R"(  %0(a) = call @g_2(%para1_x)
  %1(b) = %0[@FuncUnion(@g, @h)](%para1_x)
  %2(c) = %1(%0)
  %3(d) = $(@g_2:para3_f)[@h]()
  %4(e) = Parameter_8[@Partial(@g)](%3)
  %5(f) = HyperMap[add]{fn: M{(A, B), (C)}}(%4)
  %6(g) = Switch(%5, @g, $(@g_2:CNode_1), "text")
  Return(%6)
)");
  EXPECT_THAT(Problems(), IsEmpty());
  std::vector<std::string> names;
  for (const Node& node : module_.nodes) names.emplace_back(CalleeName(module_, node));
  EXPECT_THAT(names, ElementsAre("call", "closure", "closure", "xclosure", "paramcall", "meta",
                                 "Switch", "Return"));
  EXPECT_EQ(module_.texts[module_.nodes[1].closure], "[@FuncUnion(@g, @h)]");
  EXPECT_THAT(Operands(6), ElementsAre("%5", "g", "g_2:CNode_1", "\"text\""));
}

TEST_F(ReaderTest, EndsAStringWhereOperandsAreAsManyAsTypes) {
  ReadBody(
      R"(  %0(a) = MakeTuple("one", two", %para1_x, "three") and (four") cnode_attrs: {k: "}, v"}
      : (<String, NoShape>, <Tensor[Float32], (2, 4)>, <String, NoShape>) -> (<null>)
  Return(%0)
)");
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_THAT(Operands(0), ElementsAre(R"("one", two")", "para1_x", R"("three") and (four")"));
}

TEST_F(ReaderTest, TakesLinesThatLookLikeADumpIntoAString) {
  ReadBody(
      "  %0(a) = F(\"x\n  %1(b) = G()\n      : () -> (<null>)\n}\n\", %para1_x)\n"
      "      : (<String, NoShape>, <null>) -> (<null>)\n  Return(%0)\n");
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_EQ(module_.nodes.size(), 2);
}

TEST_F(ReaderTest, ReadsConstantsOverSeveralLines) {
  ReadBody(
      "  %0(a) = Add(%para1_x, Tensor(shape=[2, 2], dtype=Int32, value=\n[[1 2]\n [3 4]]))\n"
      "      : (<null>, <null>) -> (<null>)\n  Return(%0)\n");
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_EQ(Operands(0).size(), 2);
}

TEST_F(ReaderTest, TakesAnOperandThatIsPrintedAsNothing) {
  ReadBody("  %0(a) = F()\n      : (<null>) -> (<null>)\n  Return(%0)\n");
  EXPECT_THAT(Problems(), IsEmpty());
  EXPECT_THAT(Operands(0), ElementsAre(""));
}

TEST_F(ReaderTest, TakesASecondLineOfTypesForSymbolicShapes) {
  ReadBody(
      "  %0(a) = F(%para1_x)\n      : (<null>) -> (<null>)\n      : (<null>) -> (<null>)\n"
      "  %1(b) = F(%0)\n      : (<null>) -> (<null>)\n      : (S:[1]) -> (<null>)\n"
      "  Return(%1)\n      : (<null>)\n      : (<null>)\n");
  EXPECT_THAT(Problems(), IsEmpty());
  for (const Node& node : module_.nodes) {
    EXPECT_EQ(module_.lines[node.lines.begin].kind, LineKind::kTypes);
    EXPECT_EQ(module_.lines[node.lines.begin + 1].kind, LineKind::kSymbolicShapes);
  }
}

TEST_F(ReaderTest, GoesOnBehindADamagedStatement) {
  const std::string broken = "  %1(CNode_2) = PrimFunc_Mul(%0, F32(2.5]\n";
  const std::string body =
      kAdd + broken + "      # Fullname with scope: (Default/Mul-op0)\n" + kReturn;
  const Module& module = ReadBody(body);
  EXPECT_EQ(module.nodes.size(), 2);
  const std::string line = LineOf(kHeader + (kBegin + body), broken);
  ASSERT_EQ(Problems().size(), 2);
  EXPECT_EQ(Problems()[0], line + ":41: not a statement: a bracket does not match");
  // Lines below it do not belong to the statement before.
  EXPECT_EQ(module.nodes[0].lines.size, 3);
  EXPECT_THAT(Problems()[1], HasSubstr("operand %1 does not name an earlier statement"));
}

TEST_F(ReaderTest, LosesOneLineToAStringWithoutAnEnd) {
  const Module& module = ReadBody(std::string(kAdd) + "  %1(b) = getattr(%0, \"matmul)\n" +
                                  "  %2(c) = getattr(%0, \"add\")\n  Return(%2)\n");
  EXPECT_EQ(module.nodes.size(), 3);
  ASSERT_EQ(Problems().size(), 2);
  EXPECT_THAT(Problems()[0], HasSubstr(":23: not a statement: a string is not closed"));
}

TEST_F(ReaderTest, LosesOneStatementToAStringWithoutAnEndWhoseTypesWouldFitAnother) {
  const std::string types = "      : (<null>, <String, NoShape>) -> (<null>)\n";
  const Module& module =
      ReadBody(std::string(kAdd) + "  %1(b) = getattr(%0, \"matmul)\n" + types +
               "  %2(c) = getattr(%0, \"add\")\n" + types + "  %3(d) = F(%2)\n  Return(%3)\n");
  EXPECT_EQ(module.nodes.size(), 4);
  EXPECT_THAT(Problems()[0], HasSubstr("a string is not closed"));
}

TEST_F(ReaderTest, KeepsLinesThatItCannotExplain) {
  const Module& module = ReadBody(std::string(kAdd) + "      what is this\n" + kMul + kReturn);
  EXPECT_EQ(module.nodes.size(), 3);
  ASSERT_EQ(Problems().size(), 1);
  EXPECT_THAT(Problems()[0], HasSubstr(":7: unknown line below a statement"));
}

TEST_F(ReaderTest, SaysWhereOperandsAreNotAsManyAsTypes) {
  ReadBody("  %0(a) = F(%para1_x)\n      : (<null>, <null>) -> (<null>)\n  Return(%0)\n");
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("has 1 operands, and types for 2")));
}

TEST_F(ReaderTest, SaysWhereAStatementIsMissing) {
  ReadBody(std::string(kAdd) + kReturn);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("operand %1 does not name an earlier statement")));
  ReadBody(std::string(kMul) + kReturn);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("statement %1 found, %0 expected")));
}

TEST_F(ReaderTest, SaysWhenThereAreNotAsManyStatementsAsTheHeaderSays) {
  const std::string total =
      "Node counting information:\nTotal number of nodes: 7\n"
      "Total number of cnodes: 4\n\n";
  Read(kHeader + total + kBegin + kAdd + kMul + kReturn + kEnd);
  EXPECT_THAT(Problems(), ElementsAre("15:1: the file has 3 statements, and says that it has 4"));
}

TEST_F(ReaderTest, SaysWhereAFileIsCutOff) {
  const Module& module = Read(std::string(kHeader) + kBegin + kAdd);
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("the file ends inside subgraph @main_1")));
  EXPECT_EQ(module.subgraphs[0].nodes.size, 1);
}

TEST_F(ReaderTest, GoesOnWithTheNextSubgraphWhenOneHasNoEnd) {
  const Module& module = ReadBody(
      std::string(kAdd) + "subgraph attr:\nsubgraph instance: g : 0x1\n\nsubgraph @g() {\n" +
      "  Return(@main_1)\n");
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("the previous subgraph has no end")));
  ASSERT_EQ(module.subgraphs.size(), 2);
  EXPECT_EQ(module.subgraphs[0].nodes.size, 1);
  EXPECT_EQ(module.subgraphs[1].nodes.size, 1);
}

// As when files are put together: the second one's parameters are not the first one's.
TEST_F(ReaderTest, ReadsASecondHeaderWithoutItsParameters) {
  const std::string dump = std::string(kHeader) + kBegin + kAdd + kMul + kReturn + kEnd;
  const Module& module = Read(dump + dump);
  EXPECT_EQ(module.subgraphs.size(), 2);
  EXPECT_EQ(module.header.parameters.size, 2);
  EXPECT_EQ(Problems().size(), 2);
}

TEST_F(ReaderTest, GivesBackADumpThatIsCutAnywhere) {
  const std::string text = std::string(kHeader) + kBegin + kAdd + kMul + kReturn + kEnd;
  for (std::size_t size = 0; size < text.size(); ++size) Read(text.substr(0, size));
}

TEST_F(ReaderTest, GivesBackADumpWithAnyByteChanged) {
  const std::string text = std::string(kHeader) + kBegin + kAdd + kMul + kReturn + kEnd;
  for (const char byte : {'\n', '"', '(', ')', '[', '}', ' ', '0', ',', '\0'}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string changed = text;
      changed[at] = byte;
      Read(changed);
    }
  }
}

TEST_F(ReaderTest, KeepsTheFirstThousandProblemsAndCountsTheRest) {
  std::string text = kHeader;
  for (int i = 0; i < 5000; ++i) text += "nonsense " + std::to_string(i) + "\n";
  const Module& module = Read(text);
  EXPECT_EQ(module.problem_count, 5000);
  EXPECT_EQ(module.problems.size(), Module::kMaxProblems);
}

TEST_F(ReaderTest, ReadsManyDamagedStringsInTimeProportionalToTheFile) {
  // Each line opens a string that could end in any later line, which no line's types fit.
  std::string body;
  for (int i = 0; i < 20'000; ++i)
    body += "  %0(a) = F(\"a\", \"b\", \"c)\n      : (<null>) -> (<null>)\n";
  const Module& module = ReadBody(body);
  EXPECT_GE(module.problem_count, 10'000);
}

TEST_F(ReaderTest, RefusesBracketsNestedTooDeep) {
  const Module& module =
      ReadBody("  %0(a) = F(" + std::string(100'000, '(') + "\n" + std::string(kReturn));
  EXPECT_EQ(module.nodes.size(), 1);
  EXPECT_THAT(Problems()[0], HasSubstr("too many brackets are open"));
  ReadBody("  %0(a) = F(%para1_x)\n      : (" + std::string(100'000, '<') + ") -> ()\n");
  EXPECT_THAT(Problems()[0], HasSubstr("unknown line below a statement"));
}

TEST_F(ReaderTest, RefusesALineThatNoDumpHas) {
  const Result<Module> module = ParseIr("# IR entry: @f\n" + std::string(kMaxLineBytes + 1, 'x'));
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error(), IsStatus(StatusCode::kInvalidArgument, "line 2, column 1"));
}

TEST_F(ReaderTest, ReadsFilesAndNamesTheOneThatIsMissing) {
  testing::MemoryFileSystem files;
  const std::string text = std::string(kHeader) + kBegin + kAdd + kMul + kReturn + kEnd;
  auto file = files.OpenForWrite("a.ir", OpenMode::kCreateNew);
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->WriteAt(0, text).ok());
  const Result<Module> module = ReadIr(files, "a.ir");
  ASSERT_TRUE(module);
  EXPECT_EQ(PrintIr(*module), text);
  const Result<Module> missing = ReadIr(files, "b.ir");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), IsStatus(StatusCode::kNotFound, "b.ir"));
}

}  // namespace
}  // namespace sightline::ir
