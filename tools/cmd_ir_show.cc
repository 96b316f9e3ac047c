// sightline ir show: prints a graph dump.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/tools/cmd_ir.h"
#include "sightline/tools/commands.h"
#include "sightline/tools/text.h"

namespace sightline {
namespace {

struct IrShowOptions {
  std::vector<std::string> files;
  bool raw = false;
};

constexpr char kHelp[] = R"(Prints graph dumps from what was read of them.

With --raw byte for byte as MindSpore wrote them: nothing was lost in reading. What no dump should
hold is named on standard error with line and column, and printed all the same.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir show --raw graphs/20_validate_0074.ir
  sightline ir show --raw dump.ir | cmp - dump.ir

Exit codes: 0 printed, 1 printed but the dump is damaged, 2 a file cannot be read or is no dump.)";

int Run(const IrShowOptions& options) {
  int exit_code = kExitOk;
  for (const std::string& path : options.files) {
    const auto module = ReadDump(path);
    if (!module) {
      std::fprintf(stderr, "sightline ir show: %s\n", Printable(module.error().message()).c_str());
      exit_code = kExitError;
      continue;
    }
    for (const ir::Problem& problem : module->problems) {
      std::fprintf(stderr, "sightline ir show: %s: %s\n", Printable(path).c_str(),
                   Printable(ToText(problem)).c_str());
    }
    if (module->problem_count > 0 && exit_code == kExitOk) exit_code = kExitDamage;
    const std::string text = ir::PrintIr(*module);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return kExitError;
  }
  return std::fflush(stdout) == 0 ? exit_code : kExitError;
}

}  // namespace

void AddIrShowCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrShowOptions>();
  CLI::App* command = ir.add_subcommand("show", kHelp);
  command->footer(kExamples);
  command->add_option("FILE", options->files, "Dumps")->required();
  command->add_flag("--raw", options->raw, "As MindSpore wrote them")->required();
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
