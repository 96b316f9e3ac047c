// sightline ir: MindSpore's graph dumps (.ir). Hands the command line to its own verbs.
#include "sightline/tools/cli/ir/cmd_ir.h"

namespace sightline {
namespace {

constexpr char kHelp[] = R"(Reads MindSpore's graph dumps: the .ir files of save_graphs.

Reads every form of MindSpore 2: stages, passes, kernel graphs, sorted dumps, the short formats,
trace_code_graph files, actor sets and analyze_fail.ir; also MindSpore's .dot and .pb graphs, and
the graph of a summary file. docs/ir.md describes them. Changes nothing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir info graphs/20_validate_0074.ir    how many nodes, of which operators
  sightline ir info graphs                        every dump of a folder, in the order of writing
  sightline ir timeline graphs                    what each pass of the compiler changed
  sightline ir stats graphs/20_validate_0074.ir   operators, their results, casts, communication
  sightline ir grep --op MatMul graphs/20_validate_0074.ir
  sightline ir calls graphs/01_type_inference_0001.ir
  sightline ir diff graphs/11_pipeline_split_0028.ir graphs/12_optimize_0522.ir
  sightline ir dot --svg -o graph.svg graphs/20_validate_0074.ir
  sightline ir compare graphs_of_one_version graphs_of_another
  sightline ir blame --op Cast graphs             which pass put casts in, or took them out
  sightline ir show --node CNode_12 graphs/20_validate_0074.ir
  sightline ir fail .                             why it did not compile: rank_0/om/analyze_fail.ir
  sightline ir show graphs/20_validate_0074.ir
  sightline ir anonymize graphs -o public         a copy to share, without your directories
  sightline ir info --help                        more about a verb)";

}  // namespace

void AddIrCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("ir", kHelp);
  command->footer(kExamples);
  command->require_subcommand(1);
  AddIrAnonymizeCommand(*command, exit_code);
  AddIrBlameCommand(*command, exit_code);
  AddIrCallsCommand(*command, exit_code);
  AddIrCompareCommand(*command, exit_code);
  AddIrDiffCommand(*command, exit_code);
  AddIrDotCommand(*command, exit_code);
  AddIrFailCommand(*command, exit_code);
  AddIrGrepCommand(*command, exit_code);
  AddIrInfoCommand(*command, exit_code);
  AddIrShowCommand(*command, exit_code);
  AddIrStatsCommand(*command, exit_code);
  AddIrTimelineCommand(*command, exit_code);
}

}  // namespace sightline
