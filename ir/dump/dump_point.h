// Where in a compilation a graph is dumped, and what the file is called: MindSpore's names, which
// docs/ir.md lists and ParseDumpName (dump_name.h) takes apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/ir/folder/dump_name.h"

namespace sightline::ir {

// What is dumped from which level on; 0 dumps nothing.
//
//   level  what
//   1      stages, passes, kernel graphs
//   2      and back-end detail, in the folder verbose_ir_files
//   3      and every step of a pass, every substitution, and beside each but those of kernel graphs
//          a picture for graphviz (.dot)
class DumpPoint {
 public:
  // Behind a stage of the compiler, "validate": NN_validate_NNNN.ir. Stages are counted from 0 in
  // each compilation.
  static DumpPoint Stage(std::string_view name) { return {DumpKind::kStage, 1, std::string(name)}; }
  // Behind a pass of a stage, "cse": opt_pass_K_cse_NNNN.ir. Passes are counted in each stage.
  static DumpPoint Pass(std::string_view name) { return {DumpKind::kPass, 1, std::string(name)}; }
  // Behind step `index` of an optimizer's pass:
  // opt_substep_OPTIMIZER_rROUND_jJUMP_INDEX_NAME_NNNN.ir.
  static DumpPoint Substep(std::string_view optimizer, int round, int jump, int index,
                           std::string_view name);
  // Behind one substitution in a step: OPTIMIZER.rROUND.STEP.NAME_NNNN.ir.
  static DumpPoint Substitution(std::string_view optimizer, int round, std::string_view step,
                                std::string_view name);
  // A kernel graph: hwopt_NAME_NNNN.ir.
  static DumpPoint KernelGraph(std::string_view name) {
    return {DumpKind::kKernelGraph, 1, "hwopt_" + std::string(name)};
  }
  // Detail of the back end: verbose_ir_files/NAME_NNNN.ir.
  static DumpPoint BackEndDetail(std::string_view name) {
    return {DumpKind::kOther, 2, std::string(name)};
  }

  DumpKind kind() const { return kind_; }
  int level() const { return level_; }
  const std::string& name() const { return name_; }

 private:
  DumpPoint(DumpKind kind, int level, std::string name)
      : kind_(kind), level_(level), name_(std::move(name)) {}

  DumpKind kind_;
  int level_;
  std::string name_;
};

// Gives the files of one process their names, in the order of the calls. One thread at a time.
class DumpNamer {
 public:
  // The next stage is number 00 again. The running number goes on.
  void StartCompilation() { stage_ = 0; }

  // What the next dump of such a point would be called, without folder and running number:
  // "20_validate", "opt_pass_3_cse", "expand_Add". Characters that no name can hold become '_'; of
  // long names the end is left out.
  std::string StemOf(const DumpPoint& point) const;
  // Its name without extension: "verbose_ir_files/expand_Add_0012".
  std::string Next(const DumpPoint& point);
  // The same name with the next running number: the .dot of the file just named.
  std::string Twin();

 private:
  std::uint32_t stage_ = 0;
  std::uint32_t pass_ = 0;
  std::uint64_t number_ = 0;
  std::string stem_;
};

}  // namespace sightline::ir
