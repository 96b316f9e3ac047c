#include "sightline/ir/folder/dump_name.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::ir {
namespace {

// "kind stem number", "-" for what there is not.
std::string Parsed(std::string_view file_name) {
  const auto name = ParseDumpName(file_name);
  if (!name) return "no dump";
  constexpr std::string_view kKinds[] = {"stage",  "pass",  "substep", "substitution",
                                         "kernel", "other", "actors",  "failure"};
  return std::string(kKinds[static_cast<std::size_t>(name->kind)]) + " " + name->stem + " " +
         (name->number ? std::to_string(*name->number) : "-");
}

TEST(DumpName, SaysWhatADumpIsOf) {
  EXPECT_EQ(Parsed("20_validate_0542.ir"), "stage 20_validate 542");
  EXPECT_EQ(Parsed("opt_pass_18_add_recomputation_0438.ir"),
            "pass opt_pass_18_add_recomputation 438");
  EXPECT_EQ(Parsed("opt_substep_opt_a_r1_j0_3_a_1_0040.ir"),
            "substep opt_substep_opt_a_r1_j0_3_a_1 40");
  EXPECT_EQ(Parsed("opt_a.r12.a_2.inline_0068.ir"), "substitution opt_a.r12.a_2.inline 68");
  EXPECT_EQ(Parsed("hwopt_common_final_graph_0_0590.ir"), "kernel hwopt_common_final_graph_0 590");
  EXPECT_EQ(Parsed("graph_before_reset_id_0_0592.ir"), "kernel graph_before_reset_id_0 592");
  EXPECT_EQ(Parsed("graph_build_0_0593.ir"), "kernel graph_build_0 593");
  EXPECT_EQ(Parsed("trace_code_graph_0594"), "kernel trace_code_graph 594");
  EXPECT_EQ(Parsed("bprop_expander_Add_0017.ir"), "other bprop_expander_Add 17");
  EXPECT_EQ(Parsed("0_actor_set_pipeline_kernel_graph_0.ir"),
            "actors 0_actor_set_pipeline_kernel_graph_0 -");
  EXPECT_EQ(Parsed("final_actor_set_kernel_graph_0.ir"), "actors final_actor_set_kernel_graph_0 -");
  EXPECT_EQ(Parsed("analyze_fail.ir"), "failure analyze_fail -");
}

TEST(DumpName, KnowsTheNumberOfAStage) {
  EXPECT_EQ(ParseDumpName("07_pre_auto_parallel_0020.ir")->stage, 7);
  EXPECT_EQ(ParseDumpName("23_execute_2001.ir")->stage, 23);
}

TEST(DumpName, ANumberHasFourDigitsOrMore) {
  EXPECT_EQ(Parsed("20_validate_12345.ir"), "stage 20_validate 12345");
  EXPECT_EQ(Parsed("20_validate_542.ir"), "stage 20_validate_542 -");
  EXPECT_EQ(Parsed("20_validate_99999999999999999999999.ir"),
            "stage 20_validate_99999999999999999999999 -");
}

TEST(DumpName, NamesHoldDotsHyphensAndMarks) {
  EXPECT_EQ(Parsed("after_opt_▸9_↵__main___G_0012.ir"), "other after_opt_▸9_↵__main___G 12");
  EXPECT_EQ(Parsed("06_parallel-infer-symbol_0018.ir"), "stage 06_parallel-infer-symbol 18");
}

TEST(DumpName, ACompressedDumpIsADump) {
  EXPECT_EQ(Parsed("20_validate_0542.ir.gz"), "stage 20_validate 542");
}

TEST(DumpName, OtherFilesAreNoDumps) {
  for (const char* name : {"20_validate_0543.dot", "ms_output_optimize.pb", "trace_code_graph",
                           "readme_0001", "", ".gz"})
    EXPECT_EQ(Parsed(name), "no dump") << name;
}

TEST(DumpName, AKernelStepDoesNotSayOfWhichKernelGraph) {
  const auto step = [](std::string_view name) {
    return std::string(KernelStep(*ParseDumpName(name)));
  };
  EXPECT_EQ(step("hwopt_common_final_graph_5_0189.ir"), "hwopt_common_final");
  EXPECT_EQ(step("hwopt_comm_after_kernel_select_kernel_graph12_0177.ir"),
            "hwopt_comm_after_kernel_select");
  EXPECT_EQ(step("hwopt_end_mindrt_unify_mindir_graph_13_1___main___run_68_0548.ir"),
            "hwopt_end_mindrt_unify_mindir");
  EXPECT_EQ(step("graph_build_7_0593.ir"), "graph_build_");
  EXPECT_EQ(step("hwopt_pm_3_insert_cast_cpu_0582.ir"), "hwopt_pm_3_insert_cast_cpu");
  EXPECT_EQ(step("trace_code_graph_0594"), "trace_code_graph");
}

TEST(DumpName, APassHasItsNameInEveryFolder) {
  const auto pass = [](std::string_view name) { return PassName(*ParseDumpName(name)); };
  EXPECT_EQ(pass("20_validate_0542.ir"), "validate");
  EXPECT_EQ(pass("opt_pass_3_cse_0312.ir"), "opt_pass cse");
  EXPECT_EQ(pass("opt_substep_opt_a_r1_j0_3_a_1_0040.ir"), "opt_substep_opt_a_r1_j0_a_1");
  EXPECT_EQ(pass("opt_substep_odd_0040.ir"), "opt_substep_odd");
  EXPECT_EQ(pass("opt_a.r1.a_2.inline_0050.ir"), "opt_a.r1.a_2.inline");
  EXPECT_EQ(pass("hwopt_common_final_graph_5_0189.ir"), "hwopt_common_final");
  EXPECT_EQ(pass("hwopt_pm_3_insert_cast_cpu_0582.ir"), "hwopt_pm_#_insert_cast_cpu");
  EXPECT_EQ(pass("bprop_expander_Add_0011.ir"), "bprop_expander_Add");
}

}  // namespace
}  // namespace sightline::ir
