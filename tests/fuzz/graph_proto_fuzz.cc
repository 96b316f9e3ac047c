// The reader of MindSpore's .pb files on arbitrary bytes, taken as a model and as a graph: bytes
// that are none are an error, the module of others is sound, and what it prints is a dump.
#include <string_view>

#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/proto_reader.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/fuzz/module_checks.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& module :
       {sightline::ir::ParseModelProto(bytes), sightline::ir::ParseGraphProto(bytes)}) {
    if (!module) continue;
    sightline::fuzz::CheckModule(*module);
    Check(module->subgraphs.size() == 1, "a message holds one graph");
    Check(sightline::ir::ParseIr(sightline::ir::PrintIr(*module)).has_value(), "its dump is read");
  }
  return 0;
}
