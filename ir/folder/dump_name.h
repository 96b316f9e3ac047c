// Parses the names of files in a save_graphs folder: what a dump is of, and its place in the order.
//
// MindSpore names a dump NAME_NNNN.ir. NNNN, with four digits or more, numbers the files of the
// process and is the only thing that tells their order. docs/ir.md has the names.
//
//   const auto name = ParseDumpName("opt_pass_3_cse_0312.ir");
//   name->kind == DumpKind::kPass; name->stem == "opt_pass_3_cse"; name->number == 312;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::ir {

enum class DumpKind : std::uint8_t {
  kStage,         // "20_validate": after a stage of the compiler.
  kPass,          // "opt_pass_3_cse": after a pass of such a stage.
  kSubstep,       // "opt_substep_opt_a_r1_j0_3_a_1": after a step of a pass.
  kSubstitution,  // "opt_a.r1.a_2.inline": after one substitution of a step.
  kKernelGraph,   // "hwopt_common_final_graph_0", "graph_build_0", "trace_code_graph"
  kOther,         // A graph of its own: "bprop_expander_Add", "before_lift_G", and any other name.
  kActors,        // "final_actor_set_kernel_graph_0"; has no number.
  kFailure,       // "analyze_fail"; has no number.
};

// Whether such dumps show the compilation's graph, one after another: stages, passes, steps and
// substitutions.
bool IsOfCompilation(DumpKind kind);

struct DumpName {
  DumpKind kind = DumpKind::kOther;
  std::string stem;                     // Without number and extension.
  std::optional<std::uint64_t> number;  // NNNN.
  std::optional<std::uint32_t> stage;   // The 20 of "20_validate".
};

// Parses a file name without its folder. None if a text dump cannot have this name.
std::optional<DumpName> ParseDumpName(std::string_view file_name);

// The step of a kernel graph's dump, without the number of the kernel graph: "hwopt_common_final"
// for "hwopt_common_final_graph_0". Each is written once for a kernel graph.
std::string_view KernelStep(const DumpName& name);

// The name of a dump without the numbers that count stages, passes, steps and graphs, so that it is
// the same in any folder: "validate" for "20_validate", "opt_pass cse" for "opt_pass_3_cse". Not
// unique in a compilation.
std::string PassName(const DumpName& name);

}  // namespace sightline::ir
