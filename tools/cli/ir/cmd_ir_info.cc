// sightline ir info: what is in MindSpore's graph dumps, in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/model/summary.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrInfoOptions {
  std::vector<std::string> paths;
  bool json = false;
};

constexpr char kHelp[] = R"(Shows what is in graph dumps, in numbers.

For a file: its entry graph, how many subgraphs, parameters, statements and source lines it has, and
what the statements call. For a folder: a line for each dump, in the order in which they were
written.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir info graphs/20_validate_0074.ir
  sightline ir info graphs
  sightline ir info --json graphs/*_validate_*.ir | jq '.ops.PrimFunc_MatMul'

Exit codes: 0 shown (damage is part of it), 2 a file cannot be read or is not a dump.)";

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

nlohmann::ordered_json ToJson(const std::string& path, const ir::DumpFigures& figures,
                              const std::vector<ir::Problem>& problems) {
  const ir::Summary& summary = figures.summary;
  nlohmann::ordered_json json = {{"file", path},
                                 {"form", FormName(figures.form)},
                                 {"entry", figures.entry},
                                 {"subgraphs", summary.subgraphs},
                                 {"params", summary.parameters},
                                 {"statements", summary.statements},
                                 {"location_lines", summary.location_lines},
                                 {"ops", summary.callees}};
  if (figures.form == ir::Form::kActors) json["actors"] = summary.actors;
  if (figures.form == ir::Form::kActorSections) json["sections"] = summary.sections;
  json["problem_count"] = figures.problem_count;
  json["problems"] = nlohmann::ordered_json::array();
  for (const ir::Problem& problem : problems) {
    json["problems"].push_back(
        {{"line", problem.line}, {"column", problem.column}, {"message", problem.message}});
  }
  return json;
}

std::string Condition(const ir::DumpFigures& figures, const std::vector<ir::Problem>& problems,
                      const Style& style) {
  if (figures.problem_count == 0) return "";
  const std::string first = problems.empty() ? "" : ", " + Printable(ToText(problems.front()));
  return style.Red(Count(figures.problem_count, "problem") + first);
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

std::string ToText(const std::string& path, const ir::DumpFigures& figures,
                   const std::vector<ir::Problem>& problems, const Style& style) {
  const ir::Summary& summary = figures.summary;
  std::string text = style.Bold(Printable(path)) + "\n";
  switch (figures.form) {
    case ir::Form::kActors:
      text += fmt::format("  a set of {}\n", Count(summary.actors, "actor"));
      break;
    case ir::Form::kActorSections:
      text += fmt::format("  an actor set in {}\n", Count(summary.sections, "section"));
      break;
    case ir::Form::kGraph:
    case ir::Form::kFailure:
      text += fmt::format(
          "  entry @{}\n  {}, {}, {}, {}\n", Printable(figures.entry),
          Count(summary.subgraphs, "subgraph"), Count(summary.parameters, "parameter"),
          Count(summary.statements, "statement"), Count(summary.location_lines, "source line"));
      break;
  }
  if (figures.problem_count > 0) text += "  " + Condition(figures, problems, style) + "\n";
  return text + CalleeTable(summary, style);
}

class InfoPrinter {
 public:
  explicit InfoPrinter(const IrInfoOptions& options) : options_(options), style_(stdout) {}

  int Print() {
    for (const std::string& path : options_.paths) {
      const auto info = DumpFiles().Stat(path);
      if (!info) {
        Fail(info.error());
      } else if (info->is_directory) {
        PrintFolder(path);
      } else {
        PrintFile(path);
      }
    }
    return exit_code_;
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

  void PrintFile(const std::string& path) {
    const auto module = ir::ReadDump(path);
    if (!module) return Fail(module.error());
    const ir::DumpFigures figures = ir::FiguresOf(*module);
    if (options_.json) {
      std::puts(JsonLine(ToJson(path, figures, module->problems)).c_str());
    } else {
      std::fputs(ToText(path, figures, module->problems, style_).c_str(), stdout);
    }
  }

  void PrintFolder(const std::string& path) {
    const auto folder = ReadDumpFolder(path);
    if (!folder) return Fail(folder.error());
    Table table(Columns(), 0);
    for (const ir::Dump& dump : folder->dumps) {
      const std::string file = JoinPath(path, dump.path);
      const auto problems = Problems(dump, file);
      if (!problems) {
        Fail(problems.error());
      } else if (options_.json) {
        std::puts(JsonLine(ToJson(file, dump.figures, *problems)).c_str());
      } else {
        AddRow(dump, *problems, table);
      }
    }
    if (!options_.json) std::fputs(table.ToString(style_).c_str(), stdout);
  }

  void AddRow(const ir::Dump& dump, const std::vector<ir::Problem>& problems, Table& table) const {
    const ir::Summary& summary = dump.figures.summary;
    const std::string condition = Condition(dump.figures, problems, style_);
    if (const std::string actors = ActorCount(dump.figures); !actors.empty()) {
      table.AddRow({Printable(dump.path), "", "", "", "",
                    actors + (condition.empty() ? "" : ", " + condition)});
      return;
    }
    table.AddRow({Printable(dump.path), fmt::to_string(summary.subgraphs),
                  fmt::to_string(summary.parameters), fmt::to_string(summary.statements),
                  fmt::to_string(summary.location_lines), condition});
  }

  // The figures have only the number of problems, so the dump is read again.
  static Result<std::vector<ir::Problem>> Problems(const ir::Dump& dump, const std::string& file) {
    if (!dump.error.ok()) return Error(dump.error);
    if (dump.figures.problem_count == 0) return std::vector<ir::Problem>();
    SIGHTLINE_ASSIGN_OR_RETURN(const ir::Module module, ir::ReadDump(file));
    return module.problems;
  }

  const IrInfoOptions& options_;
  Style style_;
  int exit_code_ = kExitOk;
};

}  // namespace

void AddIrInfoCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrInfoOptions>();
  CLI::App* command = ir.add_subcommand("info", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Dumps, or folders of dumps")->required();
  command->add_flag("--json", options->json, "One line of JSON for each dump");
  command->callback([options, &exit_code] { exit_code = InfoPrinter(*options).Print(); });
}

}  // namespace sightline
