// sightline export: runs in the formats of other programs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"
#include "sightline/export/runs/export_target.h"
#include "sightline/export/runs/run_export.h"
#include "sightline/export/runs/run_writers.h"
#include "sightline/runs/query/tag_filter.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/python_export.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/progress.h"
#include "sightline/tools/cli/terminal/remove_on_signal.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct ExportOptions {
  std::vector<std::string> paths;
  std::string format;
  std::string output;
  std::string tags;
  std::string steps;
  bool wide = false;
  bool csv_safe = false;
  double max_mb = 10;
  bool force = false;
  bool json = false;
  std::uint64_t memory_limit = 0;
};

constexpr char kHelp[] = R"(Writes runs in a format of other programs.

  csv          a file: scalars, a row for each point; --wide: a row a step, a column a tag
  jsonl        a file: everything, a line of JSON for each value
  tensorboard  a folder of TensorBoard's event files, with a folder for each run
  npy, npz     a folder of NumPy's .npy files, or one .npz: scalars, tensors, images, histograms
  html         one page to send: charts of all scalars, lineage, images
  parquet      a folder of Parquet files: scalars, histograms, tensors, lineage; needs pyarrow

Reads MindSpore's and TensorBoard's files, and what journals hold. Leaves out what a later session
superseded. Prints what was written, and what the format cannot hold. The output appears whole or
not at all.
)";

constexpr char kExamples[] = R"(Examples:
  sightline export ./output --format csv -o scalars.csv
  sightline export ./output --format tensorboard -o ./for_tensorboard
  sightline export run_a run_b --format npz -o runs.npz --tags '^conv' --steps 100:200
  sightline export ./output --format html -o report.html --force

Exit codes: 0 done, 1 done but damaged bytes were skipped, 2 not done.)";

constexpr char kWideIsForCsv[] = "--wide and --csv-safe are for csv only";
constexpr std::uint64_t kMostFiles = 100'000;

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline export: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

// "A:B", each a step or nothing; B is included.
Status ParseSteps(const std::string& text, ExportSelection& selection) {
  const std::size_t colon = text.find(':');
  const auto parse = [](std::string_view part, std::int64_t& step) {
    if (part.empty()) return true;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), step);
    return error == std::errc() && end == part.data() + part.size();
  };
  const std::string_view view = text;
  if (colon == std::string::npos || !parse(view.substr(0, colon), selection.first_step) ||
      !parse(view.substr(colon + 1), selection.last_step)) {
    return Status(
        StatusCode::kInvalidArgument,
        "--steps " + text + " is not a range of steps; give FIRST:LAST, either may be empty");
  }
  return {};
}

Result<ExportSelection> MakeSelection(const ExportOptions& options) {
  ExportSelection selection;
  if (!options.steps.empty()) SIGHTLINE_RETURN_IF_ERROR(ParseSteps(options.steps, selection));
  SIGHTLINE_ASSIGN_OR_RETURN(selection.tags, MakeTagFilter("--tags", options.tags));
  if (!options.force) selection.most_files = kMostFiles;
  return selection;
}

// How far an export is: bytes of the runs' files, those of the run at hand by its values.
class ExportProgress {
 public:
  explicit ExportProgress(const std::vector<NamedRun>& runs)
      : progress_("sightline export", Progress::HasTerminal() ? BytesOf(runs) : 0) {}

  void Begin(const Run& run, const RunWriter& writer) {
    if (!progress_.shown()) return;
    progress_.Clear();
    writer_ = &writer;
    bytes_ = values_ = 0;
    for (const RunFile& file : run.files()) bytes_ += file.bytes;
    for (const auto& series : run.series()) values_ += series->size();
    before_ = Handled();
    Look();
  }
  void Look() {
    if (writer_ == nullptr) return;
    const double part =
        values_ == 0 ? 1 : static_cast<double>(Handled() - before_) / static_cast<double>(values_);
    progress_.At(done_ +
                 static_cast<std::uint64_t>(static_cast<double>(bytes_) * std::min(part, 1.0)));
  }
  void End() {
    done_ += bytes_;
    writer_ = nullptr;
  }
  void Clear() { progress_.Clear(); }

 private:
  static std::uint64_t BytesOf(const std::vector<NamedRun>& runs) {
    FileSystem& file_system = FileSystem::Local();
    std::uint64_t bytes = 0;
    for (const NamedRun& run : runs) {
      const auto sources = ListEventSources(run.directory, &file_system);
      if (!sources) continue;
      for (const EventSource& source : *sources) {
        if (const auto info = file_system.Stat(source.path)) bytes += info->size;
      }
    }
    return bytes;
  }
  std::uint64_t Handled() const {
    std::uint64_t values = 0;
    for (const auto& [kind, count] : writer_->report().written) values += count;
    for (const auto& [kind, count] : writer_->report().left_out) values += count;
    return values;
  }

  Progress progress_;
  const RunWriter* writer_ = nullptr;  // Of the run at hand.
  std::uint64_t done_ = 0;             // Bytes of the runs before.
  std::uint64_t bytes_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t before_ = 0;  // Values of the runs before.
};

// What went wrong with the files of the runs, as people read it.
class Damage {
 public:
  void Add(const Run& run) {
    for (const RunFile& file : run.files()) {
      std::uint64_t lost = 0;
      for (const SkippedRegion& region : file.damage) lost += region.length;
      if (!file.foreign_type.empty()) PrintNotes("export", {file.path + ": " + file.KindName()});
      if (lost == 0 && file.status.ok()) continue;
      any_ = true;
      std::fprintf(stderr, "sightline export: %s: %s\n", Printable(file.path).c_str(),
                   file.status.ok() ? fmt::format("skipped {} bytes of damage", lost).c_str()
                                    : Printable(file.status.message()).c_str());
    }
  }
  bool any() const { return any_; }

 private:
  bool any_ = false;
};

Result<std::unique_ptr<RunWriter>> MakeWriter(const ExportOptions& options,
                                              const std::string& temporary,
                                              const std::set<std::string>& tags) {
  if (options.format == "tensorboard") return MakeTensorBoardWriter(temporary);
  if (options.format == "npy") return MakeNpyWriter(temporary);
  SIGHTLINE_ASSIGN_OR_RETURN(auto file,
                             FileSystem::Local().OpenForWrite(temporary, OpenMode::kCreateNew));
  if (options.format == "npz") return MakeNpzWriter(std::move(file));
  if (options.format == "jsonl") return MakeJsonWriter(std::move(file));
  if (options.format == "html")
    return MakeHtmlWriter(std::move(file), static_cast<std::uint64_t>(options.max_mb * 1e6));
  const CsvText text = options.csv_safe ? CsvText::kForSpreadsheets : CsvText::kAsItIs;
  if (options.wide) return MakeWideCsvWriter(std::move(file), tags, text);
  return MakeCsvWriter(std::move(file), text);
}

// Calls use(run) for each, one in memory at a time.
template <typename Use>
Status ForEachRun(const std::vector<NamedRun>& runs, Use&& use) {
  for (const NamedRun& named : runs) {
    const auto run = Run::Open(named.directory, {.name = named.name});
    if (!run) return run.error();
    SIGHTLINE_RETURN_IF_ERROR(use(**run));
  }
  return {};
}

void Print(const ExportReport& report, const ExportOptions& options, std::size_t runs) {
  if (options.json) {
    nlohmann::ordered_json json = {{"output", options.output},
                                   {"format", options.format},
                                   {"runs", runs},
                                   {"written", report.written},
                                   {"left_out", report.left_out}};
    std::puts(JsonLine(json).c_str());
    return;
  }
  std::vector<std::string> written;
  for (const auto& [kind, count] : report.written)
    written.push_back(fmt::format("{} ({})", Printable(kind), count));
  std::printf("%s: %s%s%s\n", Printable(options.output).c_str(), Count(runs, "run").c_str(),
              written.empty() ? "" : ": ", fmt::format("{}", fmt::join(written, ", ")).c_str());
  for (const auto& [what, count] : report.left_out)
    std::printf("  left out: %s (%s)\n", Printable(what).c_str(), Count(count, "value").c_str());
}

int ExportByPython(const ExportOptions& options) {
  if (options.wide || options.csv_safe)
    return Fail(Status(StatusCode::kInvalidArgument, kWideIsForCsv));
  // With "=", so that a text that begins with "-" is not taken as an option there either.
  std::vector<std::string> arguments = {"--format=parquet", "--output=" + options.output};
  if (!options.tags.empty()) arguments.push_back("--tags=" + options.tags);
  if (!options.steps.empty()) arguments.push_back("--steps=" + options.steps);
  if (options.force) arguments.emplace_back("--force");
  if (options.json) arguments.emplace_back("--json");
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), options.paths.begin(), options.paths.end());
  return Fail(BecomePythonExport(arguments));
}

int Export(const ExportOptions& options) {
  const auto limit = LimitMemory(options.memory_limit);
  if (!limit) return Fail(limit.error());
  auto selection = MakeSelection(options);
  if (!selection) return Fail(selection.error());
  if ((options.wide || options.csv_safe) && options.format != "csv")
    return Fail(Status(StatusCode::kInvalidArgument, kWideIsForCsv));
  const auto runs = FindNamedRuns(options.paths);
  if (!runs) return Fail(runs.error());
  const bool folder = options.format == "tensorboard" || options.format == "npy";
  std::optional<RemoveOnSignal> remove;
  auto target = ExportTarget::Open(
      options.output, folder ? ExportTarget::Kind::kFolder : ExportTarget::Kind::kFile,
      options.force, [&remove](const std::string& temporary) { remove.emplace(temporary); });
  if (!target) return Fail(target.error());
  std::set<std::string> tags;
  if (options.wide) {
    const Status status = ForEachRun(*runs, [&](const Run& run) {
      AddTags(run, *selection, tags);
      return Status();
    });
    if (!status.ok()) return Fail(status);
  }
  auto writer = MakeWriter(options, target->temporary(), tags);
  if (!writer) return Fail(writer.error());
  Damage damage;
  ExportProgress progress(*runs);
  selection->on_progress = [&progress] { progress.Look(); };
  Status status = ForEachRun(*runs, [&](const Run& run) {
    progress.Clear();
    damage.Add(run);
    progress.Begin(run, **writer);
    Status exported = ExportRun(run, *selection, **writer);
    progress.End();
    return exported;
  });
  progress.Clear();
  if (status.ok()) status = (*writer)->Finish();
  if (status.ok()) status = target->Commit();
  if (!status.ok()) return Fail(status);
  Print((*writer)->report(), options, runs->size());
  return damage.any() ? kExitDamage : kExitOk;
}

}  // namespace

void AddExportCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", kHelp);
  command->footer(kExamples);
  command->add_option("RUN", options->paths, "Runs, or folders above runs")->required();
  command
      ->add_option("--format", options->format,
                   "csv, jsonl, tensorboard, npy, npz, html or parquet")
      ->required()
      ->check(CLI::IsMember({"csv", "jsonl", "tensorboard", "npy", "npz", "html", "parquet"}));
  command->add_option("-o,--output", options->output, "The file or folder to write")->required();
  command->add_option("--tags", options->tags,
                      "Only values whose tag the regular expression (RE2) matches anywhere");
  command->add_option("--steps", options->steps,
                      "Only values of the steps FIRST:LAST, both included; either may be empty");
  command->add_flag("--wide", options->wide, "csv: a row a step, a column a tag, latest values");
  command->add_flag("--csv-safe", options->csv_safe,
                    "csv: put an apostrophe before texts that a spreadsheet would run as formulas");
  command->add_option("--max-mb", options->max_mb, "html: megabytes of images at most (10)")
      ->check(CLI::Range(0.0, 1000.0));
  command->add_flag("--force", options->force,
                    "Replace an earlier export; write more than 100,000 files");
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_flag("--json", options->json, "Print what was written as one JSON object");
  command->callback([options, &exit_code] {
    exit_code = options->format == "parquet" ? ExportByPython(*options) : Export(*options);
  });
}

}  // namespace sightline
