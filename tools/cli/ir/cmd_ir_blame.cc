// sightline ir blame: which pass introduced, renamed or removed something.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/blame.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrBlameOptions {
  std::string directory;
  ir::NodeFilter filter;
  std::string attribute;
  bool json = false;
};

constexpr char kHelp[] =
    R"(Shows which pass introduced, renamed or removed a node, an operator or an attribute.

Nodes that meet all conditions are followed from dump to dump of their graph. A dump is written
after its pass, so what is new in a dump was done by that pass. In a condition, * stands for any
text and ? for one character; the condition must match the whole text.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir blame --op Cast graphs                     which pass put casts in, or took them out
  sightline ir blame --node CNode_12 graphs               where it comes from, and its other names
  sightline ir blame --attr 'recompute=Bool(1)' graphs    which pass set an attribute
  sightline ir blame --op 'All*' --scope 'Default/*' --json graphs | jq -r '[.event, .dump] | @tsv'

Exit codes: 0 found, 1 nothing found, 2 the folder or a dump in it cannot be read.)";

std::string Text(const ir::BlameEvent& event) {
  std::string text = fmt::format("@{} {}", Printable(event.subgraph), Printable(event.callee));
  if (!event.name.empty()) text += fmt::format(" {}", Printable(event.name));
  if (event.before) text += fmt::format(" (was {})", Printable(*event.before));
  if (event.ambiguous) text += "  (ambiguous: another one would do as well)";
  return text;
}

nlohmann::ordered_json ToJson(const std::string& path, const ir::BlameEvent& event) {
  nlohmann::ordered_json json = {{"event", ir::Describe(event.kind)}, {"dump", path}};
  json["subgraph"] = event.subgraph;
  json["name"] = event.name;
  json["kind"] = event.callee;
  if (event.before) json["before"] = *event.before;
  json["ambiguous"] = event.ambiguous;
  return json;
}

int Run(IrBlameOptions& options) {
  const auto fail = [](const Status& status) {
    std::fprintf(stderr, "sightline ir blame: %s\n",
                 Printable(std::string(status.message())).c_str());
    return kExitError;
  };
  SetAttribute(options.attribute, options.filter);
  const auto folder = ReadDumpFolder(options.directory);
  if (!folder) return fail(folder.error());
  const ir::BlameResult result = ir::Blame(DumpFiles(), options.directory, *folder, options.filter);
  using enum Table::Align;
  Table table({{"event", kLeft}, {"dump", kLeft}, {"node", kLeft}}, 0);
  for (const ir::BlameEvent& event : result.events) {
    const std::string& path = folder->dumps[event.dump].path;
    if (options.json) {
      std::puts(JsonLine(ToJson(path, event)).c_str());
    } else {
      table.AddRow({std::string(ir::Describe(event.kind)), Printable(path), Text(event)});
    }
  }
  if (!options.json && !result.events.empty()) {
    std::fputs(table.ToString(Style(stdout)).c_str(), stdout);
    if (options.filter.name && result.most_at_once > 1) {
      fmt::print("{} of one dump fit; each is followed by itself\n",
                 Count(result.most_at_once, "node"));
    }
  }
  if (result.events.empty() && result.unread.empty()) {
    std::fprintf(stderr, "sightline ir blame: no dump in %s has such a node\n",
                 Printable(options.directory).c_str());
  }
  for (const Status& status : result.unread) fail(status);
  if (!result.unread.empty()) return kExitError;
  return result.events.empty() ? kExitDamage : kExitOk;
}

}  // namespace

void AddIrBlameCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrBlameOptions>();
  CLI::App* command = ir.add_subcommand("blame", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", options->directory, "A folder of dumps")->required();
  CLI::Option_group* what = command->add_option_group("What is asked for, at least one");
  what->require_option(1, 0);
  what->add_option("--op", options->filter.callee,
                   "What is called: MatMul, Return; call, closure, meta and other kinds");
  what->add_option("--node,--name", options->filter.name, "The node's name: CNode_12");
  what->add_option("--attr", options->attribute, "KEY or KEY=VALUE, the value as it is printed");
  command->add_option("--subgraph", options->filter.subgraph, "The subgraph that it is of");
  command->add_option("--scope", options->filter.scope, "A scope that it is in, or below");
  command->add_flag("--json", options->json, "One line of JSON for each event");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
