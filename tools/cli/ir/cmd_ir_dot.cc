// sightline ir dot: draws graph dumps.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/draw/dot_printer.h"
#include "sightline/ir/draw/view.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/read/actor_graph.h"
#include "sightline/ir/report/drawing_json.h"
#include "sightline/ir/report/graph_of_dump.h"
#include "sightline/ir/report/svg.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/output_file.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrDotOptions {
  std::vector<std::string> paths;
  std::string output;
  bool svg = false;
  bool graph_def = false;
  bool json = false;
  bool forward = false;
  bool backward = false;
  bool bookkeeping = false;
  ir::View view;
};

constexpr char kHelp[] = R"(Draws graph dumps, readable and at any size.

Prints text for graphviz, with a box for each statement. In a large graph, scopes and subgraphs are
boxes, which show how many statements they stand for. An actor set is drawn as its actors, with
arrows of data and of control (dashed). With --svg graphviz draws it, if it is installed. Conditions
choose what is drawn; nodes must meet all of them.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir dot --svg -o graph.svg graphs/20_validate_0074.ir
  sightline ir dot graphs/20_validate_0074.ir | dot -Tpdf -o graph.pdf
  sightline ir dot --svg -o pictures graphs             a picture of each dump of a folder
  sightline ir dot --node CNode_12 --around 3 --svg -o near.svg graphs/20_validate_0074.ir
  sightline ir dot --from CNode_12 --to CNode_40 graphs/20_validate_0074.ir
  sightline ir dot --scope '*/0-Block' --all graphs/20_validate_0074.ir
  sightline ir dot --backward --fold graphs/20_validate_0074.ir
  sightline ir dot --graphdef -o run graphs/20_validate_0074.ir && tensorboard --logdir run

Exit codes: 0 drawn, 1 a dump has no such node or scope, or nothing to draw, 2 a dump cannot be
read, graphviz is missing or did not finish, or the output cannot be written.)";

// The end of the names of output files.
std::string Suffix(const IrDotOptions& options) {
  if (options.graph_def) return "";
  if (options.json) return ".json";
  return options.svg ? ".svg" : ".dot";
}

Result<std::string> Render(const ir::Module& module, const ir::Dataflow& flow,
                           const std::string& path, const IrDotOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(ir::Drawing drawing, ir::Draw(module, flow, options.view));
  drawing.subtitle = std::exchange(drawing.title, std::string(BaseName(path)));
  if (options.json) return ir::DrawingToJson(drawing) + "\n";
  const std::string dot = ir::PrintDot(drawing);
  if (!options.svg) return dot;
  return ir::MakeSvg(dot);
}

// Writes an event file for TensorBoard into the folder `output`.
Status WriteGraphDef(const ir::Module& module, const ir::Dataflow& flow,
                     const std::vector<bool>& shown, const std::string& output) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string message,
                             SerializeGraph(ir::GraphOfDump(module, flow, shown)));
  RecorderOptions options;
  options.formats = {Format::kTensorBoard};
  SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder, Recorder::Open(output, options));
  recorder->AddMessage("", 0, ValueKind::kGraph, message);
  return recorder->Close();
}

Status Write(const std::string& output, std::string_view text) {
  if (output.empty()) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size()
               ? Status()
               : Status(StatusCode::kIoError, "standard output cannot be written");
  }
  return WriteOutput(output, text);
}

int Fail(std::string_view message) {
  std::fprintf(stderr, "sightline ir dot: %s\n", Printable(message).c_str());
  return kExitError;
}

int DrawDump(const std::string& path, const std::string& output, const IrDotOptions& options) {
  auto dump = ir::ReadDump(path);
  if (!dump) return Fail(dump.error().message());
  const ir::Module module = ir::ActorGraph(*std::move(dump));
  if (module.nodes.empty()) {
    Fail(path + ": nothing to draw: the dump has no statement and no actor");
    return kExitDamage;
  }
  const ir::Dataflow flow(module);
  const auto shown = ir::SelectNodes(module, flow, options.view);
  if (!shown) {
    Fail(shown.error().WithContext(path).message());
    return kExitDamage;
  }
  Status written;
  if (options.graph_def) {
    written = WriteGraphDef(module, flow, *shown, output);
  } else {
    const auto text = Render(module, flow, path, options);
    written = text ? Write(output, *text) : text.error();
  }
  return written.ok() ? kExitOk : Fail(written.WithContext(path).message());
}

struct DumpToDraw {
  std::string path;
  std::string name;  // "x.ir", or "bprop/x.ir" below a folder.
};

// The dumps at these paths. Prints an error for each path that cannot be read.
std::vector<DumpToDraw> FindDumps(const std::vector<std::string>& paths, int& exit_code) {
  std::vector<DumpToDraw> dumps;
  for (const std::string& path : paths) {
    const auto files = IrFiles(path);
    if (!files) exit_code = Fail(files.error().message());
    if (!files) continue;
    for (const std::string& file : *files) {
      const std::filesystem::path below = std::filesystem::path(file).lexically_relative(path);
      dumps.push_back({file, file == path ? std::string(BaseName(file)) : below.string()});
    }
  }
  return dumps;
}

// A file, or with --graphdef a folder, for each of several dumps.
int DrawInto(const std::string& directory, const std::vector<DumpToDraw>& dumps,
             const IrDotOptions& options) {
  int exit_code = kExitOk;
  std::set<std::string> names;
  for (const DumpToDraw& dump : dumps) {
    if (!names.insert(dump.name).second) {
      exit_code =
          Fail(fmt::format("{} has the name of a dump that is drawn already: {}. Draw it into a "
                           "folder of its own",
                           dump.path, JoinPath(directory, dump.name)));
      continue;
    }
    const std::string output = JoinPath(directory, dump.name + Suffix(options));
    const Status made = FileSystem::Local().CreateDirectories(DirectoryOf(output));
    exit_code = std::max(exit_code,
                         made.ok() ? DrawDump(dump.path, output, options) : Fail(made.message()));
  }
  return exit_code;
}

int Run(IrDotOptions options) {
  if (options.forward) options.view.pass = ir::Pass::kForward;
  // A user who names a node, or asks for everything, sees the bookkeeping too.
  const ir::View& view = options.view;
  options.view.without_bookkeeping =
      !options.bookkeeping && !view.all && !view.node && !view.from && !view.to;
  if (options.backward) options.view.pass = ir::Pass::kBackward;
  int exit_code = kExitOk;
  const std::vector<DumpToDraw> dumps = FindDumps(options.paths, exit_code);
  const bool into =
      !options.output.empty() &&
      (dumps.size() > 1 || (!options.graph_def && std::filesystem::is_directory(options.output)));
  if (into) {
    exit_code = std::max(exit_code, DrawInto(options.output, dumps, options));
  } else {
    for (const DumpToDraw& dump : dumps)
      exit_code = std::max(exit_code, DrawDump(dump.path, options.output, options));
  }
  return exit_code;
}

void AddView(CLI::App& command, IrDotOptions& options) {
  ir::View& view = options.view;
  CLI::Option_group* what = command.add_option_group("What is drawn");
  what->add_option("--scope", view.scope, "Nodes in this scope or below it; * for any text");
  CLI::Option* node =
      what->add_option("--node", view.node, "Nodes near this one: CNode_12, %3, @G:%3");
  what->add_option("--around", view.around,
                   "How near: at most this many steps before or after it (1)")
      ->needs(node);
  what->add_option("--from", view.from, "Nodes that this one's values get to");
  what->add_option("--to", view.to, "Nodes that this one's value comes from; with --from between");
  CLI::Option* forward =
      what->add_flag("--forward", options.forward, "Without gradients and updates");
  what->add_flag("--backward", options.backward, "Gradients and updates only")->excludes(forward);
  what->add_flag("--bookkeeping", options.bookkeeping,
                 "Also what only reads parameters and keeps effects in order: Load, Depend, ...");
  CLI::Option_group* how = command.add_option_group("How coarsely");
  CLI::Option* all = how->add_flag("--all", view.all, "Every statement, however many there are");
  how->add_option("--depth", view.depth, "Scopes and subgraphs at this depth as boxes")
      ->excludes(all);
  how->add_option("--collapse", view.collapse, "These scopes as boxes; may be given several times")
      ->allow_extra_args(false);
  how->add_flag("--fold", view.fold, "Repeated blocks as one");
}

}  // namespace

void AddIrDotCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrDotOptions>();
  CLI::App* command = ir.add_subcommand("dot", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Dumps, or folders of dumps")->required();
  CLI::Option* output = command->add_option(
      "-o,--output", options->output,
      "Where to write; of several dumps a folder, which is made. Otherwise standard output");
  CLI::Option* svg = command->add_flag("--svg", options->svg, "A picture, by graphviz");
  CLI::Option* json =
      command->add_flag("--json", options->json, "Boxes, edges, clusters as JSON")->excludes(svg);
  command
      ->add_flag("--graphdef", options->graph_def,
                 "An event file for TensorBoard, in the folder -o")
      ->excludes(svg)
      ->excludes(json)
      ->needs(output);
  AddView(*command, *options);
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
