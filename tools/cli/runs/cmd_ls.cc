// sightline ls: the runs in and below directories, chosen and sorted by a query.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/json/number_json.h"
#include "sightline/runs/model/rank_series.h"
#include "sightline/runs/query/query.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/ls_row.h"
#include "sightline/tools/cli/runs/name_check.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/json_writer.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/progress.h"
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
  bool ranks = false;
  bool json = false;
  std::string index_folder = DefaultIndexFolder().value_or("");
  bool no_index = false;
  bool join = true;
  std::uint64_t memory_limit = 0;
};

constexpr char kHelp[] = R"(Lists the runs in and below directories.

A run is a directory that holds event files, of MindSpore or TensorBoard or both. --where chooses
runs, --sort orders them, --columns chooses what is shown. All three take the names and expressions
of docs/query.md. Of a run with several ranks, a value is that of the lowest one; if the ranks
differ, their range and the worst of them follow. --ranks prints a row a rank.

What was read is kept in your cache folder, so that the next listing reads only what is new. Runs
themselves are never changed.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ls ./output
  sightline ls ./output --where "lr > 0.01 and network =~ 'Net'" --sort 'last("loss/auto")'
  sightline ls ./output --columns name state lr 'min("loss/auto")' 'step("loss/auto")'
  sightline ls ./output --group-by lr --columns 'last("loss/auto")' duration
  sightline ls ./output/lenet --ranks --columns 'mean("iteration-time")' \
      --sort 'mean("iteration-time")' --reverse     which rank is slow
  sightline ls --json ./output | jq '.runs[] | .name, .series[].tag'

Names: name, directory, state, damaged, started, ended, duration, last_step, and the keys of the
lineage. Functions of a scalar's tag: first, last, min, max, count, step, first_nan, and mean,
median, p95 and std, also of the last N steps: mean("loss", N). Of ranks: rank(5, last("loss")),
spread(last("loss")), worst(last("loss")). isnan(...) is true where a value is NaN. A word alone, as
in --where b16, also chooses the runs whose names contain it.

Exit codes: 0 listed, 2 a directory cannot be read or an expression is wrong.)";

const std::vector<std::string> kDefaultColumns = {"name", "state", "last_step", "started",
                                                  "duration"};

ordered_json ToJson(const QueryValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<double>(&value)) return NumberJson(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
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

class Listing {
 public:
  static Result<Listing> Of(const LsOptions& options) {
    Listing listing;
    listing.json_ = options.json;
    listing.ranks_ = options.ranks;
    listing.asked_ = !options.columns.empty();
    listing.where_ = options.where;
    listing.roots_ = options.roots;
    listing.columns_ = options.columns.empty() && !options.json ? kDefaultColumns : options.columns;
    const auto at = std::find(listing.columns_.begin(), listing.columns_.end(), "name");
    const bool a_row_a_run = !options.json && options.group_by.empty();
    if (a_row_a_run && at == listing.columns_.end())
      listing.columns_.insert(listing.columns_.begin(), "name");
    const bool has_rank = std::find(listing.columns_.begin(), listing.columns_.end(), "rank") !=
                          listing.columns_.end();
    if (a_row_a_run && options.ranks && !has_rank) {
      listing.columns_.insert(
          std::find(listing.columns_.begin(), listing.columns_.end(), "name") + 1, "rank");
    }
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

  // Call this for each row that was found, chosen or not.
  void Note(const LsRow& row) { choosing_.Add(*row.run, row.rank); }

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

  // The next row. JSON is printed at once, since that of many runs takes more memory than the runs.
  void Add(const LsRow& row) {
    if (json_) {
      PrintJson(row);
    } else {
      auto& cells = rows_.emplace_back();
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        cells.push_back(row.Cell(columns_[i], queries_[i]));
      }
      if (!asked_) cells.push_back(row.TagsWithNonFinite());
      shown_.Add(*row.run, row.rank);
      damaged_ += row.damaged() ? 1U : 0U;
      unchecked_ += row.unchecked();
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

  void PrintJson(const LsRow& row) const {
    JsonWriter json(2);
    json.Open('{');
    row.Write(json);
    if (!columns_.empty()) {
      json.Member("columns", '{');
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& column = columns_[i];
        const auto here = columns_.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(columns_.begin(), here, column) != here) continue;
        std::visit([&](const auto& value) { json.Member(column, value); },
                   row.ValueOf(queries_[i]));
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
    if (damaged_ != 0) {
      text += fmt::format("\n{} with damage; see sightline verify\n",
                          Count(damaged_, ranks_ ? "rank" : "run"));
    }
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

  // ", NaN or infinite in a rank of 2 runs": of those whose lowest rank, which counts, is finite.
  std::string RanksNote(const RunGroup& group, std::size_t column) const {
    const auto runs = group.runs();
    const auto hides = std::count_if(runs.begin(), runs.end(), [&](const auto& run) {
      const RankValues ranks = queries_[column].InRanks(*run);
      return !ranks.nonfinite.empty() && std::isfinite(ranks.values.front().second);
    });
    if (hides == 0) return "";
    return ", NaN or infinite in a rank of " + Count(static_cast<std::uint64_t>(hides), "run");
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
        cells.push_back(SpreadCell(ValuesIn(runs, i)) + RanksNote(runs, i));
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
  std::uint64_t damaged_ = 0;    // Rows of the table.
  std::uint64_t unchecked_ = 0;  // Their records.
  bool json_ = false;
  bool ranks_ = false;  // A row is a rank.
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
    for (const RankSeries& rank : options.ranks ? ByRank(*run) : std::vector<RankSeries>()) {
      listing.Note({run.get(), &rank});
      if (where.Holds(*run, Clock::System(), &rank)) listing.Add({run.get(), &rank});
    }
    if (options.ranks) return;
    listing.Note({run.get()});
    if (where.Holds(*run)) listing.Add({run.get()});
  });
}

// The rows of all ranks, sorted.
Result<RunGroup> ShowRanks(const LsOptions& options, const RunGroupOptions& opening,
                           Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Query where,
                             Query::Parse(options.where.empty() ? "true" : options.where));
  SIGHTLINE_ASSIGN_OR_RETURN(const Query by,
                             Query::Parse(options.sort.empty() ? "name" : options.sort));
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(options.roots, opening));
  std::vector<std::vector<RankSeries>> ranks;
  std::vector<std::pair<QueryValue, LsRow>> rows;
  for (const auto& run : group.runs()) {
    for (const RankSeries& rank : ranks.emplace_back(ByRank(*run))) {
      listing.Note({run.get(), &rank});
      if (where.Holds(*run, Clock::System(), &rank))
        rows.emplace_back(by.Evaluate(*run, Clock::System(), &rank), LsRow{run.get(), &rank});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return IsListedBefore(a.first, b.first, options.reverse);
  });
  for (const auto& [value, row] : rows) listing.Add(row);
  return group;
}

Result<RunGroup> ShowAll(const LsOptions& options, const RunGroupOptions& opening,
                         Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(options.roots, opening));
  for (const auto& run : group.runs()) listing.Note({run.get()});
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup chosen, Choose(options, group));
  for (const auto& run : chosen.runs()) listing.Add({run.get()});
  return group;
}

Result<RunGroup> ShowGroups(const LsOptions& options, const RunGroupOptions& opening,
                            Listing& listing) {
  SIGHTLINE_ASSIGN_OR_RETURN(RunGroup group, RunGroup::Open(options.roots, opening));
  for (const auto& run : group.runs()) listing.Note({run.get()});
  SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup chosen, Choose(options, group));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto groups, chosen.GroupedBy(options.group_by));
  listing.Print(options.group_by, groups);
  return group;
}

constexpr std::chrono::milliseconds kUsualListing{500};

Status Show(const LsOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(Listing listing, Listing::Of(options));  // Wrong queries fail first.
  SIGHTLINE_ASSIGN_OR_RETURN(const auto limit, LimitMemory(options.memory_limit));
  RunGroupOptions opening;
  opening.leave_large_unchecked = true;
  opening.join = options.join;
  std::optional<Progress> progress;
  if (!options.json) {  // Which prints each run as soon as it is read.
    opening.on_progress = [&progress](std::uint64_t done, std::uint64_t total) {
      if (!progress) progress.emplace("sightline ls", total, kUsualListing);
      progress->At(done);
      if (done == total) progress->Clear();  // The listing follows.
    };
  }
  if (!options.no_index && !options.index_folder.empty())
    opening.index_folder = options.index_folder;
  const bool sorted = !options.sort.empty() || options.reverse;
  const auto show = !options.group_by.empty() ? ShowGroups
                    : !sorted                 ? ShowEach
                    : options.ranks           ? ShowRanks
                                              : ShowAll;
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
  CLI::Option* group_by =
      command->add_option("--group-by", options->group_by,
                          "A row for each value of this expression: how many runs, and of each of"
                          " --columns mean, minimum and maximum");
  command
      ->add_flag("--ranks", options->ranks,
                 "A row for each rank of a run; --where and --sort are of ranks as well")
      ->excludes(group_by);
  command->add_option("--columns", options->columns, "Expressions to show, one a column");
  command->add_flag("--json", options->json,
                    "One JSON object: of each run lineage, state and every series");
  command->add_option("--index-dir", options->index_folder,
                      "Where what was read is kept; by default in the user's cache folder");
  command->add_flag("--no-index", options->no_index, "Read everything, and keep nothing");
  command->add_flag(
      "!--no-join", options->join,
      "Each directory is a run, also the ranks of a training and the curves of add_scalars");
  AddMemoryLimitOption(*command, options->memory_limit);
  command->callback([options, &exit_code] { exit_code = List(*options); });
}

}  // namespace sightline
