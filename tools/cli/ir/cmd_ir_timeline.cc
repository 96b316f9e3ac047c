// sightline ir timeline: what each pass of the compiler changed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/folder.h"
#include "sightline/ir/report/timeline_json.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/ir/ir_timeline.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

using ir::Compilation;
using ir::Dump;
using ir::DumpKind;
using ir::Folder;

struct TimelineOptions {
  std::vector<std::string> paths;
  bool all = false;
  bool json = false;
};

constexpr char kHelp[] = R"(Shows a folder of dumps pass by pass: what each changed.

The dumps are listed in the order in which they were written, split into runs, compilations and
kernel graphs. Each is compared with the one before it of the same graph, without ids, addresses and
source lines. Equal ones share a row.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir timeline graphs
  sightline ir timeline --all graphs              a row for each dump
  sightline ir timeline --json graphs | jq -r 'select(.changed) | .file'

Exit codes: 0 shown, 2 a folder or a dump in it cannot be read.)";

// Whether its graph is neither the compilation's nor a kernel graph.
bool HasOwnGraph(const Dump& dump) {
  const DumpKind kind = dump.name.kind;
  return dump.other_graph || (!ir::IsOfCompilation(kind) && kind != DumpKind::kKernelGraph);
}

class TimelinePrinter {
 public:
  explicit TimelinePrinter(const TimelineOptions& options) : options_(options), style_(stdout) {}

  int Print() {
    for (const std::string& path : options_.paths) {
      const auto folder = ReadDumpFolder(path);
      if (!folder) {
        Fail(folder.error());
        continue;
      }
      for (const Dump& dump : folder->dumps)
        if (!dump.error.ok()) Fail(dump.error);
      if (options_.json) {
        PrintJson(path, *folder);
      } else {
        PrintText(path, *folder);
      }
    }
    return exit_code_;
  }

 private:
  void Fail(const Status& status) {
    std::fprintf(stderr, "sightline ir timeline: %s\n", Printable(status.message()).c_str());
    exit_code_ = kExitError;
  }

  static void PrintJson(const std::string& path, const Folder& folder) {
    for (const auto& dump : ir::TimelineToJson(path, folder)) std::puts(JsonLine(dump).c_str());
  }

  void PrintText(const std::string& path, const Folder& folder) const {
    const auto changed =
        std::count_if(folder.dumps.begin(), folder.dumps.end(),
                      [](const Dump& dump) { return dump.before && dump.changed; });
    std::string text = style_.Bold(Printable(path)) + "\n";
    text += fmt::format("  {}, {} changed something; {} ({})\n", Count(folder.dumps.size(), "dump"),
                        changed, Count(folder.other_files, "other file"),
                        FormatByteSize(folder.other_bytes));
    for (std::size_t r = 0; r < folder.runs.size(); ++r) {
      const ir::Run& run = folder.runs[r];
      if (folder.runs.size() > 1) text += "\n" + RunHeading(folder, r);
      for (std::size_t c = 0; c < run.compilations.size(); ++c)
        text += ToText(folder, run.compilations[c], c + 1);
      if (run.unnumbered.size > 0)
        text += "\n" + style_.Bold("without a number") + "\n" + OtherRows(folder, run.unnumbered);
    }
    std::fputs(text.c_str(), stdout);
  }

  std::string RunHeading(const Folder& folder, std::size_t index) const {
    const ir::Run& run = folder.runs[index];
    const bool again = index > 0 && folder.runs[index - 1].rank == run.rank;
    std::string text = fmt::format("run {}", index + 1);
    if (run.rank) text += fmt::format(", rank {}", *run.rank);
    if (again) text += ": numbers occur again, so the folder holds another run";
    return style_.Bold(text) + "\n";
  }

  std::string ToText(const Folder& folder, const Compilation& compilation,
                     std::size_t number) const {
    DumpRows rows(folder, style_, options_.all);
    std::uint32_t others = 0;
    for (std::uint32_t i = compilation.dumps.begin; i < compilation.dumps.end(); ++i) {
      const Dump& dump = folder.dumps[i];
      if (HasOwnGraph(dump)) {
        ++others;
      } else if (ir::IsOfCompilation(dump.name.kind)) {
        rows.Add(dump);
      }
    }
    std::string text = "\n" + style_.Bold(fmt::format("compilation {}", number)) +
                       Network(folder, compilation) + "\n" + rows.ToString();
    for (std::size_t k = 0; k < compilation.kernel_sets.size(); ++k) {
      DumpRows kernel_rows(folder, style_, options_.all);
      const ir::Range range = compilation.kernel_sets[k].dumps;
      for (std::uint32_t i = range.begin; i < range.end(); ++i)
        if (folder.dumps[i].name.kind == DumpKind::kKernelGraph) kernel_rows.Add(folder.dumps[i]);
      text += "\n" + style_.Bold(fmt::format("compilation {}, kernel graph {}", number, k + 1)) +
              "\n" + kernel_rows.ToString();
    }
    if (others > 0) {
      text += "\n" + style_.Bold("graphs of their own") + "\n";
      text += OtherRows(folder, compilation.dumps);
    }
    return text;
  }

  // ": TrainOneStepCell", by the first graph of the compilation's own.
  static std::string Network(const Folder& folder, const Compilation& compilation) {
    for (std::uint32_t i = compilation.dumps.begin; i < compilation.dumps.end(); ++i) {
      const Dump& dump = folder.dumps[i];
      if (!HasOwnGraph(dump) && !dump.figures.entry.empty())
        return ": " + Printable(ir::NetworkOf(dump.figures.entry));
    }
    return "";
  }

  std::string OtherRows(const Folder& folder, ir::Range range) const {
    DumpRows rows(folder, style_, options_.all);
    for (std::uint32_t i = range.begin; i < range.end(); ++i)
      if (HasOwnGraph(folder.dumps[i])) rows.Add(folder.dumps[i]);
    return rows.ToString();
  }

  const TimelineOptions& options_;
  Style style_;
  int exit_code_ = kExitOk;
};

}  // namespace

void AddIrTimelineCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<TimelineOptions>();
  CLI::App* command = ir.add_subcommand("timeline", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", options->paths, "Folders of dumps")->required();
  command->add_flag("--all", options->all, "A row for each dump, unchanged ones too");
  command->add_flag("--json", options->json, "One line of JSON for each dump");
  command->callback([options, &exit_code] { exit_code = TimelinePrinter(*options).Print(); });
}

}  // namespace sightline
