// sightline profile flame: folded stacks, which flame graphs are drawn from.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/flame.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

constexpr char kHelp[] = R"(Prints stacks with their own time in ns, for a flame graph.

A line is "lane;outer;inner 1234", the form that speedscope.app and flamegraph.pl read. The frames
are the spans around a span, and Python's functions if the profiler recorded call stacks.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile flame ./data > training.folded     then open it at speedscope.app
  sightline profile flame ./data | flamegraph.pl --countname ns > training.svg

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

int Run(const ProfileOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  for (const profiler::FoldedStack& each : profiler::FoldStacks(profile->model)) {
    if (options.json) {
      nlohmann::ordered_json line;
      line["stack"] = each.stack;
      line["self_us"] = Microseconds(each.nanos);
      line["count"] = each.count;
      std::puts(JsonLine(line).c_str());
    } else if (each.nanos > 0) {
      std::printf("%s %lld\n", Printable(each.stack).c_str(), static_cast<long long>(each.nanos));
    }
  }
  return exit_code;
}

}  // namespace

void AddProfileFlameCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = profile.add_subcommand("flame", kHelp);
  command->footer(kExamples);
  options->AddTo(*command, "One line of JSON for each stack: stack, self_us, count");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
