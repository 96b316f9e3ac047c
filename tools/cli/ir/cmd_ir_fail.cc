// sightline ir fail: what analyze_fail.ir tells about a network that did not compile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/query/failure.h"
#include "sightline/ir/report/node_json.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/node_card.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrFailOptions {
  std::string path;
  ir::PathMap path_map;
  bool json = false;
};

constexpr char kHelp[] = R"(Explains why a network did not compile, from its analyze_fail.ir.

MindSpore writes this file to rank_N/om, or below $MS_OM_PATH. If PATH is a folder, its files are
explained. Shows the exception, the way that the evaluation took through the subgraphs, with source
lines and the types of the operands, and the statement that failed.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir fail .                   where the training was started: what is in rank_0/om
  sightline ir fail rank_0/om/analyze_fail.ir
  sightline ir fail --path-map /home/user=$HOME/project rank_0/om/analyze_fail.ir
  sightline ir fail --json rank_0/om/analyze_fail.ir | jq '.stack[-1].source[-1]'

Exit codes: 0 explained, 1 there is no failure, 2 the file cannot be read or is not a dump.)";

class Story {
 public:
  Story(const ir::Module& module, const ir::PathMap& paths)
      : module_(module), paths_(paths), text_(module), failure_(ir::FindFailure(module)) {
    for (ir::Failure::Part& part : failure_.report) part.text = paths.ApplyToReport(part.text);
  }

  bool empty() const { return failure_.stack.empty() && failure_.report.empty(); }

  std::string ToText(const Style& style) const {
    std::string text;
    for (const ir::Failure::Part& part : failure_.report) {
      // The stack below has the same lines with more detail.
      if (part.title.starts_with("The Traceback")) continue;
      text += style.Bold(Printable(part.title)) + "\n" + Indented(part.text);
    }
    text += style.Bold("The way there") + "\n";
    for (std::size_t i = 0; i < failure_.stack.size(); ++i)
      text += Step(failure_.stack[i], i + 1 == failure_.stack.size(), style);
    return text;
  }

  nlohmann::ordered_json ToJson(const std::string& path) const {
    using Json = nlohmann::ordered_json;
    Json json = {{"file", path}, {"report", Json::array()}, {"stack", Json::array()}};
    for (const ir::Failure::Part& part : failure_.report)
      json["report"].push_back({{"title", part.title}, {"text", part.text}});
    for (const ir::Failure::Step& step : failure_.stack) {
      Json node = {{"position", step.position},
                   {"instance", module_.texts[module_.subgraphs[step.subgraph].instance]},
                   {"calls_value", Callee(step.node)}};
      node.update(ir::NodeToJson(text_, step.node, paths_));
      json["stack"].push_back(std::move(node));
    }
    if (!failure_.stack.empty()) json["failing"] = json["stack"].back()["name"];
    return json;
  }

 private:
  static std::string Indented(std::string_view text) {
    std::string indented;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      indented += "  " + Printable(text.substr(at, end - at)) + "\n";
      at = end + 1;
    }
    return indented;
  }

  // What is called through a value: "resolve(NameSpace[...], matmul_ext_op)".
  std::string Callee(std::uint32_t node) const {
    const ir::Source source = text_.flow().callee(node);
    if (source.kind != ir::SourceKind::kNode) return text_.Name(source);
    const std::string statement = text_.Statement(source.index);
    return statement.substr(std::min(statement.size(), statement.find(" = ") + 3));
  }

  std::string Step(const ir::Failure::Step& step, bool last, const Style& style) const {
    const std::string name = "@" + Printable(module_.texts[module_.subgraphs[step.subgraph].name]);
    std::string text = fmt::format("  {}  {}\n", step.position, style.Bold(name));
    const auto row = [&](const std::string& content) { text += "     " + content + "\n"; };
    const std::string statement = text_.Statement(step.node);
    row(last ? style.Red(statement + "   <- failed") : statement);
    row("calls " + Callee(step.node));
    const std::vector<std::string> types = text_.OperandTypes(step.node);
    if (!types.empty()) row(fmt::format("with  {}", fmt::join(types, ", ")));
    if (const auto location = text_.OwnLocation(step.node))
      row("at    " + PlaceText(*location, paths_));
    return text;
  }

  const ir::Module& module_;
  const ir::PathMap& paths_;
  ir::NodeText text_;
  ir::Failure failure_;
};

int Fail(std::string_view message, int exit_code) {
  std::fprintf(stderr, "sightline ir fail: %s\n", Printable(message).c_str());
  return exit_code;
}

// The file itself, or the compile errors of a folder and of the folders that belong to it.
Result<std::vector<std::string>> FailureFiles(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, DumpFiles().Stat(path));
  if (!info.is_directory) return std::vector<std::string>{path};
  SIGHTLINE_ASSIGN_OR_RETURN(const ir::Folder folder, ir::ListFolder(DumpFiles(), path));
  std::vector<std::string> files;
  for (const ir::Dump& dump : folder.dumps) {
    if (dump.name.kind == ir::DumpKind::kFailure) files.push_back(JoinPath(path, dump.path));
  }
  return files;
}

int Tell(const std::string& path, bool with_title, const IrFailOptions& options) {
  const auto module = ir::ReadDump(path);
  if (!module) return Fail(module.error().message(), kExitError);
  const Story story(*module, options.path_map);
  if (story.empty()) {
    return Fail(path + " does not describe a failure; analyze_fail.ir in rank_N/om does",
                kExitDamage);
  }
  const Style style(stdout);
  const std::string title = with_title ? style.Bold(Printable(path)) + "\n" : "";
  const std::string text =
      options.json ? JsonLine(story.ToJson(path)) + "\n" : title + story.ToText(style);
  std::fputs(text.c_str(), stdout);
  return kExitOk;
}

int Run(const IrFailOptions& options) {
  const auto files = FailureFiles(options.path);
  if (!files) return Fail(files.error().message(), kExitError);
  if (files->empty()) {
    return Fail(options.path + " has no analyze_fail.ir, nor does a rank_N/om in it", kExitDamage);
  }
  int exit_code = kExitOk;
  for (const std::string& file : *files)
    exit_code = std::max(exit_code, Tell(file, files->size() > 1, options));
  return exit_code;
}

}  // namespace

void AddIrFailCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrFailOptions>();
  CLI::App* command = ir.add_subcommand("fail", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->path, "analyze_fail.ir, or a folder with rank_N/om in it")
      ->required();
  AddPathMapOption(*command, options->path_map);
  command->add_flag("--json", options->json, "One line of JSON for each file");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
