// sightline ir diff: what two graph dumps differ in.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/compare/diff.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/report/diff_json.h"
#include "sightline/ir/report/diff_text.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/diff_listing.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrDiffOptions {
  std::string a;
  std::string b;
  bool all = false;
  bool json = false;
};

constexpr char kHelp[] =
    R"(Shows how two graph dumps differ: what was added (+), removed (-), changed or moved (~).

Statements are matched by what they call, use and return, not by their numbers. Ids, addresses,
scopes, source lines and the order of subgraphs do not count. Names are those of FILE1, and of FILE2
for what is new. If one of several equal statements is gone, nothing tells which one; it is marked
"ambiguous". A change that occurs in the same way at four or more places is listed once, with their
number and the first place. Two actor sets are compared actor by actor.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir diff graphs/11_pipeline_split_0028.ir graphs/12_optimize_0522.ir
  sightline ir diff one/20_validate_0074.ir.gz two/20_validate_0074.ir.gz
  sightline ir diff graphs/actor_set/2_actor_set_kernel_graph_0_multi_actor_fusion.ir \
                    graphs/actor_set/3_actor_set_kernel_graph_0_batch_data_arrow_fusion.ir
  sightline ir diff --json one.ir two.ir | jq -r '.changes[] | select(.change == "added") | .name'

Exit codes: 0 equal, 1 different, 2 a file cannot be read, or the two are not of one kind.)";

int Run(const IrDiffOptions& options) {
  const auto fail = [](const std::string& message) {
    std::fprintf(stderr, "sightline ir diff: %s\n", Printable(message).c_str());
    return kExitError;
  };
  const auto a = ir::ReadDump(options.a);
  if (!a) return fail(std::string(a.error().message()));
  const auto b = ir::ReadDump(options.b);
  if (!b) return fail(std::string(b.error().message()));
  const auto diff = ir::Compare(*a, *b);
  if (!diff) return fail(options.a + ", " + options.b + ": " + std::string(diff.error().message()));
  const ir::DiffText text(*a, *b, *diff);
  if (options.json) {
    nlohmann::ordered_json json = {{"a", options.a}, {"b", options.b}};
    json.update(ir::DiffToJson(text));
    std::puts(JsonLine(json).c_str());
  } else if (!diff->equal()) {
    const Style style(stdout);
    fmt::print("{}\n{}\n  {}\n\n{}", style.Bold("- " + Printable(options.a)),
               style.Bold("+ " + Printable(options.b)), ToText(CountChanges(*diff)),
               ListChanges(text, style, options.all));
  }
  return diff->equal() ? kExitOk : kExitDamage;
}

}  // namespace

void AddIrDiffCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrDiffOptions>();
  CLI::App* command = ir.add_subcommand("diff", kHelp);
  command->footer(kExamples);
  command->add_option("FILE1", options->a, "The dump before")->required();
  command->add_option("FILE2", options->b, "The dump after")->required();
  command->add_flag("--all", options->all,
                    "Every change by itself: those that repeat, and what is in added and removed "
                    "subgraphs");
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
