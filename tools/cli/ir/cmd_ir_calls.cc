// sightline ir calls: which subgraphs of a dump call which.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/query/call_graph.h"
#include "sightline/ir/report/node_text.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrCallsOptions {
  std::vector<std::string> files;
  bool json = false;
};

constexpr char kHelp[] = R"(Shows the call graph of a dump's subgraphs.

Shows for each subgraph what it calls and how often, which functions it passes on, what it uses of
other subgraphs (free variables), and which subgraphs use it. Also lists the subgraphs that cannot
be reached from the entry.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir calls graphs/01_type_inference_0001.ir
  sightline ir calls --json graphs/01_type_inference_0001.ir | jq 'select(.reachable | not) | .name'

Exit codes: 0 shown, 2 a file cannot be read or is not a dump.)";

class CallsPrinter {
 public:
  CallsPrinter(const std::string& path, const ir::Module& module)
      : path_(path), module_(module), text_(module), calls_(module, text_.flow()) {}

  std::string ToText(const Style& style) const {
    std::string text = style.Bold(Printable(path_)) + "\n";
    std::vector<std::string> unreachable;
    for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) {
      text += Block(i, style);
      if (!calls_[i].reachable) unreachable.push_back(Name(i));
    }
    if (!unreachable.empty()) {
      text += style.Red(fmt::format("{} not reached from the entry:",
                                    Count(unreachable.size(), "subgraph"))) +
              fmt::format(" {}\n", fmt::join(unreachable, ", "));
    }
    return text;
  }

  nlohmann::ordered_json ToJson(std::uint32_t subgraph) const {
    using Json = nlohmann::ordered_json;
    const ir::CallGraph::Entry& entry = calls_[subgraph];
    const ir::Subgraph& of = module_.subgraphs[subgraph];
    Json json = {{"file", path_},
                 {"name", module_.texts[of.name]},
                 {"instance", module_.texts[of.instance]},
                 {"parent", module_.texts[of.parent]},
                 {"entry", subgraph == text_.flow().entry()},
                 {"statements", of.nodes.size},
                 {"reachable", entry.reachable},
                 {"references", Json::array()},
                 {"used_by", Json::array()},
                 {"free_variables", Json::array()}};
    for (const auto& reference : entry.references) {
      json["references"].push_back({{"subgraph", RawName(reference.subgraph)},
                                    {"calls", reference.calls},
                                    {"values", reference.values}});
    }
    for (const std::uint32_t user : entry.used_by) json["used_by"].push_back(RawName(user));
    for (const ir::Source& source : entry.free_variables)
      json["free_variables"].push_back(text_.Name(source));
    return json;
  }

 private:
  std::string_view RawName(std::uint32_t subgraph) const {
    return module_.texts[module_.subgraphs[subgraph].name];
  }
  std::string Name(std::uint32_t subgraph) const { return "@" + Printable(RawName(subgraph)); }

  std::string Block(std::uint32_t subgraph, const Style& style) const {
    const ir::CallGraph::Entry& entry = calls_[subgraph];
    std::string text = fmt::format("{}  {}{}\n", style.Bold(Name(subgraph)),
                                   Count(module_.subgraphs[subgraph].nodes.size, "statement"),
                                   subgraph == text_.flow().entry() ? ", the entry" : "");
    const auto row = [&](std::string_view title, const std::string& value) {
      text += fmt::format("  {:<9}{}\n", title, value);
    };
    for (const auto& reference : entry.references) {
      const std::string name = Name(reference.subgraph);
      if (reference.calls == 1) row("calls", name);
      if (reference.calls > 1) row("calls", fmt::format("{}, {} times", name, reference.calls));
      if (reference.values > 0) row("hands on", name);
    }
    for (const ir::Source& source : entry.free_variables) row("uses", text_.Name(source));
    std::vector<std::string> users;
    for (const std::uint32_t user : entry.used_by) users.push_back(Name(user));
    if (!users.empty()) row("used by", fmt::format("{}", fmt::join(users, ", ")));
    return text;
  }

  const std::string& path_;
  const ir::Module& module_;
  ir::NodeText text_;
  ir::CallGraph calls_;
};

int Run(const IrCallsOptions& options) {
  int exit_code = kExitOk;
  const Style style(stdout);
  for (const std::string& path : options.files) {
    const auto module = ir::ReadDump(path);
    if (!module) {
      std::fprintf(stderr, "sightline ir calls: %s\n", Printable(module.error().message()).c_str());
      exit_code = kExitError;
      continue;
    }
    const CallsPrinter printer(path, *module);
    if (!options.json) {
      std::fputs(printer.ToText(style).c_str(), stdout);
      continue;
    }
    for (std::uint32_t i = 0; i < module->subgraphs.size(); ++i)
      std::puts(JsonLine(printer.ToJson(i)).c_str());
  }
  return exit_code;
}

}  // namespace

void AddIrCallsCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrCallsOptions>();
  CLI::App* command = ir.add_subcommand("calls", kHelp);
  command->footer(kExamples);
  command->add_option("FILE", options->files, "Dumps")->required();
  command->add_flag("--json", options->json, "One line of JSON for each subgraph");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
