// The names of a save_graphs folder's files: what a dump is of, and when it was written.
//
// MindSpore names a dump NAME_NNNN.ir; NNNN counts the dumps of the process, with at least four
// digits, and is the only thing that orders them. docs/ir.md has the names.
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
  kStage,         // "20_validate": behind a stage of the compiler.
  kPass,          // "opt_pass_3_cse": behind a pass of such a stage.
  kSubstep,       // "opt_substep_opt_a_r1_j0_3_a_1": behind a step of a pass.
  kSubstitution,  // "opt_a.r1.a_2.inline": behind one substitution of a step.
  kKernelGraph,   // "hwopt_common_final_graph_0", "graph_build_0", "trace_code_graph"
  kOther,    // Of a graph of its own: "bprop_expander_Add", "before_lift_G", and any other name.
  kActors,   // "final_actor_set_kernel_graph_0"; has no number.
  kFailure,  // "analyze_fail"; has no number.
};

struct DumpName {
  DumpKind kind = DumpKind::kOther;
  std::string stem;                     // Without number and extension.
  std::optional<std::uint64_t> number;  // NNNN.
  std::uint32_t stage = 0;              // The 20 of "20_validate".
};

// Of a file's name without its folder; none for what is no dump in text form.
std::optional<DumpName> ParseDumpName(std::string_view file_name);

// What a kernel graph's dump is of, without saying which kernel graph: "hwopt_common_final" of
// "hwopt_common_final_graph_0". Each is written once for a kernel graph.
std::string_view KernelStep(const DumpName& name);

// What a dump is of, in any folder: without the numbers that count stages, passes, steps and
// graphs. "validate" of "20_validate", "opt_pass cse" of "opt_pass_3_cse". Not unique in a
// compilation.
std::string PassName(const DumpName& name);

}  // namespace sightline::ir
