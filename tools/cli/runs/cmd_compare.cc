// sightline compare: does a run follow its reference, and from which step does it leave?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/runs/compare/comparison_json.h"
#include "sightline/runs/compare/comparison_request.h"
#include "sightline/runs/compare/run_comparison.h"
#include "sightline/runs/query/tag_filter.h"
#include "sightline/tools/cli/runs/compared_side.h"
#include "sightline/tools/cli/runs/comparison_text.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct CompareOptions {
  std::string a;
  std::string b;
  std::string tag;
  std::string tolerance = "2%";
  std::string pattern;
  std::vector<std::string> like = {};
  bool json = false;
  bool markdown = false;
};

constexpr char kHelp[] = R"(Says whether run B follows run A, and from which step it does not.

A is the reference: the training that is known to be right, such as the one on other devices or with
another framework. B follows it in a tag while |b - a| <= tolerance x max(|a|, a tenth of the median
of |a|). It leaves at the first of 3 common steps in a row that are beyond. Also shows what differs
in settings, code, packages and machine. Changes nothing.

A and B are runs, or what a training printed: the console or text log of MindFormers or Megatron, a
trainer_state.json of Hugging Face, the folder of `sightline run`, or lines that --pattern finds.
)";

constexpr char kExamples[] = R"(Examples:
  sightline compare runs/gpu runs/npu
  sightline compare runs/gpu runs/npu --tag '^loss$' --tolerance 0.5%
  sightline compare runs/seed_1 runs/new --like runs/seed_2 runs/seed_3 runs/seed_4
  sightline compare megatron.log msrun_log/worker_7.log --tag loss
  sightline compare a.log b.log --pattern 'it (?P<step>\d+) .*loss=(?P<loss>\S+)'
  sightline compare runs/gpu runs/npu --markdown > report.md
  sightline compare runs/gpu runs/npu --json | jq '.tags[0].ranks[0].leaves.step'

Exit codes: 0 alike, 1 not alike or a tag of A is missing in B, 2 nothing to compare: a run cannot be
read, no tag is common, or fewer than half of the steps are.)";

Result<ComparisonReport> Compare(const CompareOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(CheckLike("--like", options.like.size()));
  RunComparisonOptions comparing;
  SIGHTLINE_ASSIGN_OR_RETURN(comparing.tolerance, ToleranceIn("--tolerance", options.tolerance));
  SIGHTLINE_ASSIGN_OR_RETURN(comparing.tags, MakeTagFilter("--tag", options.tag));
  SIGHTLINE_ASSIGN_OR_RETURN(const Comparand a, OpenComparand(options.a, options.pattern));
  SIGHTLINE_ASSIGN_OR_RETURN(const Comparand b, OpenComparand(options.b, options.pattern));
  std::vector<Comparand> like;
  for (const std::string& path : options.like) {
    SIGHTLINE_ASSIGN_OR_RETURN(Comparand one, OpenComparand(path, options.pattern));
    like.push_back(std::move(one));
  }
  comparing.like = like;
  return ComparisonReport{a.name, b.name, comparing.tolerance, like.size(),
                          CompareRuns(a, b, comparing)};
}

int ExitCodeOf(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::kAlike:
      return kExitOk;
    case RunVerdict::kDiffers:
      return kExitDamage;
    case RunVerdict::kNothingToCompare:
      return kExitError;
  }
  return kExitError;
}

int Print(const CompareOptions& options) {
  const auto report = Compare(options);
  if (!report) {
    std::fprintf(stderr, "sightline compare: %s\n", Printable(report.error().message()).c_str());
    return kExitError;
  }
  const std::string text = options.json       ? IndentedJson(ComparisonJson(*report)) + "\n"
                           : options.markdown ? ComparisonMarkdown(*report)
                                              : ComparisonText(*report);
  std::fputs(text.c_str(), stdout);
  return ExitCodeOf(report->found.verdict);
}

}  // namespace

void AddCompareCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", kHelp);
  command->footer(kExamples);
  command->add_option("A", options->a, "The reference: a run, or a log of one")->required();
  command->add_option("B", options->b, "What should follow it, likewise")->required();
  command->add_option("--tag", options->tag,
                      "Only tags that the regular expression (RE2) matches anywhere");
  command
      ->add_option("--tolerance", options->tolerance,
                   "How far a value may be from the reference's, as a share of it")
      ->capture_default_str();
  command->add_option("--like", options->like,
                      "Three or more runs of A's kind, such as those of other seeds: B may be as "
                      "far from A as they are");
  command->add_option("--pattern", options->pattern,
                      "Finds values in the lines of text logs: an expression (RE2) with the named "
                      "group step, and one for each tag");
  CLI::Option* const json = command->add_flag("--json", options->json, "One JSON object");
  command->add_flag("--markdown", options->markdown, "Markdown, for an issue or a report")
      ->excludes(json);
  command->callback([options, &exit_code] { exit_code = Print(*options); });
}

}  // namespace sightline
