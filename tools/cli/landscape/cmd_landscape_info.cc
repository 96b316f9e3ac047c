// sightline landscape info: the planes of a training's landscapes, before any loss is computed.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/json/json_line.h"
#include "sightline/landscape/directions/plane.h"
#include "sightline/tools/cli/landscape/cmd_landscape.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr char kHelp[] =
    R"(Shows the plane of each interval: directions, trajectory, axes. It needs no loss.

The directions are the principal components of the interval's checkpoints. "distance" is the
distance of a checkpoint from the plane. If it is large compared with the path, the training did not
go over this surface. Changes nothing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline landscape info ./run
  sightline landscape info --json ./run | jq .explained_variance   one line for each interval
  sightline landscape info --normalisation filter ./run

Exit codes: 0 shown, 2 metadata or checkpoints cannot be read, or span no plane.)";

struct InfoArguments : PlaneArguments {
  bool json = false;
};

std::string JsonOf(const landscape::Plane& plane) {
  nlohmann::ordered_json explained;  // Null for directions of the user.
  if (plane.directions.explained_variance) explained = *plane.directions.explained_variance;
  const nlohmann::ordered_json json = {
      {"tag", plane.tag},
      {"decomposition", plane.decomposition},
      {"explained_variance", explained},
      {"distances", plane.trajectory.distances},
      {"path", {{"x", plane.trajectory.x}, {"y", plane.trajectory.y}}},
      {"axes", {{"x", plane.x}, {"y", plane.y}}}};
  return JsonLine(json) + "\n";
}

std::string AxisText(const std::vector<double>& axis) {
  return fmt::format("{} points from {:.6g} to {:.6g}", axis.size(), axis.front(), axis.back());
}

std::string TextOf(const landscape::Plane& plane, const std::string& unit, const Style& style) {
  using enum Table::Align;
  std::string text =
      fmt::format("{}  {}, {} parameters, {} numbers\n", style.Bold(Printable(plane.tag)),
                  plane.decomposition, plane.parameters.slots().size(), plane.parameters.size());
  if (const auto& explained = plane.directions.explained_variance) {
    text += fmt::format("  explained variance: {:.1f} % and {:.1f} %\n", 100 * (*explained)[0],
                        100 * (*explained)[1]);
  }
  text += fmt::format("  x: {}\n  y: {}\n\n", AxisText(plane.x), AxisText(plane.y));
  Table table({{unit, kRight}, {"x", kRight}, {"y", kRight}, {"distance", kRight}}, 2);
  for (std::size_t i = 0; i < plane.numbers.size(); ++i) {
    table.AddRow({fmt::to_string(plane.numbers[i]), fmt::format("{:.6g}", plane.trajectory.x[i]),
                  fmt::format("{:.6g}", plane.trajectory.y[i]),
                  fmt::format("{:.3g}", plane.trajectory.distances[i])});
  }
  return text + table.ToString(style);
}

Status Show(const InfoArguments& arguments) {
  SIGHTLINE_ASSIGN_OR_RETURN(const landscape::TrainMetadata metadata,
                             landscape::ReadTrainMetadata(arguments.directory));
  SIGHTLINE_ASSIGN_OR_RETURN(const landscape::PlaneOptions options, MakePlaneOptions(arguments));
  const Style style(stdout);
  for (std::size_t i = 0; i < metadata.intervals.size(); ++i) {
    SIGHTLINE_ASSIGN_OR_RETURN(const landscape::Plane plane,
                               landscape::PlaneOfInterval(metadata, i, options));
    const std::string text =
        arguments.json ? JsonOf(plane) : (i == 0 ? "" : "\n") + TextOf(plane, metadata.unit, style);
    std::fputs(text.c_str(), stdout);
  }
  return {};
}

int Run(const InfoArguments& arguments) {
  const Status status = Show(arguments);
  if (status.ok()) return kExitOk;
  std::fprintf(stderr, "sightline landscape info: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddLandscapeInfoCommand(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", kHelp);
  command->footer(kExamples);
  AddPlaneArguments(*command, *arguments);
  command->add_flag("--json", arguments->json, "One line of JSON for each interval");
  command->callback([arguments, &exit_code] { exit_code = Run(*arguments); });
}

}  // namespace sightline
