// sightline ir stats: the operators of graph dumps.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/query/statistics.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrStatsOptions {
  std::vector<std::string> paths;
  bool json = false;
};

constexpr char kHelp[] =
    R"(Shows the operators of graph dumps: how many, of which element types, with which results.

Also counts casts by their element types, communication operators by their group of devices, and
the statements that are recomputed.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir stats graphs/20_validate_0074.ir
  sightline ir stats --json graphs/20_validate_0074.ir | jq '.casts'

Exit codes: 0 shown (`ir info` shows damage), 2 a file cannot be read or is not a dump.)";

nlohmann::ordered_json ToJson(const std::string& path, const ir::Statistics& statistics) {
  nlohmann::ordered_json json = {{"file", path},
                                 {"recomputed", statistics.recomputed},
                                 {"operators", nlohmann::ordered_json::array()},
                                 {"casts", nlohmann::ordered_json::array()},
                                 {"communication", nlohmann::ordered_json::array()}};
  for (const ir::OperatorStatistics& counted : statistics.operators) {
    json["operators"].push_back({{"name", counted.name},
                                 {"count", counted.count},
                                 {"recomputed", counted.recomputed},
                                 {"operand_types", counted.operand_types},
                                 {"results", counted.results}});
  }
  for (const auto& [types, count] : statistics.casts)
    json["casts"].push_back({{"from", types.first}, {"to", types.second}, {"count", count}});
  for (const ir::CommunicationStatistics& counted : statistics.communication) {
    json["communication"].push_back(
        {{"name", counted.name}, {"group", counted.group}, {"count", counted.count}});
  }
  return json;
}

// The most frequent of them: "12 x Float32 (2, 4), 3 x Int64, 2 more".
std::string MostFrequent(const std::map<std::string, std::uint64_t>& counts, std::size_t shown) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(shown, sorted.size()); ++i)
    texts.push_back(fmt::format("{} x {}", sorted[i].second, Printable(sorted[i].first)));
  if (sorted.size() > shown) texts.push_back(fmt::format("{} more", sorted.size() - shown));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string ToText(const std::string& path, const ir::Statistics& statistics, const Style& style) {
  using enum Table::Align;
  std::string text = style.Bold(Printable(path)) + "\n";
  Table operators({{"operator", kLeft}, {"count", kRight}, {"operands", kLeft}, {"results", kLeft}},
                  2);
  for (const ir::OperatorStatistics& counted : statistics.operators) {
    operators.AddRow({Printable(counted.name), fmt::to_string(counted.count),
                      MostFrequent(counted.operand_types, 2), MostFrequent(counted.results, 3)});
  }
  text += operators.ToString(style);
  Table casts({{"cast from", kLeft}, {"to", kLeft}, {"count", kRight}}, 2);
  for (const auto& [types, count] : statistics.casts)
    casts.AddRow({Printable(types.first), Printable(types.second), fmt::to_string(count)});
  if (!statistics.casts.empty()) text += "\n" + casts.ToString(style);
  Table communication({{"communication", kLeft}, {"group", kLeft}, {"count", kRight}}, 2);
  for (const ir::CommunicationStatistics& counted : statistics.communication) {
    communication.AddRow(
        {Printable(counted.name), Printable(counted.group), fmt::to_string(counted.count)});
  }
  if (!statistics.communication.empty()) text += "\n" + communication.ToString(style);
  if (statistics.recomputed > 0)
    text += fmt::format("\n  {} recomputed\n", Count(statistics.recomputed, "statement"));
  return text;
}

int Run(const IrStatsOptions& options) {
  int exit_code = kExitOk;
  const auto fail = [&exit_code](const Status& status) {
    std::fprintf(stderr, "sightline ir stats: %s\n", Printable(status.message()).c_str());
    exit_code = kExitError;
  };
  const Style style(stdout);
  for (const std::string& path : options.paths) {
    const auto files = IrFiles(path);
    if (!files) {
      fail(files.error());
      continue;
    }
    for (const std::string& file : *files) {
      const auto module = ir::ReadDump(file);
      if (!module) {
        fail(module.error());
        continue;
      }
      const ir::Statistics statistics = ir::CountOperators(*module);
      const std::string text = options.json ? JsonLine(ToJson(file, statistics)) + "\n"
                                            : ToText(file, statistics, style);
      std::fputs(text.c_str(), stdout);
    }
  }
  return exit_code;
}

}  // namespace

void AddIrStatsCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrStatsOptions>();
  CLI::App* command = ir.add_subcommand("stats", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Dumps, or folders of dumps")->required();
  command->add_flag("--json", options->json, "One line of JSON for each dump");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
