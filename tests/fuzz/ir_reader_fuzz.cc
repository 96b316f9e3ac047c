// The reader of .ir text on arbitrary bytes. Whatever they are: printed they are the same, every
// index points into its table, problems have a place, and names resolve to what there is.
#include <string>
#include <string_view>

#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/ir/summary.h"
#include "sightline/tests/fuzz/module_checks.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;
using sightline::fuzz::CheckModule;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = sightline::ir::ParseIr(text);
  Check(module.has_value(), "short texts are read");
  Check(sightline::ir::PrintIr(*module) == text, "what was read is printed as it was");
  CheckModule(*module);
  const auto summary = sightline::ir::Summarize(*module);
  std::uint64_t statements = 0;
  for (const auto& [callee, count] : summary.callees) statements += count;
  Check(statements == summary.statements, "callees add up");
  return 0;
}
