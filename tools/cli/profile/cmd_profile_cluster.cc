// sightline profile cluster: the ranks of a training side by side, and who keeps the others
// waiting.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/cluster/cluster_findings.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tools/cli/profile/cluster_text.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"

namespace sightline {
namespace {

struct ClusterOptions {
  std::vector<std::string> paths;
  std::uint64_t memory_limit = 0;  // Bytes; 0: none.
  bool json = false;
};

constexpr char kHelp[] =
    R"(Shows the ranks of a training side by side: who is slow, and who is waited for.

Each PATH is a profile, or a folder that holds several. Each profile is a rank. The number of a rank
is the one that the profile contains, or else that of its folder or file: 11 of rank_11, rank11 and
rank-11. If there is neither, the rank has no number and is named by its path. Of a MindSpore folder
with several ranks, all are read. Of NPUs, the small tables of the profiler are enough; a trace is
read only if they do not list the steps. A rank without steps has no data. Each rank that cannot be
read is named on standard error, and the others are compared.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile cluster ./profile
  sightline profile cluster ./profile/rank_0 ./profile/rank_1
  sightline profile cluster --json ./profile | jq '.findings[].what'

Exit codes: 0 done, 1 done but a rank is damaged or cannot be read, 2 not done.)";

void Name(const std::vector<profiler::UnreadRank>& unread) {
  for (const profiler::UnreadRank& one : unread) {
    // The errors of folders name them.
    const bool named = one.error.starts_with(one.path);
    std::fprintf(stderr, "sightline profile: %s%s\n",
                 named ? "" : (Printable(one.path) + ": ").c_str(), Printable(one.error).c_str());
  }
}

int Run(const ClusterOptions& options) {
  const Status kept = KeepBelow(options.memory_limit);
  if (!kept.ok()) {
    std::fprintf(stderr, "sightline profile: %s\n", std::string(kept.message()).c_str());
    return kExitError;
  }
  profiler::ClusterParts read = profiler::ReadParts(profiler::ProfilesOf(options.paths));
  Name(read.unread);
  Name(read.damage);
  if (read.parts.empty()) return kExitError;
  const profiler::Cluster cluster = profiler::JoinParts(std::move(read.parts));
  const std::vector<profiler::Finding> findings = profiler::FindInCluster(cluster);
  if (options.json) {
    std::puts(JsonLine(profiler::ClusterToJson(cluster, findings, read.unread)).c_str());
  } else {
    std::fputs(ClusterText(cluster, findings, Style(stdout)).c_str(), stdout);
  }
  return read.unread.empty() && read.damage.empty() ? kExitOk : kExitDamage;
}

}  // namespace

void AddProfileClusterCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ClusterOptions>();
  CLI::App* command = profile.add_subcommand("cluster", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Profiles, or folders with profiles in them")
      ->required();
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_flag(
      "--json", options->json,
      "One line of JSON: findings, ranks, unreadable, missing_ranks, steps, cells (ranks x steps), "
      "hosts, stages, groups, collectives, links, packets; docs/profiles.md explains them");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
