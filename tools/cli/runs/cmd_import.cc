// sightline import: what another program recorded, as runs of ours.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sightline/base/json/json_line.h"
#include "sightline/export/runs/export_target.h"
#include "sightline/import/mlflow/import_mlflow.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/remove_on_signal.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct ImportOptions {
  std::string source;
  std::string output;
  bool json = false;
  std::uint64_t memory_limit = 0;
};

constexpr char kHelp[] = R"(Makes runs of what MLflow recorded.

SOURCE is MLflow's database, such as mlflow.db, or its folder of files, mlruns. Each run becomes a
folder DIR/EXPERIMENT/RUN of event files, with its metrics, parameters and tags. Prints what was
imported, what was left out, and what was not read. DIR must not exist, and appears whole or not at
all. SOURCE is not changed.

Runs of W&B and SwanLab need no import: `sightline ls wandb` reads them where they are.
)";

constexpr char kExamples[] = R"(Examples:
  sightline import mlflow.db -o ./runs
  sightline import mlruns -o ./runs
  sightline serve ./runs

Exit codes: 0 done, 2 not done.)";

int Fail(const Status& status) {
  std::fprintf(stderr, "sightline import: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

void Print(const ImportReport& report, const ImportOptions& options) {
  if (options.json) {
    const nlohmann::ordered_json json = {
        {"output", options.output},        {"runs", report.runs},  {"points", report.points},
        {"parameters", report.parameters}, {"tags", report.tags},  {"left_out", report.left_out},
        {"not_read", report.unread},       {"notes", report.notes}};
    std::puts(JsonLine(json).c_str());
    return;
  }
  std::printf("%s: %s: %s, %s, %s\n", Printable(options.output).c_str(),
              Count(report.runs, "run").c_str(), Count(report.points, "point").c_str(),
              Count(report.parameters, "parameter").c_str(), Count(report.tags, "tag").c_str());
  const auto print = [](const char* how, const std::map<std::string, std::uint64_t>& counts) {
    for (const auto& [what, count] : counts)
      std::fputs(fmt::format("  {}: {} x {}\n", how, count, Printable(what)).c_str(), stdout);
  };
  print("left out", report.left_out);
  print("not read", report.unread);
  for (const std::string& note : report.notes) std::printf("  note: %s\n", Printable(note).c_str());
}

int Import(const ImportOptions& options) {
  const auto limit = LimitMemory(options.memory_limit);
  if (!limit) return Fail(limit.error());
  std::optional<RemoveOnSignal> remove;
  auto target =
      ExportTarget::Open(options.output, ExportTarget::Kind::kFolder, /*replace=*/false,
                         [&remove](const std::string& temporary) { remove.emplace(temporary); });
  if (!target) return Fail(target.error());
  const auto report = ImportMlflow(options.source, target->temporary());
  if (!report) return Fail(report.error());
  if (const Status status = target->Commit(); !status.ok()) return Fail(status);
  Print(*report, options);
  return kExitOk;
}

}  // namespace

void AddImportCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand("import", kHelp);
  command->footer(kExamples);
  command->add_option("SOURCE", options->source, "MLflow's database, or its folder mlruns")
      ->required();
  command->add_option("-o,--output", options->output, "The folder to make")->required();
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_flag("--json", options->json, "Print what was imported as one JSON object");
  command->callback([options, &exit_code] { exit_code = Import(*options); });
}

}  // namespace sightline
