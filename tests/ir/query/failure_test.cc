#include "sightline/ir/query/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Failure, TellsReportAndStackOfARealCompileError) {
  const Result<Module> module = ReadIr(
      FileSystem::Local(), testing::CorpusPath("ir/compile_error/rank_0/om/analyze_fail.ir"));
  ASSERT_TRUE(module);
  const Failure failure = FindFailure(*module);
  ASSERT_EQ(failure.report.size(), 3);
  EXPECT_EQ(failure.report[0].title, "Caught exception");
  EXPECT_EQ(failure.report[0].text,
            "For 'MatMulExt' op, shape1[-1] must be equal to shape2[-2], but got 3 and 4.");
  EXPECT_EQ(failure.report[1].title, "C++ Call Stack");
  EXPECT_EQ(failure.report[1].text,
            "mindspore/ops/infer/ops_func_impl//matmul_ext.cc:43 CheckMatMulShapes");
  EXPECT_EQ(failure.report[2].title, "The Traceback of Net Construct Code");
  EXPECT_THAT(failure.report[2].text, HasSubstr("return matmul_ext_op(input, other)"));
  ASSERT_EQ(failure.stack.size(), 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(failure.stack[i].position, i);
    EXPECT_EQ(failure.stack[i].subgraph, i);
  }
  EXPECT_EQ(module->texts[module->nodes[failure.stack[4].node].name], "CNode_28");
}

TEST(Failure, OfAStackThatIsCutKeepsWhatIsThere) {
  const Result<Module> module = ParseIr(
      "# =====\n- Caught exception:\n\n# IR entry: @f\n\nsubgraph @f() {\n"
      "#------------------------> 1\n  %0(b) = F()\n#------------------------> 0\n"
      "    #F.prototype = (a)\n  %1(a) = F(%0)\n#------------------------> 2\n}\n");
  ASSERT_TRUE(module);
  const Failure failure = FindFailure(*module);
  ASSERT_EQ(failure.stack.size(), 2);
  EXPECT_EQ(module->texts[module->nodes[failure.stack[0].node].name], "a");
  EXPECT_EQ(module->texts[module->nodes[failure.stack[1].node].name], "b");
}

TEST(Failure, OfAnOrdinaryDumpIsEmpty) {
  const Result<Module> module = ParseIr("# IR entry: @f\n\nsubgraph @f() {\n  Return(None)\n}\n");
  ASSERT_TRUE(module);
  EXPECT_THAT(FindFailure(*module).stack, IsEmpty());
  EXPECT_THAT(FindFailure(*module).report, IsEmpty());
}

}  // namespace
}  // namespace sightline::ir
