// sightline landscape export: recorded landscapes as files that other programs read.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/export/landscape/landscape_picture.h"
#include "sightline/export/landscape/landscape_table.h"
#include "sightline/export/landscape/landscape_vtk.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/runs/reading/growing_landscape.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/tools/cli/landscape/cmd_landscape.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/output_file.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr char kHelp[] = R"(Writes the landscapes of a run as tables, pictures or for ParaView.

Reads the event files of a run, of Sightline or MindSpore. If a landscape was recorded several
times, exports the newest. If it is being computed, exports the points that are known. Each landscape
becomes <tag>.<format> in the output folder:

  csv  a line for each point: kind, step, x, y, loss
  npz  NumPy arrays x, y, z and the path
  vti  the surface for ParaView, and a .vtp of the path beside it
  svg  a picture: colours, contour lines, the trajectory and a colour bar
  png  the same as pixels
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape export --format svg -o pictures ./run
  sightline landscape export --format png --view surface --log --clip 10 ./run
  sightline landscape export --format csv --tag 'landscape_[1, 3]' ./run

Exit codes: 0 written, 1 no such landscape, 2 not done.)";

struct ExportArguments {
  std::string directory;
  std::string format;
  std::string output = ".";
  std::string tag;
  LandscapePicture picture;
};

using Landscapes = std::map<std::string, LossLandscape>;

Status AddLandscapesOf(const EventSource& source, Landscapes& out) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto reader, OpenEventSource(source));
  while (reader->Next() == ReadOutcome::kRecord) {
    for (const ValueView& value : reader->event().values) {
      if (value.kind != ContentKind::kLandscape || value.is_tensor) continue;
      auto landscape = ParseLandscape(value.message);
      if (!landscape) return landscape.error().WithContext(source.path);
      out.insert_or_assign(std::string(value.tag), *std::move(landscape));
    }
  }
  return reader->status();
}

// Adds the points that are known of landscapes that are not finished.
Status AddUnfinished(FileSystem& files, const std::string& directory, Landscapes& out) {
  const auto info = files.Stat(directory);
  if (!info || !info->is_directory) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(auto all, ReadGrowingLandscapes(directory, &files));
  for (GrowingLandscape& growing : all) {
    std::fprintf(stderr, "sightline landscape export: %s: %zu of %zu points are known\n",
                 Printable(growing.tag).c_str(), growing.known_points, growing.points);
    out.insert_or_assign(growing.tag, std::move(growing.landscape));
  }
  return {};
}

// "landscape_[1, 3]" -> "landscape_1_3".
std::string FileNameOf(const std::string& tag) {
  std::string name;
  for (const char c : tag) {
    const bool keep = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (keep) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "landscape" : name;
}

Status Save(const std::string& path, const std::string& text) {
  SIGHTLINE_RETURN_IF_ERROR(WriteOutput(path, text));
  std::printf("%s\n", Printable(path).c_str());
  return {};
}

Status Save(const std::string& path, const Result<std::string>& text) {
  return text ? Save(path, *text) : text.error();
}

Status Export(const ExportArguments& arguments, const std::string& tag,
              const LossLandscape& landscape) {
  const std::string stem = JoinPath(arguments.output, FileNameOf(tag));
  if (arguments.format == "csv") return Save(stem + ".csv", LandscapeCsv(landscape));
  if (arguments.format == "npz") return Save(stem + ".npz", LandscapeNpz(landscape));
  if (arguments.format == "svg" || arguments.format == "png") {
    LandscapePicture picture = arguments.picture;
    picture.title = tag;
    return Save(stem + "." + arguments.format, arguments.format == "svg"
                                                   ? LandscapeSvg(landscape, picture)
                                                   : LandscapePng(landscape, picture));
  }
  SIGHTLINE_RETURN_IF_ERROR(Save(stem + ".vti", LandscapeVti(landscape)));
  return landscape.path ? Save(stem + ".vtp", LandscapeVtp(landscape)) : Status();
}

Result<int> Run(const ExportArguments& arguments) {
  FileSystem& files = FileSystem::Local();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto sources, ListEventSources(arguments.directory, &files));
  Landscapes landscapes;
  for (const EventSource& source : sources)
    SIGHTLINE_RETURN_IF_ERROR(AddLandscapesOf(source, landscapes));
  SIGHTLINE_RETURN_IF_ERROR(AddUnfinished(files, arguments.directory, landscapes));
  if (!arguments.tag.empty())
    std::erase_if(landscapes, [&](const auto& entry) { return entry.first != arguments.tag; });
  if (landscapes.empty()) {
    std::fprintf(stderr, "sightline landscape export: %s: no landscape%s%s is recorded in it\n",
                 Printable(arguments.directory).c_str(), arguments.tag.empty() ? "" : " ",
                 Printable(arguments.tag).c_str());
    return kExitDamage;
  }
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(arguments.output));
  for (const auto& [tag, landscape] : landscapes)
    SIGHTLINE_RETURN_IF_ERROR(Export(arguments, tag, landscape).WithContext(tag));
  return kExitOk;
}

int RunOrExplain(const ExportArguments& arguments) {
  const auto exit_code = Run(arguments);
  if (exit_code) return *exit_code;
  std::fprintf(stderr, "sightline landscape export: %s\n",
               Printable(exit_code.error().message()).c_str());
  return kExitError;
}

}  // namespace

void AddLandscapeExportCommand(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", arguments->directory, "A run")->required();
  command->add_option("--format", arguments->format, "csv, npz, vti, svg or png")
      ->required()
      ->check(CLI::IsMember({"csv", "npz", "vti", "svg", "png"}));
  command->add_option("-o,--output", arguments->output, "The folder for the files")
      ->capture_default_str();
  command->add_option("--tag", arguments->tag, "Export only this landscape");
  command
      ->add_option("--view", arguments->picture.view,
                   "Pictures: contours (from above) or surface (from the side)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, LandscapeView>{
          {"contours", LandscapeView::kContours}, {"surface", LandscapeView::kSurface}}))
      ->default_str("contours");
  command->add_flag("--log", arguments->picture.log_scale,
                    "Pictures: heights and colours by the logarithm of the loss");
  command->add_option("--clip", arguments->picture.clip_max,
                      "Pictures: larger losses are drawn as this one");
  command
      ->add_option("--contours", arguments->picture.contours,
                   "Pictures: the number of contour lines")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->callback([arguments, &exit_code] { exit_code = RunOrExplain(*arguments); });
}

}  // namespace sightline
