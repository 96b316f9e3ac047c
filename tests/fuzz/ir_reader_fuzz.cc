// The reader of .ir text on arbitrary bytes. Whatever they are: printed they are the same, every
// index points into its table, problems have a place, and names resolve to what there is. As a file
// they are read as what they begin as.
#include <string>
#include <string_view>

#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/actor_graph.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/fuzz/module_checks.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"

using sightline::fuzz::Check;
using sightline::fuzz::CheckModule;

namespace {

// The same bytes as a file of whatever kind they begin as: text, .dot, .pb or MindSpore's events.
void CheckAsFile(std::string_view bytes) {
  constexpr char kPath[] = "dump";
  sightline::testing::MemoryFileSystem files;
  files.Put(kPath, bytes);
  const auto module = sightline::ir::ReadIr(files, kPath);
  if (module) {
    CheckModule(*module);
  } else {
    Check(module.error().ToString().find(kPath) != std::string::npos, "an error names the file");
  }
  const auto parsed = sightline::ir::ParseDump(bytes);
  if (parsed) CheckModule(*parsed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = sightline::ir::ParseIr(text);
  Check(module.has_value(), "short texts are read");
  Check(sightline::ir::PrintIr(*module) == text, "what was read is printed as it was");
  CheckModule(*module);
  if (module->form >= sightline::ir::Form::kActors) CheckModule(sightline::ir::ActorGraph(*module));
  CheckAsFile(text);
  const auto summary = sightline::ir::Summarize(*module);
  std::uint64_t statements = 0;
  for (const auto& [callee, count] : summary.callees) statements += count;
  Check(statements == summary.statements, "callees add up");
  return 0;
}
