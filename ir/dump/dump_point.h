// The point of a compilation at which a graph is dumped, and the name of the file. Names are those
// of MindSpore; docs/ir.md lists them, and ParseDumpName (dump_name.h) parses them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/ir/folder/dump_name.h"

namespace sightline::ir {

// What each level adds; level 0 dumps nothing.
//
//   level  what
//   1      stages, passes, kernel graphs
//   2      back-end detail, in the folder verbose_ir_files
//   3      every step of a pass, every substitution, and a .dot for each dump but those of kernel
//          graphs
class DumpPoint {
 public:
  // After a stage of the compiler, "validate": NN_validate_NNNN.ir. Stages are counted from 0 in
  // each compilation.
  static DumpPoint Stage(std::string_view name) { return {DumpKind::kStage, 1, std::string(name)}; }
  // After a pass of a stage, "cse": opt_pass_K_cse_NNNN.ir. Passes are counted in each stage.
  static DumpPoint Pass(std::string_view name) { return {DumpKind::kPass, 1, std::string(name)}; }
  // After step `index` of an optimizer's pass:
  // opt_substep_OPTIMIZER_rROUND_jJUMP_INDEX_NAME_NNNN.ir.
  static DumpPoint Substep(std::string_view optimizer, int round, int jump, int index,
                           std::string_view name);
  // After one substitution in a step: OPTIMIZER.rROUND.STEP.NAME_NNNN.ir.
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

// Names the files of a process, in the order of the calls. One thread at a time.
class DumpNamer {
 public:
  // The next stage has number 00 again. The running number continues.
  void StartCompilation() { stage_ = 0; }

  // The name of the next dump of such a point, without folder and running number: "20_validate",
  // "opt_pass_3_cse", "expand_Add". Characters that a file name cannot have become '_'; long names
  // are cut off.
  std::string StemOf(const DumpPoint& point) const;
  // The whole name without extension: "verbose_ir_files/expand_Add_0012".
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
