// sightline ir compare: two folders of graph dumps, pass by pass.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/folder_diff.h"
#include "sightline/ir/report/diff_json.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/diff_listing.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

using ir::DumpOutcome;
using ir::DumpPair;
using ir::GraphDiff;

struct IrCompareOptions {
  std::string a;
  std::string b;
  bool all = false;
  bool json = false;
};

constexpr char kHelp[] = R"(Compares two folders of dumps pass by pass: two versions, two ranks.

Passes are paired by their names, in order; their numbers may differ. Names the first pass whose
graphs differ, and the `sightline ir diff` that shows how. Consecutive passes that are equal, or
that one folder lacks, share a row with their number.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir compare graphs_2_7 graphs_2_10
  sightline ir compare graphs/rank_0 graphs/rank_1
  sightline ir compare --json good bad | jq -r 'select(.first) | .a, .b'

Exit codes: 0 both folders have the same passes and these are equal, 1 otherwise, 2 a folder or a
dump in it cannot be read.)";

std::string_view ToString(DumpOutcome outcome) {
  switch (outcome) {
    case DumpOutcome::kEqual:
      return "equal";
    case DumpOutcome::kDifferent:
      return "different";
    case DumpOutcome::kOnlyA:
      return "only_a";
    case DumpOutcome::kOnlyB:
      return "only_b";
    case DumpOutcome::kUnread:
      return "unread";
  }
  return {};
}

class Comparison {
 public:
  explicit Comparison(const IrCompareOptions& options) : options_(options), style_(stdout) {}

  int Run() {
    auto a = ReadDumpFolder(options_.a);
    if (!a) return Fail(a.error());
    auto b = ReadDumpFolder(options_.b);
    if (!b) return Fail(b.error());
    a_ = *std::move(a);
    b_ = *std::move(b);
    for (const GraphDiff& graph :
         ir::CompareFolders(DumpFiles(), {options_.a, a_}, {options_.b, b_})) {
      for (const DumpPair& pair : graph.dumps) {
        if (pair.outcome == DumpOutcome::kUnread) Fail(pair.error);
        equal_ = equal_ && pair.outcome == DumpOutcome::kEqual;
      }
      options_.json ? PrintJson(graph) : PrintText(graph);
    }
    return exit_code_ == kExitOk && !equal_ ? kExitDamage : exit_code_;
  }

 private:
  int Fail(const Status& status) {
    std::fprintf(stderr, "sightline ir compare: %s\n",
                 Printable(std::string(status.message())).c_str());
    return exit_code_ = kExitError;
  }

  std::string PathOf(const ir::Folder& folder, std::optional<std::uint32_t> dump) const {
    return dump ? folder.dumps[*dump].path : "";
  }

  void PrintJson(const GraphDiff& graph) const {
    for (std::size_t i = 0; i < graph.dumps.size(); ++i) {
      const DumpPair& pair = graph.dumps[i];
      using Json = nlohmann::ordered_json;
      Json json = {{"a", pair.a ? Json(PathOf(a_, pair.a)) : Json()},
                   {"b", pair.b ? Json(PathOf(b_, pair.b)) : Json()},
                   {"run", graph.run + 1},
                   {"compilation", graph.compilation + 1}};
      if (graph.kernel_graph) json["kernel_graph"] = *graph.kernel_graph + 1;
      json["outcome"] = ToString(pair.outcome);
      json["first"] = graph.first_different == i;
      if (pair.outcome == DumpOutcome::kDifferent) json["counts"] = ir::CountsToJson(pair.counts);
      if (pair.outcome == DumpOutcome::kUnread) json["error"] = pair.error.message();
      std::puts(JsonLine(json).c_str());
    }
  }

  std::string Text(const DumpPair& pair) const {
    switch (pair.outcome) {
      case DumpOutcome::kEqual:
        return "equal";
      case DumpOutcome::kDifferent:
        return ToText(pair.counts);
      case DumpOutcome::kOnlyA:
      case DumpOutcome::kOnlyB:
        return "not in the other folder";
      case DumpOutcome::kUnread:
        return style_.Red("cannot be compared");
    }
    return {};
  }

  // Whether both share a row: passes that are equal, or that the same folder lacks.
  bool Folds(const DumpPair& pair, const DumpPair& next) const {
    if (options_.all || pair.outcome != next.outcome) return false;
    switch (pair.outcome) {
      case DumpOutcome::kEqual:
      case DumpOutcome::kOnlyA:
      case DumpOutcome::kOnlyB:
        return true;
      case DumpOutcome::kDifferent:
      case DumpOutcome::kUnread:
        break;
    }
    return false;
  }

  void PrintText(const GraphDiff& graph) const {
    std::string title = fmt::format("compilation {}", graph.compilation + 1);
    if (a_.runs.size() > 1 || b_.runs.size() > 1)
      title = fmt::format("run {}, {}", graph.run + 1, title);
    if (graph.kernel_graph) title += fmt::format(", kernel graph {}", *graph.kernel_graph + 1);
    using enum Table::Align;
    Table table({{Printable(options_.a), kLeft}, {Printable(options_.b), kLeft}, {"", kLeft}}, 2);
    std::size_t folded = 0;  // Pairs that share the row of the next one.
    for (std::size_t i = 0; i < graph.dumps.size(); ++i) {
      const DumpPair& pair = graph.dumps[i];
      if (i + 1 < graph.dumps.size() && Folds(pair, graph.dumps[i + 1])) {
        ++folded;
        continue;
      }
      std::string a = Printable(PathOf(a_, pair.a));
      std::string b = Printable(PathOf(b_, pair.b));
      if (folded > 0) (pair.a ? a : b).insert(0, fmt::format("... {}, up to ", folded + 1));
      folded = 0;
      if (graph.first_different == i) {
        table.AddRow({style_.Bold(a), style_.Bold(b), style_.Bold(Text(pair)) + "  <- the first"});
      } else {
        table.AddRow({a, b, Text(pair)});
      }
    }
    fmt::print("{}\n{}", style_.Bold(title), table.ToString(style_));
    if (graph.first_different) {
      const DumpPair& first = graph.dumps[*graph.first_different];
      fmt::print("  sightline ir diff {} {}\n",
                 Printable(JoinPath(options_.a, PathOf(a_, first.a))),
                 Printable(JoinPath(options_.b, PathOf(b_, first.b))));
    }
    fmt::print("\n");
  }

  const IrCompareOptions& options_;
  Style style_;
  ir::Folder a_;
  ir::Folder b_;
  bool equal_ = true;
  int exit_code_ = kExitOk;
};

}  // namespace

void AddIrCompareCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrCompareOptions>();
  CLI::App* command = ir.add_subcommand("compare", kHelp);
  command->footer(kExamples);
  command->add_option("DIR1", options->a, "A folder of dumps")->required();
  command->add_option("DIR2", options->b, "Another one")->required();
  command->add_flag("--all", options->all,
                    "A row for each pass: those that are equal, or in one folder only, too");
  command->add_flag("--json", options->json, "One line of JSON for each pass");
  command->callback([options, &exit_code] { exit_code = Comparison(*options).Run(); });
}

}  // namespace sightline
