#include "sightline/ir/query/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Statistics CountText(const std::string& statements) {
  const Result<Module> module = ParseIr("# IR entry: @f\n\nsubgraph @f() {\n" + statements + "}\n");
  EXPECT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0);
  return CountOperators(*module);
}

TEST(Statistics, CountOperatorsTheMostFrequentFirst) {
  const Statistics statistics = CountText(R"(  %0(a) = Load(%para1_x)
  %1(b) = Add(%0, %0)
  %2(c) = Add(%1, %0)
  Return(%2)
)");
  ASSERT_EQ(statistics.operators.size(), 3);
  EXPECT_EQ(statistics.operators[0].name, "Add");
  EXPECT_EQ(statistics.operators[0].count, 2);
  EXPECT_EQ(statistics.operators[1].name, "Load");
  EXPECT_EQ(statistics.operators[2].name, "Return");
  EXPECT_THAT(statistics.operators[0].results, IsEmpty());
}

TEST(Statistics, CountResultsByElementTypeAndShape) {
  const Statistics statistics = CountText(R"(  %0(a) = F(%para1_x)
      : (<null>) -> (<Tensor[Float16], (2, 4)>)
  %1(b) = F(%0)
      : (<null>) -> (<Ref[Tensor[Float16]], (2, 4), ref_key=w>)
  %2(c) = F(%1)
      : (<null>) -> (<Int64, NoShape>)
  %3(d) = F(%2)
      : (<null>) -> (<Func, NoShape>)
  %4(e) = F(%3)
      : (<null>) -> (<null>)
  %5(g) = F(%4)
      : (<null>) -> (<Tuple[Int64*2], TupleShape(NoShape, NoShape)>)
  Return(%5)
)");
  EXPECT_THAT(statistics.operators[0].results,
              ElementsAre(Pair("Float16 (2, 4)", 2), Pair("Func", 1), Pair("Int64", 1),
                          Pair("Tuple", 1), Pair("unknown", 1)));
}

TEST(Statistics, CountOperandsByTheirElementTypes) {
  const Statistics statistics = CountText(R"(  %0(a) = F(%para1_x, %para2_w)
      : (<Tensor[Float16], (2, 4)>, <Ref[Tensor[Float32]], (4), ref_key=w>) -> (<null>)
  %1(b) = F(%0, %0, F32(1))
      : (<Tensor[Float16], (2, 4)>, <Tensor[Float16], (2)>, <Float32, NoShape>) -> (<null>)
  %2(c) = F(%1)
      : (<Func, NoShape>) -> (<null>)
  %3(d) = F(%2, I64(1))
      : (<Tuple[Int64*2], TupleShape(NoShape, NoShape)>, <Int64, NoShape>) -> (<null>)
  Return(%3)
)");
  EXPECT_THAT(statistics.operators[0].operand_types,
              ElementsAre(Pair("Float16 + Float32", 2), Pair("Int64", 1)));
}

TEST(Statistics, CountCastsByTheirElementTypes) {
  const Statistics statistics = CountText(R"(  %0(a) = PrimFunc_Cast(%para1_x, I64(42))
      : (<Tensor[Float32], (2)>, <Int64, NoShape>) -> (<Tensor[Float16], (2)>)
  %1(b) = Cast(%0, I64(43))
      : (<Tensor[Float16], (2)>, <Int64, NoShape>) -> (<Tensor[Float32], (2)>)
  %2(c) = Cast(%0, I64(43))
      : (<Tensor[Float16], (2)>, <Int64, NoShape>) -> (<Tensor[Float32], (2)>)
  Return(%2)
)");
  EXPECT_THAT(statistics.casts, ElementsAre(Pair(Pair("Float16", "Float32"), 2),
                                            Pair(Pair("Float32", "Float16"), 1)));
}

TEST(Statistics, CountCommunicationByGroupAndWhatIsRecomputed) {
  const Statistics statistics =
      CountText(R"(  %0(a) = AllReduce(%para1_x) primitive_attrs: {group: "hccl_world", op: "sum"}
  %1(b) = PrimFunc_AllReduce(%0) primitive_attrs: {group: "hccl_world"} cnode_attrs: {recompute: Bool(1)}
  %2(c) = AllGather(%1) primitive_attrs: {group: "0-1"}
  %3(d) = Add(%2, %2) cnode_attrs: {recompute: Bool(0)}
  Return(%3)
)");
  ASSERT_EQ(statistics.communication.size(), 2);
  EXPECT_EQ(statistics.communication[0].name, "AllGather");
  EXPECT_EQ(statistics.communication[0].group, "0-1");
  EXPECT_EQ(statistics.communication[1].group, "hccl_world");
  EXPECT_EQ(statistics.communication[1].count, 2);
  EXPECT_EQ(statistics.recomputed, 1);
}

TEST(Statistics, OfARealDumpAddUpToItsStatements) {
  const Result<Module> module = ParseIr(
      testing::ReadFileOrDie(testing::CorpusPath("ir/transformer_level1/20_validate_0074.ir")));
  ASSERT_TRUE(module);
  std::uint64_t statements = 0;
  for (const OperatorStatistics& counted : CountOperators(*module).operators) {
    statements += counted.count;
    std::uint64_t results = 0;
    for (const auto& [result, count] : counted.results) results += count;
    EXPECT_EQ(results, counted.name == "Return" ? 0 : counted.count) << counted.name;
  }
  EXPECT_EQ(statements, Summarize(*module).statements);
}

}  // namespace
}  // namespace sightline::ir
