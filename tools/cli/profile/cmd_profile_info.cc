// sightline profile info: which profiles are there, and what is in them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/analysis/finding_json.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::Lane;
using profiler::Profile;
using profiler::SourceFile;

constexpr char kHelp[] = R"(Shows the profiles in a path, and their content.

Begins with the findings of `profile summary`, and with the numbers of which two sources in the
profile say something else. Then lists the files that were read, how many of
their events were understood, which were not, and the lanes of the timeline.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile info ./data
  sightline profile info --json trace.json.gz

Exit codes: 0 done, 1 done but something of a profile is damaged, 2 not done.)";

std::string DisplayName(const Profile& profile, profiler::NameId name, profiler::NameId id) {
  const auto& names = profile.model.names;
  return std::string(names[name].empty() ? names[id] : names[name]);
}

nlohmann::ordered_json FilesToJson(const Profile& profile) {
  auto files = nlohmann::ordered_json::array();
  for (const SourceFile& file : profile.files) {
    nlohmann::ordered_json json = {{"path", file.path},
                                   {"bytes", file.bytes},
                                   {"events", file.events},
                                   {"modelled", file.modelled}};
    if (!file.status.ok()) json["error"] = file.status.message();
    if (file.untested) json["format_unseen"] = true;
    if (!file.note.empty()) json["note"] = file.note;
    if (!file.unread.empty()) json["unread"] = file.unread;
    files.push_back(std::move(json));
  }
  return files;
}

std::string_view UnitName(profiler::Unit unit) {
  switch (unit) {
    case profiler::Unit::kNanoseconds:
      return "ns";
    case profiler::Unit::kBytes:
      return "bytes";
    case profiler::Unit::kCount:
      return "count";
  }
  return "";
}

// The numbers of which two sources say something else.
std::string DisagreementText(const Profile& profile) {
  constexpr std::size_t kShown = 10;
  const std::vector<profiler::Disagreement> all = profiler::FindDisagreements(profile);
  if (all.empty()) return "";
  std::string text = "\n  Two sources disagree by more than 1 %:\n";
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    text += "  " + Printable(Describe(all[i])) + "\n";
  if (all.size() > kShown) text += fmt::format("  and {} more (--json)\n", all.size() - kShown);
  return text;
}

nlohmann::ordered_json ToJson(const Profile& profile) {
  const profiler::Model& model = profile.model;
  const profiler::TimeRange extent = Extent(model);
  nlohmann::ordered_json json = {{"path", profile.path},
                                 {"format", SourceFormatName(profile.format)},
                                 {"events", model.events_in},
                                 {"modelled", model.events_modelled},
                                 {"spans", model.spans.size()},
                                 {"instants", model.instants.size()},
                                 {"counters", model.counters.size()},
                                 {"flow_points", model.flows.size()},
                                 {"start_ns", extent.from},
                                 {"end_ns", extent.to}};
  if (profile.rank) json["rank"] = *profile.rank;
  if (!profile.ranks.empty()) json["ranks"] = profile.ranks;
  json["summary"] = nlohmann::ordered_json::array();
  for (const profiler::Finding& one : profiler::Summarize(profile))
    json["summary"].push_back(FindingToJson(one));
  json["disagreements"] = nlohmann::ordered_json::array();
  for (const profiler::Disagreement& one : profiler::FindDisagreements(profile)) {
    json["disagreements"].push_back({{"what", one.what},
                                     {"unit", UnitName(one.unit)},
                                     {"sources", {one.first, one.second}},
                                     {"values", {one.first_value, one.second_value}}});
  }
  json["files"] = FilesToJson(profile);
  json["lanes"] = nlohmann::ordered_json::array();
  for (const Lane& lane : model.lanes) {
    if (lane.count == 0) continue;
    json["lanes"].push_back({{"process", DisplayName(profile, lane.process_name, lane.process)},
                             {"thread", DisplayName(profile, lane.thread_name, lane.thread)},
                             {"kind", LaneKindName(lane.kind)},
                             {"spans", lane.count},
                             {"depths", lane.depths}});
  }
  json["not_understood"] = nlohmann::ordered_json::array();
  for (const profiler::NotUnderstood& one : model.not_understood) {
    json["not_understood"].push_back(
        {{"reason", one.reason}, {"count", one.count}, {"example", one.example}});
  }
  return json;
}

std::string FileTable(const Profile& profile, const Style& style) {
  using enum Table::Align;
  Table table(
      {{"file", kLeft}, {"size", kRight}, {"events", kRight}, {"understood", kRight}, {"", kLeft}},
      2);
  for (const SourceFile& file : profile.files) {
    std::string_view path = file.path;
    if (path.starts_with(profile.path + "/")) path.remove_prefix(profile.path.size() + 1);
    std::string note = Printable(file.note);
    if (file.untested) note = "never tested with a real file of this kind";
    if (!file.unread.empty()) note = "not read: " + file.unread;
    if (!file.status.ok()) note = style.Red(Printable(file.status.message()));
    table.AddRow({Printable(path), FormatByteSize(file.bytes), fmt::to_string(file.events),
                  fmt::to_string(file.modelled), note});
  }
  return table.ToString(style);
}

std::string LaneTable(const Profile& profile, const Style& style) {
  using enum Table::Align;
  Table table({{"process", kLeft}, {"thread", kLeft}, {"kind", kLeft}, {"spans", kRight}}, 2);
  bool any = false;
  for (const Lane& lane : profile.model.lanes) {
    if (lane.count == 0) continue;
    any = true;
    table.AddRow({Printable(DisplayName(profile, lane.process_name, lane.process)),
                  Printable(DisplayName(profile, lane.thread_name, lane.thread)),
                  std::string(LaneKindName(lane.kind)), fmt::to_string(lane.count)});
  }
  return any ? "\n" + table.ToString(style) : "";
}

void Print(const Profile& profile) {
  const Style style(stdout);
  const profiler::TimeRange extent = Extent(profile.model);
  std::string text = fmt::format(
      "{}  {}, {} over {}\n", style.Bold(Printable(profile.path)), SourceFormatName(profile.format),
      Count(profile.model.spans.size(), "span"), FormatDuration(extent.to - extent.from));
  if (profile.ranks.size() > 1) {
    text += fmt::format("  rank {} of {}\n", *profile.rank, Count(profile.ranks.size(), "rank"));
  } else if (profile.rank) {
    text += fmt::format("  rank {}\n", *profile.rank);
  }
  const auto findings = profiler::Summarize(profile);
  if (!findings.empty()) text += "\n" + FindingsText(findings, style);
  text += DisagreementText(profile) + "\n" + FileTable(profile, style) + LaneTable(profile, style);
  if (!profile.model.not_understood.empty()) text += "\n  Not understood:\n";
  for (const profiler::NotUnderstood& one : profile.model.not_understood) {
    text +=
        fmt::format("  {} {}: {}\n", Count(one.count, "event"), one.reason, Printable(one.example));
  }
  std::fputs(text.c_str(), stdout);
}

// The profile itself, or the profiles below a folder.
std::vector<std::string> FindPaths(const std::string& path) {
  const auto info = FileSystem::Local().Stat(path);
  if (!info || !info->is_directory) return {path};
  std::vector<std::string> paths;
  for (const profiler::FoundProfile& found : profiler::FindProfiles(path))
    paths.push_back(found.path);
  if (paths.empty()) paths.push_back(path);  // Opening it reports the error.
  return paths;
}

int Run(const ProfileOptions& options) {
  int exit_code = kExitOk;
  bool first = true;
  for (const std::string& path : FindPaths(options.path)) {
    ProfileOptions one = options;
    one.path = path;
    int code = kExitOk;
    const auto profile = OpenProfile(one, code);
    exit_code = std::max(exit_code, code);
    if (!profile) continue;
    if (options.json) {
      std::puts(JsonLine(ToJson(*profile)).c_str());
    } else {
      if (!first) std::puts("");
      Print(*profile);
    }
    first = false;
  }
  return exit_code;
}

}  // namespace

void AddProfileInfoCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = profile.add_subcommand("info", kHelp);
  command->footer(kExamples);
  options->AddTo(
      *command,
      "One line of JSON for each profile: path, format, events, modelled, spans, summary, "
      "disagreements, files, lanes, not_understood");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
