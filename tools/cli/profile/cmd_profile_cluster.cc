// sightline profile cluster: the ranks of a training side by side, and who keeps the others
// waiting.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/cluster/cluster_findings.h"
#include "sightline/profiler/cluster/cluster_json.h"
#include "sightline/profiler/cluster/read_cluster.h"
#include "sightline/tools/cli/profile/cluster_change_text.h"
#include "sightline/tools/cli/profile/cluster_text.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"

namespace sightline {
namespace {

struct ClusterOptions {
  std::vector<std::string> paths;
  std::vector<std::string> against;  // The same of another cluster.
  profiler::Workload workload;
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

With --against, shows how the ranks' steps differ from those of the same ranks of another cluster,
which came before. With --step-flops and --peak-flops, also shows which share of the devices' peak
the model's operations are (MFU), and with --step-tokens the tokens in a second.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile cluster ./profile
  sightline profile cluster ./profile/rank_0 ./profile/rank_1
  sightline profile cluster --json ./profile | jq '.findings[].what'
  sightline profile cluster ./after --against ./before
  sightline profile cluster ./profile --step-flops 1.6e16 --peak-flops 3.13e14 --step-tokens 65536

Exit codes: 0 done, 1 done but a rank is damaged or cannot be read, 2 not done.)";

void Name(const std::vector<profiler::UnreadRank>& unread) {
  for (const profiler::UnreadRank& one : unread) {
    // The errors of folders name them.
    const bool named = one.error.starts_with(one.path);
    std::fprintf(stderr, "sightline profile: %s%s\n",
                 named ? "" : (Printable(one.path) + ": ").c_str(), Printable(one.error).c_str());
  }
}

// The cluster before; none, said on standard error, if nothing of it can be read.
std::optional<profiler::Cluster> Before(const ClusterOptions& options, int& exit_code) {
  profiler::ClusterParts read = profiler::ReadParts(profiler::ProfilesOf(options.against));
  Name(read.unread);
  Name(read.damage);
  if (!read.unread.empty() || !read.damage.empty()) exit_code = kExitDamage;
  if (read.parts.empty()) return std::nullopt;
  return profiler::JoinParts(std::move(read.parts));
}

std::string EfficiencyText(const profiler::Efficiency& efficiency) {
  std::string text = fmt::format("\nA step takes {} on {}", FormatDuration(efficiency.step),
                                 Count(efficiency.ranks, "rank"));
  if (efficiency.flops_per_second)
    text += fmt::format(": {:.1f} TFLOP/s a device", *efficiency.flops_per_second / 1e12);
  if (efficiency.mfu) text += fmt::format(", {:.1f} % of its peak (MFU)", *efficiency.mfu * 100);
  if (efficiency.tokens_per_second)
    text += fmt::format("; {:.0f} tokens/s", *efficiency.tokens_per_second);
  return text + "\n";
}

// What is known of a cluster.
struct Answer {
  profiler::Cluster cluster;
  std::vector<profiler::Finding> findings = {};
  std::optional<profiler::ClusterChange> change = std::nullopt;
  std::optional<profiler::Efficiency> efficiency = std::nullopt;
};

void Print(const Answer& answer) {
  const Style style(stdout);
  std::string text = answer.change ? ClusterChangeText(*answer.change, style)
                                   : ClusterText(answer.cluster, answer.findings, style);
  if (answer.efficiency) text += EfficiencyText(*answer.efficiency);
  std::fputs(text.c_str(), stdout);
}

void PrintJson(const Answer& answer, const std::vector<profiler::UnreadRank>& unread) {
  auto json = profiler::ClusterToJson(answer.cluster, answer.findings, unread);
  if (answer.change) json["against"] = profiler::ClusterChangeToJson(*answer.change);
  if (answer.efficiency) json["efficiency"] = profiler::EfficiencyToJson(*answer.efficiency);
  std::puts(JsonLine(json).c_str());
}

// Compares the cluster with the one before. Returns false, said on standard error, if that cannot
// be.
bool CompareWithBefore(const ClusterOptions& options, Answer& answer, int& exit_code) {
  const auto before = Before(options, exit_code);
  if (!before) return false;
  answer.change = profiler::CompareClusters(*before, answer.cluster);
  if (!answer.change->ranks.empty()) return true;
  std::fputs("sightline profile: no rank has device steps in both clusters\n", stderr);
  return false;
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
  int exit_code = read.unread.empty() && read.damage.empty() ? kExitOk : kExitDamage;
  Answer answer{.cluster = profiler::JoinParts(std::move(read.parts))};
  answer.findings = profiler::FindInCluster(answer.cluster);
  if (!options.against.empty() && !CompareWithBefore(options, answer, exit_code)) return kExitError;
  if (options.workload.flops > 0 || options.workload.tokens > 0)
    answer.efficiency = profiler::MeasureEfficiency(answer.cluster, options.workload);
  if (options.json) {
    PrintJson(answer, read.unread);
  } else {
    Print(answer);
  }
  return exit_code;
}

}  // namespace

void AddProfileClusterCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ClusterOptions>();
  CLI::App* command = profile.add_subcommand("cluster", kHelp);
  command->footer(kExamples);
  command->add_option("PATH", options->paths, "Profiles, or folders with profiles in them")
      ->required();
  command->add_option("--against", options->against,
                      "Profiles of another cluster, or folders with them: the training before");
  command
      ->add_option("--step-flops", options->workload.flops,
                   "Floating-point operations of the model in a step, all ranks together")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--peak-flops", options->workload.peak_flops,
                   "Floating-point operations that a device can do in a second")
      ->check(CLI::PositiveNumber)
      ->needs("--step-flops");
  command
      ->add_option("--step-tokens", options->workload.tokens,
                   "Tokens in a step, all ranks together")
      ->check(CLI::PositiveNumber);
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_flag(
      "--json", options->json,
      "One line of JSON: findings, ranks, unreadable, missing_ranks, steps, cells (ranks x steps), "
      "hosts, stages, groups, collectives, links, packets, and against or efficiency if asked for; "
      "docs/profiles.md explains them");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
