// sightline ls: the runs in and below directories, chosen and sorted by a query.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/text/number_text.h"
#include "sightline/runs/query/query.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/name_check.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/json_writer.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

using nlohmann::ordered_json;

struct LsOptions {
  std::vector<std::string> roots;
  std::string where;
  std::string sort;
  std::string group_by;
  std::vector<std::string> columns = {};
  bool reverse = false;
  bool json = false;
  std::string index_folder = DefaultIndexFolder().value_or("");
  bool no_index = false;
  std::uint64_t memory_limit = 0;
};

constexpr char kHelp[] = R"(Lists the runs in and below directories.

A run is a directory that holds event files, of MindSpore or TensorBoard or both. --where chooses
runs, --sort orders them, --columns chooses what is shown. All three take the names and expressions
of docs/query.md.

What was read is kept in your cache folder, so that the next listing reads only what is new. Runs
themselves are never changed.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ls ./output
  sightline ls ./output --where "lr > 0.01 and network =~ 'Net'" --sort 'last("loss/auto")'
  sightline ls ./output --columns name state lr 'min("loss/auto")' 'step("loss/auto")'
  sightline ls ./output --group-by lr --columns 'last("loss/auto")' duration
  sightline ls --json ./output | jq '.runs[] | .name, .series[].tag'

Names: name, directory, state, damaged, started, ended, duration, last_step, and the keys of the
lineage. Functions of a scalar's tag: first, last, min, max, count, step. isnan(...) is true where a
value is NaN. A word alone, as in --where b16, also chooses the runs whose names contain it.

Exit codes: 0 listed, 2 a directory cannot be read or an expression is wrong.)";

const std::vector<std::string> kDefaultColumns = {"name", "state", "last_step", "started",
                                                  "duration"};

ordered_json NumberJson(double number) {
  // JSON has no NaN and no infinities.
  return std::isfinite(number) ? ordered_json(number) : ordered_json(NumberText(number));
}

ordered_json ToJson(const QueryValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) return NumberJson(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

void Write(const Series& series, JsonWriter& json) {
  const SeriesKey& key = series.key();
  json.Member("kind", ContentKindName(key.kind));
  json.Member("tag", key.tag);
  json.Member("rank", std::int64_t{key.rank});
  json.Member("points", std::uint64_t{series.size()});
  json.Member("first_step", series.first_step());
  json.Member("last_step", series.last_step());
  if (!key.plugin.empty()) json.Member("plugin", key.plugin);
  if (!series.is_scalar()) return;
  const Extremes extremes = series.ExtremesOf(0, series.size());
  json.Member("last", series.last_value());
  if (std::isnan(extremes.min)) return;
  json.Member("min", extremes.min);
  json.Member("max", extremes.max);
}

std::uint64_t UncheckedIn(const Run& run) {
  std::uint64_t unchecked = 0;
  for (const RunFile& file : run.files()) unchecked += file.unchecked;
  return unchecked;
}

void Write(const Run& run, JsonWriter& json) {
  json.Member("name", run.name());
  json.Member("directory", run.directory());
  json.Member("state", RunStateName(run.State()));
  json.Member("damaged", run.damaged());
  if (run.first_wall_time()) json.Member("started", *run.first_wall_time());
  if (run.last_wall_time()) json.Member("ended", *run.last_wall_time());
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  for (const RunFile& file : run.files()) {
    if (!file.foreign_type.empty()) continue;
    ++files;
    bytes += file.bytes;
  }
  json.Member("files", files);
  json.Member("bytes", bytes);
  json.Member("unchecked", UncheckedIn(run));
  json.Member("lineage", '{');
  for (const auto& [name, value] : run.lineage()) {
    const std::string& key = name;
    std::visit([&](const auto& held) { json.Member(key, held); }, value);
  }
  json.Close('}');
  json.Member("series", '[');
  for (const auto& series : run.series()) {
    json.Element('{');
    Write(*series, json);
    json.Close('}');
  }
  json.Close(']');
  std::uint64_t superseded = 0;
  for (const auto& series : run.superseded()) superseded += series->size();
  json.Member("superseded_points", superseded);
}

// The tags whose values are not all finite: "loss", "accuracy, loss and 2 more". For tables.
std::string TagsWithNonFinite(const Run& run) {
  constexpr std::size_t kShown = 2;
  std::vector<std::string> tags;
  for (const auto& series : run.series()) {
    if (!series->is_scalar()) continue;
    const Extremes all = series->ExtremesOf(0, series->size());
    if (all.nan_count + all.pos_inf_count + all.neg_inf_count == 0) continue;
    const std::string tag = Printable(series->key().tag);
    if (tags.empty() || tags.back() != tag)
      tags.push_back(tag);  // The ranks of a tag are together.
  }
  const std::size_t shown = std::min(kShown, tags.size());
  std::string text = fmt::to_string(
      fmt::join(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (tags.size() > shown) text += fmt::format(" and {} more", tags.size() - shown);
  return text;
}

std::string Cell(const Run& run, const std::string& column, const QueryValue& value) {
  if (column == "state" && run.signs().recovered && value == QueryValue(std::string("killed")))
    return "killed, recovered";
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && (column == "started" || column == "ended")) return FormatTime(*number);
  if (number != nullptr && column == "duration") return fmt::format("{:.1f} s", *number);
  return Printable(QueryValueText(value));
}

Result<RunGroup> Choose(const LsOptions& options, const RunGroup& all) {
  RunGroup group(std::vector(all.runs().begin(), all.runs().end()));
  if (!options.where.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(group, group.Where(options.where));
  }
  if (!options.sort.empty() || options.reverse) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        group, group.Sorted(options.sort.empty() ? "name" : options.sort, options.reverse));
  }
  return group;
}

// Call this before any run is read, so that a wrong query is reported at once.
Status CheckQueries(const LsOptions& options) {
  for (const std::string* text : {&options.where, &options.sort, &options.group_by}) {
    if (text->empty()) continue;
    if (const auto query = Query::Parse(*text); !query) return query.error();
  }
  return {};
}

class Listing {
 public:
  static Result<Listing> Of(const LsOptions& options) {
    Listing listing;
    listing.json_ = options.json;
    listing.asked_ = !options.columns.empty();
    listing.where_ = options.where;
    listing.roots_ = options.roots;
    listing.columns_ = options.columns.empty() && !options.json ? kDefaultColumns : options.columns;
    const auto at = std::find(listing.columns_.begin(), listing.columns_.end(), "name");
    const bool a_row_a_run = !options.json && options.group_by.empty();
    if (a_row_a_run && at == listing.columns_.end())
      listing.columns_.insert(listing.columns_.begin(), "name");
    for (const std::string& column : listing.columns_) {
      SIGHTLINE_ASSIGN_OR_RETURN(Query query, Query::Parse(column));
      listing.queries_.push_back(std::move(query));
    }
    std::vector<Query> choosing;
    for (const std::string* text : {&options.where, &options.sort, &options.group_by}) {
      if (text->empty()) continue;
      SIGHTLINE_ASSIGN_OR_RETURN(Query query, Query::Parse(*text));
      // A word alone is a part of a run's name.
      const auto names = query.Names();
      if (text == &options.where && names.size() == 1 && names[0].text == *text) continue;
      choosing.push_back(std::move(query));
    }
    listing.choosing_ = NameCheck(choosing);
    if (listing.asked_) listing.shown_ = NameCheck(listing.queries_);
    return listing;
  }

  // Call this for each run that was found, chosen or not.
  void Note(const Run& run) { choosing_.Add(run); }

  // Runs with one value of an expression, which `by` spells.
  void Print(const std::string& by, const std::vector<RunsOfOneKey>& groups) const {
    if (json_) {
      PrintJson(groups);
    } else if (groups.empty()) {
      std::fputs(NothingListed().c_str(), stdout);
    } else {
      PrintTable(by, groups);
    }
    PrintNameNotes();
  }

  // The next run. JSON is printed at once, since that of many runs takes more memory than the runs.
  void Add(const Run& run) {
    if (json_) {
      PrintJson(run);
    } else {
      auto& cells = rows_.emplace_back();
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        cells.push_back(Cell(run, columns_[i], queries_[i].Evaluate(run)));
      }
      if (!asked_) cells.push_back(TagsWithNonFinite(run));
      shown_.Add(run);
      damaged_ += run.damaged() ? 1U : 0U;
      unchecked_ += UncheckedIn(run);
    }
    any_ = true;
  }
  // Call this after the last run.
  void Finish() {
    if (json_) {
      std::fputs(any_ ? "\n  ]\n}\n" : "{\n  \"runs\": []\n}\n", stdout);
    } else if (any_) {
      PrintTable();
    } else {
      std::fputs(NothingListed().c_str(), stdout);
    }
    PrintNameNotes();
  }

 private:
  std::string NothingListed() const {
    return where_.empty() ? NothingFound(roots_) : "no run fits --where\n";
  }

  void PrintJson(const Run& run) const {
    JsonWriter json(2);
    json.Open('{');
    Write(run, json);
    if (!columns_.empty()) {
      json.Member("columns", '{');
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& column = columns_[i];
        const auto here = columns_.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(columns_.begin(), here, column) != here) continue;
        std::visit([&](const auto& value) { json.Member(column, value); },
                   queries_[i].Evaluate(run));
      }
      json.Close('}');
    }
    json.Close('}');
    std::fputs(any_ ? ",\n    " : "{\n  \"runs\": [\n    ", stdout);
    std::fputs(json.text().c_str(), stdout);
  }

  void PrintTable() {
    std::vector<std::pair<std::string, Table::Align>> heading;
    for (const std::string& column : columns_) {
      heading.emplace_back(Printable(column),
                           heading.empty() ? Table::Align::kLeft : Table::Align::kRight);
    }
    // The marks, if a run has one.
    const auto is_marked = [](const auto& cells) { return !cells.back().empty(); };
    if (!asked_ && std::any_of(rows_.begin(), rows_.end(), is_marked)) {
      heading.emplace_back("NaN or infinite", Table::Align::kLeft);
    } else if (!asked_) {
      for (auto& cells : rows_) cells.pop_back();
    }
    Table table(heading, 0);
    for (auto& cells : rows_) table.AddRow(std::move(cells));
    std::string text = table.ToString(Style(stdout));
    if (damaged_ != 0)
      text += fmt::format("\n{} with damage; see sightline verify\n", Count(damaged_, "run"));
    if (unchecked_ != 0) {
      text += fmt::format("\n{} not read whole; sightline verify does\n",
                          Count(unchecked_, "large record"));
    }
    std::fputs(text.c_str(), stdout);
  }

  void PrintNameNotes() const {
    const std::string notes = choosing_.Notes() + shown_.Notes();
    if (!notes.empty()) std::fputs(((json_ ? "" : "\n") + notes).c_str(), json_ ? stderr : stdout);
  }

  std::vector<QueryValue> ValuesIn(const RunGroup& group, std::size_t column) const {
    std::vector<QueryValue> values;
    for (const auto& run : group.runs()) values.push_back(queries_[column].Evaluate(*run));
    return values;
  }

  // "0.19 (0.1 to 0.3)"; ", 4 of 6 runs" follows if not all have a finite number, and "6 NaN" takes
  // its place if none has.
  static std::string SpreadCell(const std::vector<QueryValue>& values) {
    const Spread spread = SpreadOf(values);
    const auto is_nan = [](const QueryValue& value) {
      const auto* number = std::get_if<double>(&value);
      return number != nullptr && !std::isfinite(*number);
    };
    const auto nan = std::count_if(values.begin(), values.end(), is_nan);
    if (spread.count == 0) return nan == 0 ? "" : fmt::format("{} NaN", nan);
    std::string cell =
        fmt::format("{:.6g} ({:.6g} to {:.6g})", spread.mean, spread.min, spread.max);
    if (spread.count < values.size())
      cell += fmt::format(", {} of {} runs", spread.count, values.size());
    return cell;
  }

  void PrintJson(const std::vector<RunsOfOneKey>& groups) const {
    ordered_json json = {{"groups", ordered_json::array()}};
    for (const auto& [key, runs] : groups) {
      ordered_json& group = json["groups"].emplace_back();
      group["key"] = ToJson(key);
      for (const auto& run : runs.runs()) group["runs"].push_back(run->name());
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Spread spread = SpreadOf(ValuesIn(runs, i));
        ordered_json& column = group["columns"][columns_[i]];
        column["count"] = spread.count;
        if (spread.count == 0) continue;
        column["mean"] = NumberJson(spread.mean);
        column["min"] = NumberJson(spread.min);
        column["max"] = NumberJson(spread.max);
        if (spread.count > 1) column["deviation"] = NumberJson(spread.deviation);
      }
    }
    const std::string text = IndentedJson(json);
    std::fputs((text + "\n").c_str(), stdout);
  }

  void PrintTable(const std::string& by, const std::vector<RunsOfOneKey>& groups) const {
    std::vector<std::pair<std::string, Table::Align>> heading = {
        {Printable(by), Table::Align::kLeft}, {"runs", Table::Align::kRight}};
    for (const std::string& column : columns_)
      heading.emplace_back(Printable(column), Table::Align::kRight);
    Table table(heading, 0);
    for (const auto& [key, runs] : groups) {
      std::vector<std::string> cells = {Printable(QueryValueText(key)),
                                        fmt::format("{}", runs.runs().size())};
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        cells.push_back(SpreadCell(ValuesIn(runs, i)));
      }
      table.AddRow(std::move(cells));
    }
    std::fputs(table.ToString(Style(stdout)).c_str(), stdout);
  }

  std::vector<std::string> columns_;
  std::vector<Query> queries_;
  std::vector<std::vector<std::string>> rows_;  // Of the table.
  NameCheck choosing_;           // The names of --where, --sort and --group-by, in all runs,
  NameCheck shown_;              // and those of --columns in the runs that are listed.
  std::uint64_t damaged_ = 0;    // Runs of the table.
  std::uint64_t unchecked_ = 0;  // Their records.
  bool json_ = false;
  bool asked_ = false;  // The user named the columns.
  bool any_ = false;
  std::string where_;
  std::vector<std::string> roots_;
};

// In the order of their names; only a part of the runs is in memory at a time.
Result<RunGroup> ShowEach(const LsOptions& options, const RunGroupOptions& opening,
                          Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Query where,
                             Query::Parse(options.where.empty() ? "true" : options.where));
  return RunGroup::Visit(options.roots, opening, [&](const auto& run) {
    listing.Note(*run);
    if (where.Holds(*run)) listing.Add(*run);
  });
}

Result<RunGroup> ShowAll(const LsOptions& options, const RunGroupOptions& opening,
                         Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(options.roots, opening));
  for (const auto& run : group.runs()) listing.Note(*run);
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup chosen, Choose(options, group));
  for (const auto& run : chosen.runs()) listing.Add(*run);
  return group;
}

Result<RunGroup> ShowGroups(const LsOptions& options, const RunGroupOptions& opening,
                            Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(options.roots, opening));
  for (const auto& run : group.runs()) listing.Note(*run);
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup chosen, Choose(options, group));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto groups, chosen.GroupedBy(options.group_by));
  listing.Print(options.group_by, groups);
  return group;
}

Status Show(const LsOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(CheckQueries(options));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto limit, LimitMemory(options.memory_limit));
  SIGHTLINE_ASSIGN_OR_RETURN(Listing listing, Listing::Of(options));
  RunGroupOptions opening;
  opening.leave_large_unchecked = true;
  if (!options.no_index && !options.index_folder.empty())
    opening.index_folder = options.index_folder;
  const bool sorted = !options.sort.empty() || options.reverse;
  const auto show = !options.group_by.empty() ? ShowGroups : sorted ? ShowAll : ShowEach;
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, show(options, opening, listing));
  if (options.group_by.empty()) listing.Finish();
  if (std::fflush(stdout) != 0) return Status(StatusCode::kIoError, "cannot write the listing");
  for (const std::string& note : group.WriteIndex())  // After the listing was printed.
    std::fprintf(stderr, "sightline ls: %s\n", Printable(note).c_str());
  return {};
}

int List(const LsOptions& options) {
  const Status shown = Show(options);
  if (shown.ok()) return kExitOk;
  std::fprintf(stderr, "sightline ls: %s\n", Printable(shown.message()).c_str());
  return kExitError;
}

}  // namespace

void AddLsCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<LsOptions>();
  CLI::App* command = app.add_subcommand("ls", kHelp);
  command->footer(kExamples);
  command->add_option("ROOT", options->roots, "Runs, or directories above runs")->required();
  command->add_option("--where", options->where, "Only the runs that this query fits");
  command->add_option("--sort", options->sort, "By this expression; runs without one are last");
  command->add_flag("--reverse", options->reverse, "In reverse order");
  command->add_option("--group-by", options->group_by,
                      "A row for each value of this expression: how many runs, and of each of"
                      " --columns mean, minimum and maximum");
  command->add_option("--columns", options->columns, "Expressions to show, one a column");
  command->add_flag("--json", options->json,
                    "One JSON object: of each run lineage, state and every series");
  command->add_option("--index-dir", options->index_folder,
                      "Where what was read is kept; by default in the user's cache folder");
  command->add_flag("--no-index", options->no_index, "Read everything, and keep nothing");
  AddMemoryLimitOption(*command, options->memory_limit);
  command->callback([options, &exit_code] { exit_code = List(*options); });
}

}  // namespace sightline
