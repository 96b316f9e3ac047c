// The reader of .ir text on arbitrary bytes. Whatever they are: printed they are the same, every
// index points into its table, problems have a place, and names resolve to what there is. Read
// through a window that holds a few lines, they are printed the same too. As a file they are read
// as what they begin as.
#include <memory>
#include <string>
#include <string_view>

#include "sightline/ir/model/summary.h"
#include "sightline/ir/model/text_window.h"
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

void CheckThroughWindow(std::string_view text) {
  constexpr std::size_t kLineLimit = 256;
  auto window = sightline::ir::TextWindow::Open(
      std::make_unique<sightline::testing::BytesFile>(std::string(text)), text.size(), kLineLimit);
  Check(window.has_value(), "there are addresses");
  const auto module = sightline::ir::ParseIr(*window);
  Check(module.has_value() == sightline::ir::CheckLines(text, 1, kLineLimit).ok(),
        "a text is refused for a long line only");
  if (module) Check(sightline::ir::PrintIr(*module) == text, "a window shows all of the text");
}

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
  CheckThroughWindow(text);
  CheckAsFile(text);
  const auto summary = sightline::ir::Summarize(*module);
  std::uint64_t statements = 0;
  for (const auto& [callee, count] : summary.callees) statements += count;
  Check(statements == summary.statements, "callees add up");
  return 0;
}
