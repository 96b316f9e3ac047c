// sightline ir show: prints a graph dump, or a node of it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/query/sorted.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/ir/report/node_json.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/node_card.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrShowOptions {
  std::vector<std::string> files;
  bool sorted = false;
  std::string node;
  ir::PathMap path_map;
  bool json = false;
};

constexpr char kHelp[] = R"(Prints graph dumps, or a node of them.

Prints dumps byte for byte as MindSpore wrote them, from what was read: so nothing was lost in
reading. What is wrong in a dump is named on standard error, with line and column, and printed all
the same. --sorted prints MindSpore's sorted form, which changes less from one compilation to the
next: the entry graph first, callers before what they call. --node prints a page for each node of
that name: attributes, types, inputs, users and source lines.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir show graphs/20_validate_0074.ir.gz | less
  sightline ir show dump.ir | cmp - dump.ir
  diff <(sightline ir show --sorted a.ir) <(sightline ir show --sorted b.ir)
  sightline ir show --node CNode_12 graphs/20_validate_0074.ir
  sightline ir show --node '@1_construct_36:%3' --path-map /home/user=$HOME graphs/20_*.ir

Exit codes: 0 printed, 1 printed but the dump is damaged, or it has no such node, 2 a file cannot be
read or is not a dump.)";

int ShowRaw(const std::string& path, const ir::Module& module, bool sorted) {
  for (const ir::Problem& problem : module.problems) {
    std::fprintf(stderr, "sightline ir show: %s: %s\n", Printable(path).c_str(),
                 Printable(ToText(problem)).c_str());
  }
  std::string text;
  if (!sorted) {
    text = ir::PrintIr(module);
  } else if (const auto form = ir::SortedForm(module)) {
    text = ir::PrintIr(*form);
  } else {
    std::fprintf(stderr, "sightline ir show: %s: %s\n", Printable(path).c_str(),
                 Printable(form.error().message()).c_str());
    return kExitError;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return kExitError;
  return module.problem_count > 0 ? kExitDamage : kExitOk;
}

int ShowNode(const std::string& path, const ir::Module& module, const IrShowOptions& options) {
  const auto nodes = ir::FindNodes(module, options.node);
  if (nodes.empty()) {
    std::fprintf(stderr, "sightline ir show: %s has no node %s\n", Printable(path).c_str(),
                 Printable(options.node).c_str());
    return kExitDamage;
  }
  const ir::NodeText text(module);
  const Style style(stdout);
  for (const std::uint32_t node : nodes) {
    if (options.json) {
      nlohmann::ordered_json json = {{"file", path}};
      json.update(ir::NodeToJson(text, node, options.path_map));
      std::puts(JsonLine(json).c_str());
    } else {
      std::fputs(NodeCard(text, node, options.path_map, style).c_str(), stdout);
    }
  }
  return kExitOk;
}

int Run(const IrShowOptions& options) {
  int exit_code = kExitOk;
  for (const std::string& path : options.files) {
    const auto module = ir::ReadDump(path);
    if (!module) {
      std::fprintf(stderr, "sightline ir show: %s\n", Printable(module.error().message()).c_str());
      exit_code = kExitError;
      continue;
    }
    exit_code = std::max(exit_code, options.node.empty() ? ShowRaw(path, *module, options.sorted)
                                                         : ShowNode(path, *module, options));
  }
  return exit_code;
}

}  // namespace

void AddIrShowCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrShowOptions>();
  CLI::App* command = ir.add_subcommand("show", kHelp);
  command->footer(kExamples);
  command->add_option("FILE", options->files, "Dumps")->required();
  CLI::Option* node = command->add_option(
      "--node", options->node, "Nodes: CNode_12, %3, Return, or @SUBGRAPH:%3; otherwise the dump");
  constexpr char kRaw[] = "The dump as MindSpore wrote it, as without an option";
  command
      ->add_flag_callback(
          "--raw", [] {}, kRaw)
      ->excludes(node);
  command->add_flag("--sorted", options->sorted, "The dump in MindSpore's sorted form")
      ->excludes(node);
  AddPathMapOption(*command, options->path_map);
  command->add_flag("--json", options->json, "With --node: one line of JSON for each node")
      ->needs(node);
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
