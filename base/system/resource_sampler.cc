#include "sightline/base/system/resource_sampler.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

#include "sightline/base/system/gpu_library.h"
#include "sightline/base/system/npu_library.h"
#include "sightline/base/system/process_stat.h"
#include "sightline/base/system/small_file.h"

namespace sightline {
namespace {

constexpr std::size_t kMostThreads = 64;

std::int64_t MonotonicNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// The next word of `text`, which then begins after it.
std::string_view NextWord(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

double ToNumber(std::string_view word) { return std::strtod(std::string(word).c_str(), nullptr); }

// The number after `key` ("read_bytes:"), or -1.
double NumberAfter(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  std::string_view rest = text.substr(at + key.size());
  return ToNumber(NextWord(rest));
}

double CpuSeconds(const ProcessStat& stat) {
  return static_cast<double>(stat.cpu_ticks) / ProcessStat::TicksPerSecond();
}

}  // namespace

ResourceSampler::ResourceSampler(ResourceSamplerOptions options) : options_(std::move(options)) {
  if (!options_.devices) return;
  gpus_ = GpuLibrary::Load();
  npus_ = NpuLibrary::Load(ChooseNpus(true));
}
ResourceSampler::~ResourceSampler() = default;

void ResourceSampler::Add(std::string name, double value) {
  values_.push_back({std::move(name), value});
}

void ResourceSampler::AddRate(const std::string& name, double total, double scale) {
  new_totals_[name] = total;
  const auto before = totals_.find(name);
  if (before == totals_.end() || seconds_ <= 0 || total < before->second) return;
  Add(name, (total - before->second) / seconds_ * scale);
}

void ResourceSampler::AddMemory() {
  const std::string text = ReadSmallFile(options_.proc + "/self/statm");
  std::string_view rest = text;
  NextWord(rest);
  const std::string_view resident = NextWord(rest);
  if (resident.empty()) return;
  Add("system/memory_bytes", ToNumber(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)));
}

void ResourceSampler::AddProcess() {
  const auto stat = ProcessStat::Read(options_.proc + "/self/stat");
  if (!stat) return;
  AddRate("system/cpu_percent", CpuSeconds(*stat), 100);
  AddRate("system/minor_faults_per_second", static_cast<double>(stat->minor_faults));
  AddRate("system/major_faults_per_second", static_cast<double>(stat->major_faults));
}

void ResourceSampler::AddSwitches() {
  const std::string text = ReadSmallFile(options_.proc + "/self/status");
  const double given = NumberAfter(text, "\nvoluntary_ctxt_switches:");
  const double forced = NumberAfter(text, "\nnonvoluntary_ctxt_switches:");
  if (given >= 0) AddRate("system/context_switches_per_second", given);
  if (forced >= 0) AddRate("system/forced_switches_per_second", forced);
}

void ResourceSampler::AddDisk() {
  const std::string text = ReadSmallFile(options_.proc + "/self/io");
  const double read_bytes = NumberAfter(text, "\nread_bytes:");
  const double written_bytes = NumberAfter(text, "\nwrite_bytes:");
  if (read_bytes >= 0) AddRate("system/disk_read_bytes_per_second", read_bytes);
  if (written_bytes >= 0) AddRate("system/disk_write_bytes_per_second", written_bytes);
}

void ResourceSampler::AddNetwork() {
  const std::string text = ReadSmallFile(options_.proc + "/self/net/dev");
  std::string_view rest = text;
  double received = 0;
  double sent = 0;
  bool any = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;  // A heading.
    std::string_view name = line.substr(0, colon);
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    if (name == "lo") continue;
    line.remove_prefix(colon + 1);
    any = true;
    received += ToNumber(NextWord(line));
    constexpr int kReceivedFieldsBetween = 7;
    for (int i = 0; i < kReceivedFieldsBetween; ++i) NextWord(line);
    sent += ToNumber(NextWord(line));
  }
  if (!any) return;
  AddRate("system/network_received_bytes_per_second", received);
  AddRate("system/network_sent_bytes_per_second", sent);
}

void ResourceSampler::AddThreads() {
  const std::string folder = options_.proc + "/self/task";
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return;
  std::size_t threads = 0;
  while (const dirent* entry = readdir(directory)) {  // NOLINT(concurrency-mt-unsafe)
    const std::string id = static_cast<const char*>(entry->d_name);
    if (id[0] == '.') continue;
    if (++threads > kMostThreads) break;
    std::string path = folder;
    path.append("/").append(id).append("/stat");
    const auto stat = ProcessStat::Read(path);
    if (!stat || stat->cpu_ticks == 0) continue;
    AddRate("system/thread/" + stat->name + "-" + id + "/cpu_percent", CpuSeconds(*stat), 100);
  }
  closedir(directory);
}

std::vector<ResourceValue> ResourceSampler::Sample() { return SampleAt(MonotonicNow()); }

std::vector<ResourceValue> ResourceSampler::SampleAt(std::int64_t nanos) {
  seconds_ = first_ ? 0 : static_cast<double>(nanos - last_nanos_) * 1e-9;
  first_ = false;
  last_nanos_ = nanos;
  AddMemory();
  AddProcess();
  AddSwitches();
  AddDisk();
  AddNetwork();
  if (options_.threads) AddThreads();
  if (gpus_ != nullptr) gpus_->AddTo(values_);
  if (npus_ != nullptr) npus_->AddTo(values_);
  totals_ = std::exchange(new_totals_, {});
  return std::exchange(values_, {});
}

}  // namespace sightline
