// sightline ir grep: finds nodes in graph dumps.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/base/parse_number.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/query/node_filter.h"
#include "sightline/ir/report/node_json.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/node_card.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrGrepOptions {
  std::vector<std::string> paths;
  ir::NodeFilter filter;
  std::string attribute;
  std::string source;
  ir::PathMap path_map;
  bool count = false;
  bool json = false;
};

constexpr char kHelp[] = R"(Finds nodes in graph dumps: those that meet all conditions given.

In a condition, * stands for any text and ? for one character; the condition must match the whole
text. Without a condition every statement is shown. Each has a line: file, line in the file,
subgraph, statement, result.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir grep --op MatMul graphs/20_validate_0074.ir
  sightline ir grep --op 'All*' --attr 'group="hccl_world_group"' graphs
  sightline ir grep --attr 'recompute=Bool(1)' --scope 'Default/*/layers/3-*' graphs/20_*.ir
  sightline ir grep --param '*.weight' --count graphs/20_validate_0074.ir
  sightline ir grep --source net.py:120 --path-map /home/user=$HOME graphs/20_validate_0074.ir

Exit codes: 0 found, 1 nothing found, 2 a file cannot be read or is not a dump.)";

// "net.py:120", "net.py", ":120"
void SetSource(const std::string& source, ir::NodeFilter& filter) {
  const std::size_t colon = source.rfind(':');
  std::string file = source;
  if (colon != std::string::npos) {
    filter.line = ParseNumber<std::uint32_t>(source.substr(colon + 1));
    if (filter.line) file = source.substr(0, colon);
  }
  if (!file.empty()) filter.file = file;
}

class Grep {
 public:
  explicit Grep(IrGrepOptions& options) : options_(options), style_(stdout) {
    SetAttribute(options.attribute, options.filter);
    if (!options.source.empty()) SetSource(options.source, options.filter);
  }

  int Run() {
    for (const std::string& path : options_.paths) {
      const auto files = IrFiles(path);
      if (!files) {
        Fail(files.error());
        continue;
      }
      for (const std::string& file : *files) Search(file);
    }
    if (exit_code_ == kExitOk && !found_) return kExitDamage;
    return exit_code_;
  }

 private:
  void Fail(const Status& status) {
    std::fprintf(stderr, "sightline ir grep: %s\n", Printable(status.message()).c_str());
    exit_code_ = kExitError;
  }

  void Search(const std::string& file) {
    const auto module = ir::ReadDump(file);
    if (!module) return Fail(module.error());
    const ir::NodeText text(*module);
    const auto lines = ir::LineNumbers(*module);
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < module->nodes.size(); ++i) {
      if (!ir::Matches(*module, text.flow(), i, options_.filter)) continue;
      ++count;
      if (!options_.count) Show(file, lines[module->nodes[i].lines.begin - 1], i, text);
    }
    found_ = found_ || count > 0;
    if (!options_.count) return;
    if (options_.json) {
      std::puts(JsonLine({{"file", file}, {"count", count}}).c_str());
    } else {
      fmt::print("{}:{}\n", Printable(file), count);
    }
  }

  void Show(const std::string& file, std::uint32_t line, std::uint32_t node,
            const ir::NodeText& text) const {
    if (options_.json) {
      nlohmann::ordered_json json = {{"file", file}, {"line", line}};
      json.update(ir::NodeToJson(text, node, options_.path_map));
      std::puts(JsonLine(json).c_str());
      return;
    }
    const std::string name = text.Name(node);
    const std::string result = text.Result(node);
    const auto location = ir::MatchedLocation(text.module(), node, options_.filter);
    const bool shows_place = !options_.source.empty() && location;
    fmt::print("{}:{}: {} {}{}{}\n", style_.Dim(Printable(file)), line,
               style_.Bold(name.substr(0, name.find(' '))), text.Statement(node),
               result.empty() ? "" : " -> " + result,
               shows_place ? "\n    " + PlaceText(*location, options_.path_map) : "");
  }

  IrGrepOptions& options_;
  Style style_;
  bool found_ = false;
  int exit_code_ = kExitOk;
};

}  // namespace

void AddIrGrepCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrGrepOptions>();
  ir::NodeFilter& filter = options->filter;
  CLI::App* command = ir.add_subcommand("grep", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Dumps, or folders of dumps")->required();
  command->add_option("--op", filter.callee,
                      "What is called: MatMul, Return; call, closure, meta and other kinds");
  command->add_option("--node,--name", filter.name, "The node's name: CNode_12");
  command->add_option("--subgraph", filter.subgraph, "The subgraph that it is of");
  command->add_option("--attr", options->attribute, "KEY or KEY=VALUE, the value as it is printed");
  command->add_option("--scope", filter.scope, "A scope that it is in, or below");
  command->add_option("--param", filter.parameter, "The name of a parameter that it takes");
  command->add_option("--source", options->source, "FILE, FILE:LINE or :LINE of its source stack");
  AddPathMapOption(*command, options->path_map);
  command->add_flag("--count", options->count, "How many in each file only");
  command->add_flag("--json", options->json, "One line of JSON for each node");
  command->callback([options, &exit_code] { exit_code = Grep(*options).Run(); });
}

}  // namespace sightline
