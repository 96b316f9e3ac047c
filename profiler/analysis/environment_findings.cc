#include "sightline/profiler/analysis/environment_findings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/json/foreign_json.h"

namespace sightline::profiler {
namespace {

constexpr double kIdleShare = 0.1;

// The value of a variable in the profiler's list, which is a JSON object of texts; empty if it is
// not set.
std::string VariableIn(const Profile& profile, const char* name) {
  for (const auto& [attribute, text] : profile.model.attributes) {
    if (attribute != "ENV_VARIABLES") continue;
    const auto variables = ParseForeignJson<nlohmann::json>(text);
    if (!variables.is_object()) continue;
    const auto found = variables.find(name);
    if (found != variables.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

}  // namespace

std::vector<Finding> JudgeEnvironment(const Profile& profile, double idle_share) {
  std::vector<Finding> found;
  const std::string idle =
      fmt::format("the device is idle for {:.1f} % of a step", idle_share * 100);
  if (VariableIn(profile, "ASCEND_LAUNCH_BLOCKING") == "1") {
    found.push_back(
        {.rule = "environment",
         .subject = "ASCEND_LAUNCH_BLOCKING",
         .what = "Each call waits until its kernel has run.",
         .evidence = "ASCEND_LAUNCH_BLOCKING=1 was set while this was recorded; " + idle,
         .change = "unset ASCEND_LAUNCH_BLOCKING, which is for debugging",
         .share = idle_share});
  }
  const std::string level = VariableIn(profile, "ASCEND_GLOBAL_LOG_LEVEL");
  if ((level == "0" || level == "1") && idle_share > kIdleShare) {
    found.push_back(
        {.rule = "environment",
         .subject = "ASCEND_GLOBAL_LOG_LEVEL",
         .what = "CANN writes a long log.",
         .evidence =
             fmt::format("ASCEND_GLOBAL_LOG_LEVEL={} ({}) was set while this was recorded; ", level,
                         level == "0" ? "debug" : "info") +
             idle,
         .change = "ASCEND_GLOBAL_LOG_LEVEL=3, which logs errors only",
         .share = idle_share});
  }
  return found;
}

}  // namespace sightline::profiler
