// sightline profile ops: operators by type and by name.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::OperatorGrouping;
using profiler::OperatorRow;
using profiler::OperatorTable;

struct OpsOptions : ProfileOptions {
  bool each = false;
  bool device = false;
  std::size_t top = 0;  // 0: all.
  std::string find;
};

constexpr char kHelp[] = R"(Lists operators by type, the longest first.

A type's total is the sum of its executions: from MindSpore's execution timestamps, or else from the
trace, or else from the sums in a csv. If operators run within each other (PyTorch), the totals of
both count that time, and self is the time without the inner operators. In a trace of a device, its
kernels are rows of their own, and a share is one of the host's or of the device's time. If launches
are recorded, device is the time of the tasks that were launched within an operator of the host, and
device self that without the operators within it.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile ops ./data
  sightline profile ops --each --find backward ./data   single operators, by a part of their name
  sightline profile ops --device ./trace.json           kernels of a device alone
  sightline profile ops --json ./data | head -1       {"type":"Conv2D","count":40,...}

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

nlohmann::ordered_json ToJson(const OperatorRow& row, bool each, const OperatorTable& table) {
  nlohmann::ordered_json json;
  if (each) json["name"] = row.name;
  json["type"] = row.type;
  if (table.has_both()) json["on"] = row.of_device ? "device" : "host";
  json["count"] = row.count;
  json["total_us"] = Microseconds(row.total);
  json["average_us"] = row.average() / 1000;
  json["share"] = row.share;
  if (table.has_launches && !row.of_device) {
    json["device_us"] = Microseconds(row.device);
    json["device_self_us"] = Microseconds(row.device_self);
  }
  if (!each) return json;
  if (table.nested) json["self_us"] = Microseconds(row.self);
  if (!row.shapes.empty()) json["shapes"] = row.shapes;
  if (row.flops > 0) {
    json["flops"] = row.flops;
    json["flops_per_second"] = row.flops_per_second();
  }
  return json;
}

std::string ToText(const OperatorTable& table, const OpsOptions& options, const Style& style) {
  using enum Table::Align;
  std::vector<std::pair<std::string, Table::Align>> columns = {
      {"count", kRight}, {"total", kRight}, {"average", kRight}, {"share", kRight}};
  if (table.nested) columns.insert(columns.begin() + 2, {"self", kRight});
  const bool launches = table.has_launches && !options.device;
  if (launches) {
    columns.emplace_back("device", kRight);
    columns.emplace_back("device self", kRight);
  }
  if (table.has_both()) columns.insert(columns.begin(), {"on", kLeft});
  columns.insert(columns.begin(), {"type", kLeft});
  const bool has_flops = std::any_of(table.rows.begin(), table.rows.end(),
                                     [](const OperatorRow& row) { return row.flops > 0; });
  if (has_flops) columns.emplace_back("GFLOP/s", kRight);
  if (options.each) columns.emplace_back("name", kLeft);
  Table text(columns, 0);
  for (const OperatorRow& row : table.rows) {
    std::vector<std::string> cells = {Printable(row.type)};
    if (table.has_both()) cells.emplace_back(row.of_device ? "device" : "host");
    cells.push_back(fmt::to_string(row.count));
    cells.push_back(FormatDuration(row.total));
    if (table.nested) cells.push_back(FormatDuration(row.self));
    cells.push_back(FormatDuration(static_cast<std::int64_t>(row.average())));
    cells.push_back(FormatShare(row.share));
    if (launches) {
      cells.push_back(row.of_device ? "-" : FormatDuration(row.device));
      cells.push_back(row.of_device ? "-" : FormatDuration(row.device_self));
    }
    if (has_flops)
      cells.push_back(row.flops > 0 ? fmt::format("{:.3g}", row.flops_per_second() / 1e9) : "-");
    if (options.each) cells.push_back(Printable(row.name));
    text.AddRow(std::move(cells));
  }
  return text.ToString(style);
}

std::string Heading(const OperatorTable& table, std::size_t shown) {
  std::string heading =
      fmt::format("{}, {} in all, from the {}{}\n", Count(table.count, "execution"),
                  FormatDuration(table.total), OperatorSourceName(table.source),
                  table.inferred ? ", which marks no operators: every span counts" : "");
  if (table.has_both()) {
    heading += fmt::format("On the device: {}, {} in all\n", Count(table.device_count, "execution"),
                           FormatDuration(table.device_total));
    if (table.has_launches && table.device_unlaunched > 0) {
      heading += fmt::format("{} of it was launched by no operator that is recorded\n",
                             FormatDuration(table.device_unlaunched));
    }
  }
  if (shown < table.rows.size())
    heading += fmt::format("The first {} of {} rows:\n", shown, table.rows.size());
  return heading;
}

int Run(const OpsOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  OperatorTable table = profiler::AnalyzeOperators(
      *profile, options.each ? OperatorGrouping::kByName : OperatorGrouping::kByType);
  if (options.device) table = OfDevice(std::move(table));
  if (!options.find.empty()) table = Matching(std::move(table), options.find);
  const std::size_t shown =
      options.top == 0 ? table.rows.size() : std::min(options.top, table.rows.size());
  if (!options.json) {
    if (table.rows.empty()) std::puts("No operators.");
    if (!table.rows.empty()) std::fputs(Heading(table, shown).c_str(), stdout);
  }
  table.rows.resize(shown);
  if (options.json) {
    for (const OperatorRow& row : table.rows)
      std::puts(JsonLine(ToJson(row, options.each, table)).c_str());
  } else if (!table.rows.empty()) {
    std::fputs(ToText(table, options, Style(stdout)).c_str(), stdout);
  }
  return exit_code;
}

}  // namespace

void AddProfileOpsCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<OpsOptions>();
  CLI::App* command = profile.add_subcommand("ops", kHelp);
  command->footer(kExamples);
  options->AddTo(
      *command,
      "One line of JSON for each type or operator: type, count, total_us, average_us, "
      "share (0..1); on (host, device) in a trace of both; device_us and device_self_us where "
      "launches are recorded; with "
      "--each name too, self_us where operators run within each other, and shapes, "
      "flops and flops_per_second where they are known");
  command->add_flag("--each", options->each, "Single operators, by their full names");
  command->add_flag("--device", options->device, "Only a device's kernels, copies and collectives");
  command->add_option("--top", options->top, "Only this many rows");
  command->add_option("--find", options->find,
                      "Only operators with this text in their name or type");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
