#include "sightline/ir/dump/dump_point.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::ir {
namespace {

TEST(DumpNamer, GivesMindSporesNames) {
  DumpNamer names;
  EXPECT_EQ(names.Next(DumpPoint::Stage("bootstrap")), "00_bootstrap_0000");
  EXPECT_EQ(names.Next(DumpPoint::Stage("type_inference")), "01_type_inference_0001");
  EXPECT_EQ(names.Next(DumpPoint::Pass("a_1")), "opt_pass_0_a_1_0002");
  EXPECT_EQ(names.Next(DumpPoint::Substep("opt_a", 1, 0, 3, "inline")),
            "opt_substep_opt_a_r1_j0_3_inline_0003");
  EXPECT_EQ(names.Next(DumpPoint::Substitution("opt_a", 1, "a_2", "addn_check_dump")),
            "opt_a.r1.a_2.addn_check_dump_0004");
  EXPECT_EQ(names.Next(DumpPoint::Pass("cse")), "opt_pass_1_cse_0005");
  EXPECT_EQ(names.Next(DumpPoint::KernelGraph("common_final_graph_0")),
            "hwopt_common_final_graph_0_0006");
  EXPECT_EQ(names.Next(DumpPoint::BackEndDetail("expand_Add")), "verbose_ir_files/expand_Add_0007");
}

TEST(DumpNamer, AreThoseThatFoldersAreReadBy) {
  DumpNamer names;
  for (const DumpPoint& point :
       {DumpPoint::Stage("validate"), DumpPoint::Pass("cse"),
        DumpPoint::Substep("opt_a", 2, 1, 0, "a_1"),
        DumpPoint::Substitution("opt_a", 2, "a_1", "inline"), DumpPoint::KernelGraph("common")}) {
    const auto parsed = ParseDumpName(names.Next(point) + ".ir");
    ASSERT_TRUE(parsed) << point.name();
    EXPECT_EQ(parsed->kind, point.kind()) << point.name();
  }
}

TEST(DumpNamer, PassesAreCountedInEachStage) {
  DumpNamer names;
  names.Next(DumpPoint::Pass("a"));
  names.Next(DumpPoint::Stage("optimize"));
  EXPECT_EQ(names.Next(DumpPoint::Pass("a")), "opt_pass_0_a_0002");
}

TEST(DumpNamer, StagesAreCountedInEachCompilation) {
  DumpNamer names;
  names.Next(DumpPoint::Stage("bootstrap"));
  names.Next(DumpPoint::Stage("validate"));
  names.StartCompilation();
  EXPECT_EQ(names.Next(DumpPoint::Stage("bootstrap")), "00_bootstrap_0002");
}

TEST(DumpNamer, AStemIsTheNameOfTheNextWithoutFolderAndNumber) {
  DumpNamer names;
  names.Next(DumpPoint::Stage("bootstrap"));
  names.Next(DumpPoint::Pass("a"));
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(names.StemOf(DumpPoint::Stage("validate")), "01_validate");
    EXPECT_EQ(names.StemOf(DumpPoint::Pass("c se")), "opt_pass_1_c_se");
    EXPECT_EQ(names.StemOf(DumpPoint::BackEndDetail("expand_Add")), "expand_Add");
  }
}

TEST(DumpNamer, APictureHasTheNextNumber) {
  DumpNamer names;
  names.Next(DumpPoint::Stage("bootstrap"));
  EXPECT_EQ(names.Twin(), "00_bootstrap_0001");
}

TEST(DumpNamer, NumbersHaveAtLeastFourDigits) {
  DumpNamer names;
  std::string name;
  for (int i = 0; i <= 10000; ++i) name = names.Next(DumpPoint::Pass("a"));
  EXPECT_EQ(name, "opt_pass_10000_a_10000");
}

TEST(DumpNamer, CharactersThatNoFileCanHaveAreReplaced) {
  DumpNamer names;
  EXPECT_EQ(names.Next(DumpPoint::Stage("../a b\n")), "00_.._a_b__0000");
  EXPECT_EQ(names.Next(DumpPoint::BackEndDetail("/etc/x")), "verbose_ir_files/_etc_x_0001");
}

TEST(DumpNamer, LongNamesAreCutBetweenCharacters) {
  DumpNamer names;
  std::string marks;
  for (int i = 0; i < 100; ++i) marks += "↻";
  const std::string name = names.Next(DumpPoint::KernelGraph(marks));
  EXPECT_LE(name.size(), 210);
  EXPECT_TRUE(name.ends_with("↻_0000"));
}

}  // namespace
}  // namespace sightline::ir
