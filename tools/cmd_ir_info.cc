// sightline ir info: what is in MindSpore's graph dumps, in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/reader.h"
#include "sightline/ir/summary.h"
#include "sightline/recorder/file_system.h"
#include "sightline/tools/cmd_ir.h"
#include "sightline/tools/commands.h"
#include "sightline/tools/text.h"

namespace sightline {
namespace {

struct IrInfoOptions {
  std::vector<std::string> paths;
  bool json = false;
};

constexpr char kHelp[] = R"(Shows what is in graph dumps, in numbers.

Of a file: its entry graph, how many subgraphs, parameters, statements and source lines it has, and
what the statements call. Of a folder: a line for each dump in it, in the order of writing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir info graphs/20_validate_0074.ir
  sightline ir info graphs
  sightline ir info --json graphs/*_validate_*.ir | jq '.ops.PrimFunc_MatMul'

Exit codes: 0 shown (damage is part of it), 2 a file cannot be read or is no dump.)";

std::string_view FormName(ir::Form form) {
  switch (form) {
    case ir::Form::kGraph:
      return "graph";
    case ir::Form::kFailure:
      return "compile error";
    case ir::Form::kActors:
      return "actors";
    case ir::Form::kActorSections:
      return "actor sections";
  }
  return {};
}

nlohmann::ordered_json ToJson(const std::string& path, const ir::Module& module) {
  const ir::Summary summary = ir::Summarize(module);
  nlohmann::ordered_json json = {{"file", path},
                                 {"form", FormName(module.form)},
                                 {"entry", module.texts[module.header.entry]},
                                 {"subgraphs", summary.subgraphs},
                                 {"params", summary.parameters},
                                 {"statements", summary.statements},
                                 {"location_lines", summary.location_lines},
                                 {"ops", summary.callees}};
  if (module.form == ir::Form::kActors) json["actors"] = summary.actors;
  if (module.form == ir::Form::kActorSections) json["sections"] = summary.sections;
  json["problem_count"] = module.problem_count;
  json["problems"] = nlohmann::ordered_json::array();
  for (const ir::Problem& problem : module.problems) {
    json["problems"].push_back(
        {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}});
  }
  return json;
}

std::string Condition(const ir::Module& module, const Style& style) {
  if (module.problem_count == 0) return "";
  return style.Red(fmt::format("{}, {}", Count(module.problem_count, "problem"),
                               Printable(ToText(module.problems.front()))));
}

// What the statements call, the most frequent first.
std::string CalleeTable(const ir::Summary& summary, const Style& style) {
  std::vector<std::pair<std::string, std::uint64_t>> callees(summary.callees.begin(),
                                                             summary.callees.end());
  std::stable_sort(callees.begin(), callees.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  using enum Table::Align;
  Table table({{"operator", kLeft}, {"statements", kRight}}, 2);
  for (const auto& [callee, count] : callees)
    table.AddRow({Printable(callee), fmt::to_string(count)});
  return callees.empty() ? "" : "\n" + table.ToString(style);
}

std::string ToText(const std::string& path, const ir::Module& module, const Style& style) {
  const ir::Summary summary = ir::Summarize(module);
  std::string text = style.Bold(Printable(path)) + "\n";
  switch (module.form) {
    case ir::Form::kActors:
      text += fmt::format("  a set of {}\n", Count(summary.actors, "actor"));
      break;
    case ir::Form::kActorSections:
      text += fmt::format("  an actor set in {}\n", Count(summary.sections, "section"));
      break;
    case ir::Form::kGraph:
    case ir::Form::kFailure:
      text += fmt::format(
          "  entry @{}\n  {}, {}, {}, {}\n", Printable(module.texts[module.header.entry]),
          Count(summary.subgraphs, "subgraph"), Count(summary.parameters, "parameter"),
          Count(summary.statements, "statement"), Count(summary.location_lines, "source line"));
      break;
  }
  if (module.problem_count > 0) text += "  " + Condition(module, style) + "\n";
  return text + CalleeTable(summary, style);
}

class InfoPrinter {
 public:
  explicit InfoPrinter(const IrInfoOptions& options)
      : options_(options), style_(stdout), folder_(Columns(), 0) {}

  int Print() {
    for (const std::string& path : options_.paths) {
      const auto files = IrFiles(path);
      if (!files) {
        Fail(files.error());
        continue;
      }
      // A folder's dumps are rows of a table, a file has a page.
      const bool folder = files->size() != 1 || files->front() != path;
      for (const std::string& file : *files) PrintFile(file, folder);
      if (folder && !options_.json) PrintFolder(path, files->empty());
    }
    return std::fflush(stdout) == 0 ? exit_code_ : kExitError;
  }

 private:
  static std::vector<std::pair<std::string, Table::Align>> Columns() {
    using enum Table::Align;
    return {{"dump", kLeft},        {"subgraphs", kRight},    {"params", kRight},
            {"statements", kRight}, {"source lines", kRight}, {"", kLeft}};
  }

  void Fail(const Status& status) {
    std::fprintf(stderr, "sightline ir info: %s\n", Printable(status.message()).c_str());
    exit_code_ = kExitError;
  }

  void PrintFile(const std::string& path, bool folder) {
    const auto module = ReadDump(path);
    if (!module) return Fail(module.error());
    if (options_.json) {
      std::puts(ToJson(path, *module)
                    .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                    .c_str());
    } else if (folder) {
      const ir::Summary summary = ir::Summarize(*module);
      folder_.AddRow({Printable(BaseName(path)), fmt::to_string(summary.subgraphs),
                      fmt::to_string(summary.parameters), fmt::to_string(summary.statements),
                      fmt::to_string(summary.location_lines), Condition(*module, style_)});
    } else {
      std::fputs(ToText(path, *module, style_).c_str(), stdout);
    }
  }

  void PrintFolder(const std::string& path, bool empty) {
    if (empty) {
      std::printf("%s: there are no dumps in it\n", Printable(path).c_str());
    } else {
      std::fputs(folder_.ToString(style_).c_str(), stdout);
    }
    folder_ = Table(Columns(), 0);
  }

  const IrInfoOptions& options_;
  Style style_;
  Table folder_;
  int exit_code_ = kExitOk;
};

}  // namespace

void AddIrInfoCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrInfoOptions>();
  CLI::App* command = ir.add_subcommand("info", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Dumps, or folders of dumps")->required();
  command->add_flag("--json", options->json, "One JSON object a line and dump");
  command->callback([options, &exit_code] { exit_code = InfoPrinter(*options).Print(); });
}

}  // namespace sightline
