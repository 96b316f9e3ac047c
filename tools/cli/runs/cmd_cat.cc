// sightline cat: events as JSON lines, scalars as CSV.
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/export/runs/csv.h"
#include "sightline/export/runs/json_lines.h"
#include "sightline/runs/query/tag_filter.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/runs/source/run_directories.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/help_formatter.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct CatOptions {
  std::vector<std::string> paths;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  std::string tag;
  bool bytes = false;
  bool csv = false;
  bool csv_safe = false;
};

constexpr char kHelp[] = R"(Prints events as JSON lines, or scalars as CSV.

One line for each event: an object in protobuf's JSON mapping, with the field names of the schema.
Reads MindSpore's and TensorBoard's files, skips damage and names it, changes nothing. Also prints
what a running or killed recorder has not written into its files yet. For an image, prints its size
and the SHA-256 of its pixels. --csv prints only the scalars, as a table with a row for each.
)";

constexpr char kExamples[] = R"(Examples:
  sightline cat run/*_MS                     everything that is in a file
  sightline cat run --tag '^loss' --limit 5  a directory; only values whose tag begins with "loss"
  sightline cat --csv run/*_MS > run.csv     scalars for spreadsheets and pandas.read_csv
  sightline cat --csv output > all.csv       those of every run below, with a column run
  sightline cat run | jq '.summary.value[]?.image | select(.) | .pixels_shape'

Exit codes: 0 done, 1 done but damaged bytes were skipped, 2 a file cannot be read.)";

void Complain(const Status& status) {
  std::fprintf(stderr, "sightline cat: %s\n", Printable(status.message()).c_str());
}

// JSON lines do not name their run, so of a directory that holds event files only these are read.
// The rows of a table name it.
Result<std::vector<EventSource>> SourcesOf(const std::string& path, bool csv,
                                           std::vector<std::string>& notes) {
  FileSystem& file_system = FileSystem::Local();
  if (const auto info = file_system.Stat(path); !csv && info && info->is_directory) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto sources, ListEventSources(path, &file_system, &notes));
    if (!sources.empty()) return sources;
    notes.clear();  // The same files are listed again.
  }
  return EventSourcesAt(file_system, path, &notes);
}

Status WriteLine(std::string_view line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size()) return {};
  return ErrnoStatus("standard output", errno);
}

class Cat {
 public:
  Status Prepare(const CatOptions& options) {
    bytes_ = options.bytes;
    csv_ = options.csv;
    text_ = options.csv_safe ? CsvText::kForSpreadsheets : CsvText::kAsItIs;
    left_ = options.limit;
    SIGHTLINE_ASSIGN_OR_RETURN(tag_filter_, MakeTagFilter("--tag", options.tag));
    return {};
  }

  bool done() const { return left_ == 0; }

  // A table of several runs begins with the column "run".
  Status BeginTable(const std::vector<EventSource>& sources) {
    std::set<std::string> runs;
    for (const EventSource& source : sources) runs.insert(DirectoryOf(source.path));
    several_runs_ = runs.size() > 1;
    return WriteLine((several_runs_ ? "run," : "") + std::string(kScalarCsvHeader));
  }

  Status Print(const EventSource& source) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto reader, OpenEventSource(source));
    const std::string directory = DirectoryOf(source.path);
    if (directory == directory_) reader->Inherit(std::move(metadata_));
    directory_ = directory;
    const std::string run = several_runs_ ? CsvField(directory, text_) + "," : "";
    const auto write = [&](std::string_view line) -> Status {
      --left_;
      SIGHTLINE_RETURN_IF_ERROR(WriteLine(run));
      return WriteLine(line);
    };
    const Status status = csv_ ? WriteScalarCsv(*reader, {tag_filter_, left_, text_}, write)
                               : WriteJsonLines(*reader, {bytes_, tag_filter_, left_}, write);
    metadata_ = reader->metadata();
    SIGHTLINE_RETURN_IF_ERROR(CheckIsEventFile(source, *reader).WithContext(source.path));
    for (const SkippedRegion& region : reader->skipped()) {
      std::fprintf(stderr, "sightline cat: %s: skipped %llu bytes at offset %llu (%s)\n",
                   Printable(source.path).c_str(), static_cast<unsigned long long>(region.length),
                   static_cast<unsigned long long>(region.offset),
                   std::string(SkipReasonName(region.reason)).c_str());
      damaged_ = true;
    }
    return status.WithContext(source.path);
  }

  bool damaged() const { return damaged_; }

 private:
  bool bytes_ = false;
  bool csv_ = false;
  CsvText text_ = CsvText::kAsItIs;
  bool several_runs_ = false;
  TagFilter tag_filter_;
  std::uint64_t left_ = 0;
  bool damaged_ = false;
  std::string directory_;   // Of the file before,
  FirstMetadata metadata_;  // and the metadata of its run's tags.
};

int Run(const CatOptions& options) {
  Cat cat;
  if (const Status status = cat.Prepare(options); !status.ok()) {
    Complain(status);
    return kExitError;
  }
  bool failed = false;
  const auto check = [&](const Status& status) {
    if (status.ok()) return;
    Complain(status);
    failed = true;
  };
  std::vector<EventSource> sources;
  for (const std::string& path : options.paths) {
    std::vector<std::string> notes;
    auto found = SourcesOf(path, options.csv, notes);
    PrintNotes("cat", notes);
    if (found) {
      std::move(found->begin(), found->end(), std::back_inserter(sources));
    } else {
      check(found.error());
    }
  }
  if (options.csv) check(cat.BeginTable(sources));
  for (const EventSource& source : sources) {
    if (cat.done()) break;
    check(cat.Print(source));
  }
  if (std::fflush(stdout) != 0) check(ErrnoStatus("standard output", errno));
  if (failed) return kExitError;
  return cat.damaged() ? kExitDamage : kExitOk;
}

}  // namespace

void AddCatCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CatOptions>();
  CLI::App* command = app.add_subcommand("cat", kHelp);
  command->footer(kExamples);
  command->add_option("FILE", options->paths, "Event files, or directories that hold some")
      ->required();
  command->add_option("--limit", options->limit, "Print at most this many events, or rows")
      ->check(AtLeast(0));
  command->add_option("--tag", options->tag,
                      "Print only values whose tag the regular expression (RE2) matches anywhere");
  CLI::Option* const bytes =
      command->add_flag("--bytes", options->bytes, "Print encoded images and audio in base64");
  CLI::Option* const csv =
      command
          ->add_flag(
              "--csv", options->csv,
              "Print scalars as CSV: step,wall_time,tag,value; of several runs with a column "
              "run in front")
          ->excludes(bytes);
  command
      ->add_flag("--csv-safe", options->csv_safe,
                 "Put an apostrophe before texts that a spreadsheet would run as formulas")
      ->needs(csv);
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
