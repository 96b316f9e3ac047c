#include "sightline/ir/folder/anonymous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/ir/folder/folder.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

TEST(AnonymizerTest, LeavesFilesLinesAndCode) {
  Anonymizer anonymizer;
  EXPECT_EQ(anonymizer.Replace("      # In file /home/ann/nets.py:147, 8~56/  self.f(x)/\n"
                               "# In file /opt/lib/layer.py:1~2, 0~9/def f(x):/\n"
                               "      # inlined:In file /home/ann/main.py:3, 0~4/f()/\n"),
            "      # In file /source1/nets.py:147, 8~56/  self.f(x)/\n"
            "# In file /source2/layer.py:1~2, 0~9/def f(x):/\n"
            "      # inlined:In file /source1/main.py:3, 0~4/f()/\n");
  EXPECT_EQ(anonymizer.Replace("  File \"/home/ann/main.py\", line 3, in f"),
            "  File \"/source1/main.py\", line 3, in f");
  EXPECT_EQ(anonymizer.Replace("  %0(a) = Div(%1, %2)\n\n"), "  %0(a) = Div(%1, %2)\n\n");
}

TEST(AnonymizerTest, ADumpStaysTheSameGraph) {
  const std::string dump =
      testing::ReadFileOrDie(testing::CorpusPath("ir/mlp_level1/20_validate_0074.ir"));
  ASSERT_NE(dump.find("/home/user"), std::string::npos);
  const std::string anonymous = Anonymizer().Replace(dump);
  EXPECT_EQ(anonymous.find("/home/user"), std::string::npos);
  const auto module = ParseIr(anonymous);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->problem_count, 0);
  EXPECT_EQ(FiguresOf(*module), FiguresOf(*ParseIr(dump)));
}

}  // namespace
}  // namespace sightline::ir
