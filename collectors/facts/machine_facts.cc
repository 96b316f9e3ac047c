#include "sightline/collectors/facts/machine_facts.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/ascii.h"
#include "sightline/base/file_system.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/system/environment.h"
#include "sightline/base/system/small_file.h"
#include "sightline/base/trimmed.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> Entries(const std::string& folder) {
  auto entries = FileSystem::Local().List(folder).value_or(std::vector<std::string>());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// What follows `key` in the line that begins with it.
std::string_view LineAfter(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(key)) return Trimmed(line.substr(key.size()));
    at = end + 1;
  }
  return {};
}

// The first word that looks like a version: digits with points.
std::string VersionIn(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!word.empty() && IsDigit(word.front()) && word.find('.') != word.npos)
      return std::string(word);
    at = end + 1;
  }
  return {};
}

void AddSystem(const std::string& root, Json& facts) {
  utsname names = {};
  if (uname(&names) == 0) {
    facts["host"] = ToUtf8(names.nodename);
    facts["system"] = fmt::format("{}-{}-{}-with-glibc{}", ToUtf8(names.sysname),
                                  ToUtf8(names.release), names.machine, gnu_get_libc_version());
  }
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof(processors), &processors) == 0)
    facts["cpus"] = CPU_COUNT(&processors);
  const std::string memory = ReadSmallFile(root + "/proc/meminfo");
  const std::string_view line = LineAfter(memory, "MemTotal:");
  const auto kilobytes = ParseNumber<std::int64_t>(line.substr(0, line.find(' ')));
  if (kilobytes) facts["memory_bytes"] = *kilobytes * 1024;
}

void AddDevices(const std::string& root, Json& facts) {
  const std::string gpus = root + "/proc/driver/nvidia/gpus";
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& gpu : Entries(gpus)) {
    const std::string text = ReadSmallFile(JoinPath(JoinPath(gpus, gpu), "information"));
    const std::string model = ToUtf8(LineAfter(text, "Model:"));
    if (model.empty()) continue;
    const auto same = std::find_if(counts.begin(), counts.end(),
                                   [&](const auto& count) { return count.first == model; });
    if (same == counts.end()) {
      counts.emplace_back(model, 1);
    } else {
      ++same->second;
    }
  }
  int npus = 0;
  constexpr std::string_view kNpu = "davinci";
  for (const std::string_view entry : Entries(root + "/dev"))
    npus += entry.size() > kNpu.size() && entry.starts_with(kNpu) && IsDigit(entry[kNpu.size()]);
  if (npus > 0) counts.emplace_back("Ascend NPU", npus);
  std::string devices;
  for (const auto& [model, count] : counts)
    devices += fmt::format("{}{} x {}", devices.empty() ? "" : ", ", count, model);
  if (!devices.empty()) facts["devices"] = devices;
}

void AddVersions(const std::string& root, Json& facts) {
  const auto add = [&](const char* key, std::string_view version) {
    if (!version.empty()) facts[key] = ToUtf8(version);
  };
  const std::string nvidia = ReadSmallFile(root + "/proc/driver/nvidia/version");
  const std::size_t module = nvidia.find("Kernel Module");
  if (module != nvidia.npos) add("nvidia_driver", VersionIn(nvidia.substr(module)));
  const std::string ascend = ReadSmallFile(root + "/usr/local/Ascend/driver/version.info");
  add("ascend_driver", LineAfter(ascend, "Version="));
  std::string toolkit = EnvironmentVariable("ASCEND_TOOLKIT_HOME");
  if (toolkit.empty()) toolkit = root + "/usr/local/Ascend/latest";
  const std::string cann = ReadSmallFile(JoinPath(toolkit, "version.cfg"));
  std::string_view version = LineAfter(cann, "toolkit_running_version=");
  if (version.starts_with('[')) version.remove_prefix(1);
  add("cann", version.substr(0, version.find_first_of("] ")));
}

}  // namespace

void AddMachineFacts(const std::string& root, Json& facts) {
  AddSystem(root, facts);
  AddDevices(root, facts);
  AddVersions(root, facts);
}

}  // namespace sightline
