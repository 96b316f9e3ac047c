// The reader of MindSpore's .dot files on arbitrary bytes: the module is sound, and what it prints
// is a dump with as many statements.
#include <string_view>

#include "sightline/ir/read/dot_reader.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/fuzz/module_checks.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto module =
      sightline::ir::ParseDot(std::string_view(reinterpret_cast<const char*>(data), size));
  sightline::fuzz::CheckModule(module);
  Check(module.header.total_cnodes == module.nodes.size(), "statements are counted");
  Check(sightline::ir::ParseIr(sightline::ir::PrintIr(module)).has_value(), "its dump is read");
  return 0;
}
