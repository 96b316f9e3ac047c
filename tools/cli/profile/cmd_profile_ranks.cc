// sightline profile ranks: the ranks of a training side by side, and who keeps the others waiting.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"

namespace sightline {
namespace {

using profiler::Finding;
using profiler::RankUse;

struct RanksOptions {
  std::vector<std::string> paths;
  std::uint64_t memory_limit = 0;  // Bytes; 0: none.
  bool json = false;
};

constexpr char kHelp[] =
    R"(Shows the ranks of a training side by side: the median step of each, and who is slow.

Each PATH is a profile, or a folder that holds several. Each profile is a rank. The number of a rank
is the one that the profile contains, or else that of its folder or file: 11 of rank_11, rank11 and
rank-11. If there is neither, the rank has no number and is named by its path. Of a MindSpore folder
with several ranks, all are read. Of NPUs, the small tables of the profiler are enough; a trace is
read only if they do not list the steps. A rank without steps has no data. Each rank that cannot be
read is named on standard error, and the others are compared.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile ranks ./profile/rank_0 ./profile/rank_1
  sightline profile ranks ./profile

Exit codes: 0 done, 1 done but a rank is damaged or cannot be read, 2 not done.)";

std::vector<std::string> ProfilesIn(const std::string& path) {
  std::vector<std::string> paths;
  for (const profiler::FoundProfile& found : profiler::FindProfiles(path))
    paths.push_back(found.path);
  if (paths.empty())
    paths.push_back(path);  // A file, or a path whose error is reported when it is opened.
  return paths;
}

// Adds the use of the profile, or of each rank in its folder. Those that cannot be read are named
// on standard error.
void AddRanks(const std::string& path, std::uint64_t memory_limit, std::vector<RankUse>& ranks,
              int& exit_code) {
  std::vector<std::int64_t> others;
  for (std::size_t i = 0; i == 0 || i < others.size(); ++i) {
    int code = kExitOk;
    ProfileOptions options;
    options.path = path;
    options.memory_limit = memory_limit;
    options.for_ranks = true;
    if (i > 0) options.rank = others[i];
    const auto profile = OpenProfile(options, code);
    exit_code = std::max(exit_code, profile ? code : kExitDamage);
    if (!profile) continue;
    if (i == 0) others = profile->ranks;
    ranks.push_back(profiler::MeasureRank(*profile));
  }
}

std::string Duration(double nanoseconds) {
  return FormatDuration(static_cast<std::int64_t>(nanoseconds));
}

void Print(const std::vector<RankUse>& ranks, const std::vector<Finding>& findings) {
  using enum Table::Align;
  Table table({{"rank", kRight},
               {"steps", kRight},
               {"step", kRight},
               {"own", kRight},
               {"waits for data", kRight},
               {"communication", kRight},
               {"share", kRight},
               {"profile", kLeft}},
              0);
  for (const RankUse& one : ranks) {
    std::string number = one.rank ? fmt::to_string(*one.rank) : "-";
    if (!one.has_data()) {
      table.AddRow({std::move(number), "no data", "", "", "", "", "", Printable(one.path)});
      continue;
    }
    table.AddRow({std::move(number), fmt::to_string(one.steps), Duration(one.step),
                  Duration(one.own()), one.knows_data_wait ? Duration(one.data_wait) : "-",
                  Duration(one.communication), FormatShare(one.communication_share()),
                  Printable(one.path)});
  }
  const Style style(stdout);
  std::string text = table.ToString(style);
  if (!findings.empty()) text += "\n" + FindingsText(findings, style);
  std::fputs(text.c_str(), stdout);
}

void PrintJson(const std::vector<RankUse>& ranks, const std::vector<Finding>& findings) {
  for (const RankUse& one : ranks) {
    nlohmann::ordered_json json = {{"rank", nullptr}, {"path", one.path}, {"steps", one.steps}};
    if (one.rank) json["rank"] = *one.rank;
    if (one.has_data()) {
      json["step_us"] = one.step / 1000;
      json["own_us"] = one.own() / 1000;
      if (one.knows_data_wait) json["data_wait_us"] = one.data_wait / 1000;
      json["communication_us"] = one.communication / 1000;
      json["communication_share"] = one.communication_share();
    }
    if (one.computing > 0) json["computing_us"] = one.computing / 1000;
    if (one.preparing > 0) json["preparing_us"] = one.preparing / 1000;
    if (one.stage) json["stage"] = *one.stage;
    if (one.flops > 0) json["flops_per_second"] = one.flops;
    for (const profiler::LinkUse& link : one.links) {
      json["links"].push_back({{"link", link.link},
                               {"transport", link.transport},
                               {"bytes", link.bytes},
                               {"us", Microseconds(link.time)}});
    }
    std::puts(JsonLine(json).c_str());
  }
  for (const Finding& finding : findings) std::puts(JsonLine(FindingToJson(finding)).c_str());
}

int Run(const RanksOptions& options) {
  int exit_code = kExitOk;
  std::vector<RankUse> ranks;
  for (const std::string& path : options.paths) {
    for (const std::string& one : ProfilesIn(path))
      AddRanks(one, options.memory_limit, ranks, exit_code);
  }
  if (ranks.empty()) return kExitError;
  profiler::SortRanks(ranks);
  const std::vector<Finding> findings = profiler::CompareRanks(ranks);
  if (options.json) {
    PrintJson(ranks, findings);
  } else {
    Print(ranks, findings);
  }
  return exit_code;
}

}  // namespace

void AddProfileRanksCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<RanksOptions>();
  CLI::App* command = profile.add_subcommand("ranks", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Profiles, or folders with profiles in them")
      ->required();
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_flag(
      "--json", options->json,
      "One line of JSON for each rank: rank (null if unknown), path, steps, if there are steps "
      "step_us, own_us, communication_us, communication_share, where they are known data_wait_us, "
      "computing_us, preparing_us, stage, flops_per_second, links; after them what was found: "
      "rule, subject, what, "
      "evidence, change, share");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
