// sightline ls: the runs in and below directories, chosen and sorted by a query.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/runs/query.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/commands.h"
#include "sightline/tools/text.h"

namespace sightline {
namespace {

using nlohmann::ordered_json;

struct LsOptions {
  std::vector<std::string> roots;
  std::string where;
  std::string sort;
  std::vector<std::string> columns = {};
  bool reverse = false;
  bool json = false;
};

constexpr char kHelp[] = R"(Lists the runs in and below directories.

A run is a directory that holds event files, of MindSpore or TensorBoard or both. --where chooses
runs by what is known of them, --sort orders them, --columns says what is shown: names and
expressions of docs/query.md. Reads every event; changes nothing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ls ./output
  sightline ls ./output --where "lr > 0.01 and network =~ 'LeNet'" --sort 'last("loss")'
  sightline ls ./output --columns name state lr 'min("loss")' 'step("loss")'
  sightline ls --json ./output | jq '.runs[] | .name, .series[].tag'

Names: name, directory, state, damaged, started, ended, duration, last_step, and the keys of the
lineage. Functions of a scalar's tag: first, last, min, max, count, step.

Exit codes: 0 listed, 2 a directory cannot be read or an expression is wrong.)";

const std::vector<std::string> kDefaultColumns = {"name", "state", "last_step", "started",
                                                  "duration"};

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

ordered_json NumberJson(double number) {
  // JSON has no NaN and no infinities.
  return std::isfinite(number) ? ordered_json(number) : ordered_json(fmt::format("{}", number));
}

ordered_json ToJson(const QueryValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) return NumberJson(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

ordered_json ToJson(const Series& series) {
  const SeriesKey& key = series.key();
  ordered_json json = {{"kind", ContentKindName(key.kind)},
                       {"tag", key.tag},
                       {"rank", key.rank},
                       {"points", series.size()},
                       {"first_step", series.steps().front()},
                       {"last_step", series.steps().back()}};
  if (!key.plugin.empty()) json["plugin"] = key.plugin;
  if (!series.is_scalar()) return json;
  const Extremes extremes = series.ExtremesOf(0, series.size());
  json["last"] = NumberJson(series.values().back());
  if (!std::isnan(extremes.min)) {
    json["min"] = extremes.min;
    json["max"] = extremes.max;
  }
  return json;
}

ordered_json ToJson(const Run& run, double now) {
  ordered_json json = {{"name", run.name()},
                       {"directory", run.directory()},
                       {"state", RunStateName(run.StateAt(now))},
                       {"damaged", run.damaged()}};
  if (run.first_wall_time()) json["started"] = *run.first_wall_time();
  if (run.last_wall_time()) json["ended"] = *run.last_wall_time();
  json["files"] = run.files().size();
  std::uint64_t bytes = 0;
  for (const RunFile& file : run.files()) bytes += file.bytes;
  json["bytes"] = bytes;
  json["lineage"] = ordered_json::object();
  for (const auto& [name, value] : run.lineage()) {
    json["lineage"][name] = std::visit(
        [](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>)
            return NumberJson(held);
          return ordered_json(held);
        },
        value);
  }
  json["series"] = ordered_json::array();
  for (const auto& series : run.series()) json["series"].push_back(ToJson(*series));
  std::uint64_t superseded = 0;
  for (const auto& series : run.superseded()) superseded += series->size();
  json["superseded_points"] = superseded;
  return json;
}

std::string Cell(const std::string& column, const QueryValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && (column == "started" || column == "ended")) return FormatTime(*number);
  if (number != nullptr && column == "duration") return fmt::format("{:.1f} s", *number);
  return Printable(QueryValueText(value));
}

Result<RunGroup> Choose(const LsOptions& options, double now) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(RunGroup group,
                                 RunGroup::Open(FileSystem::Local(), options.roots));
  if (!options.where.empty()) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(group, group.Where(options.where, now));
  }
  if (!options.sort.empty() || options.reverse) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(
        group, group.Sorted(options.sort.empty() ? "name" : options.sort, options.reverse, now));
  }
  return group;
}

// Before anything is read: a query that is wrong should say so at once.
Status CheckQueries(const LsOptions& options) {
  for (const std::string* text : {&options.where, &options.sort}) {
    if (text->empty()) continue;
    if (const auto query = Query::Parse(*text); !query) return query.error();
  }
  return {};
}

Result<std::string> Listing(const LsOptions& options) {
  SIGHTLINE_UNEXPECTED_IF_ERROR(CheckQueries(options));
  const auto& columns =
      options.columns.empty() && !options.json ? kDefaultColumns : options.columns;
  std::vector<Query> queries;
  std::vector<std::pair<std::string, Table::Align>> heading;
  for (const std::string& column : columns) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(Query query, Query::Parse(column));
    queries.push_back(std::move(query));
    heading.emplace_back(Printable(column),
                         heading.empty() ? Table::Align::kLeft : Table::Align::kRight);
  }
  const double now = Now();
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const RunGroup group, Choose(options, now));
  Table table(heading, 0);
  ordered_json json = {{"runs", ordered_json::array()}};
  for (const auto& run : group.runs()) {
    if (options.json) json["runs"].push_back(ToJson(*run, now));
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const QueryValue value = queries[i].Evaluate(*run, now);
      if (options.json) json["runs"].back()["columns"][columns[i]] = ToJson(value);
      cells.push_back(Cell(columns[i], value));
    }
    if (!options.json) table.AddRow(std::move(cells));
  }
  if (options.json) return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  return group.runs().empty() ? std::string("no such runs\n") : table.ToString(Style(stdout));
}

int List(const LsOptions& options) {
  const auto listing = Listing(options);
  if (!listing) {
    std::fprintf(stderr, "sightline ls: %s\n", Printable(listing.error().message()).c_str());
    return kExitError;
  }
  std::fputs(listing->c_str(), stdout);
  return std::fflush(stdout) == 0 ? kExitOk : kExitError;
}

}  // namespace

void AddLsCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<LsOptions>();
  CLI::App* command = app.add_subcommand("ls", kHelp);
  command->footer(kExamples);
  command->add_option("ROOT", options->roots, "Runs, or directories above runs")->required();
  command->add_option("--where", options->where, "Only the runs that this query holds for");
  command->add_option("--sort", options->sort, "By this expression; runs without one are last");
  command->add_flag("--reverse", options->reverse, "The other way round");
  command->add_option("--columns", options->columns, "Expressions to show, one a column");
  command->add_flag("--json", options->json,
                    "One JSON object: of each run lineage, state and every series");
  command->callback([options, &exit_code] { exit_code = List(*options); });
}

}  // namespace sightline
