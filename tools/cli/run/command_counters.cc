#include "sightline/tools/cli/run/command_counters.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/system/small_file.h"

namespace sightline {
namespace {

constexpr double kNanos = 1e9;

// The numbers after `text`'s first word; what is none is 0.
std::vector<std::uint64_t> Numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = text.find(' '); at != text.npos;) {
    const std::size_t begin = text.find_first_not_of(" \n", at);
    if (begin == text.npos) break;
    at = text.find_first_of(" \n", begin);
    numbers.push_back(ParseNumber<std::uint64_t>(text.substr(begin, at - begin)).value_or(0));
  }
  return numbers;
}

}  // namespace

CommandCounters::CommandCounters(pid_t command, bool of_machine, std::string proc)
    : command_(command), of_machine_(of_machine), proc_(std::move(proc)) {
  if (!of_machine_) return;
  gpus_ = GpuLibrary::Load();
  npus_ = NpuLibrary::Load(ChooseNpus(false));
}

// The command first; empty if it has ended.
std::vector<ProcessStat> CommandCounters::CommandsProcesses() const {
  std::multimap<pid_t, ProcessStat> by_parent;
  std::vector<ProcessStat> found;
  const auto entries = FileSystem::Local().List(proc_);
  for (const std::string& entry : entries.value_or(std::vector<std::string>())) {
    const auto id = ParseNumber<pid_t>(entry);
    if (!id) continue;
    const auto process = ProcessStat::Read(proc_ + "/" + entry + "/stat");
    if (!process) continue;
    if (*id == command_) {
      found.push_back(*process);
    } else {
      by_parent.emplace(process->parent, *process);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = by_parent.equal_range(found[i].id);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
    by_parent.erase(begin, end);  // None is found twice.
  }
  return found;
}

std::optional<std::vector<ResourceValue>> CommandCounters::Sample(std::int64_t nanos) {
  const std::vector<ProcessStat> processes = CommandsProcesses();
  if (processes.empty() || processes.front().state == 'Z') return std::nullopt;
  const std::uint64_t begin = processes.front().begin_ticks;
  if (begin_.value_or(begin) != begin) return std::nullopt;
  begin_ = begin;
  std::uint64_t ticks = 0;
  std::uint64_t pages = 0;
  for (const ProcessStat& process : processes) {
    ticks += process.cpu_ticks + process.children_cpu_ticks;
    pages += process.resident_pages;
  }
  std::vector<ResourceValue> values;
  const double seconds = static_cast<double>(nanos - nanos_) / kNanos;
  const double cpu = static_cast<double>(ticks) / ProcessStat::TicksPerSecond();
  // It falls when a process leaves the command, and takes the time of its children along.
  if (cpu_seconds_ && seconds > 0 && cpu >= *cpu_seconds_)
    values.push_back({"command/cpu_percent", (cpu - *cpu_seconds_) / seconds * 100});
  cpu_seconds_ = cpu;
  values.push_back({"command/memory_bytes",
                    static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE))});
  values.push_back({"command/processes", static_cast<double>(processes.size())});
  if (of_machine_) AddMachine(values);
  nanos_ = nanos;
  return values;
}

void CommandCounters::AddMachine(std::vector<ResourceValue>& values) {
  // "cpu  user nice system idle iowait irq softirq steal ..."; guests are in user and nice.
  const std::string stat = ReadSmallFile(proc_ + "/stat");
  const std::vector<std::uint64_t> times = Numbers(stat.substr(0, stat.find('\n')));
  constexpr std::size_t kCounted = 8;
  if (times.size() >= kCounted) {
    double total = 0;
    for (std::size_t i = 0; i < kCounted; ++i) total += static_cast<double>(times[i]);
    const double busy = total - static_cast<double>(times[3] + times[4]);
    if (machine_busy_ && total > machine_total_ && busy >= *machine_busy_) {
      values.push_back(
          {"machine/cpu_percent", (busy - *machine_busy_) / (total - machine_total_) * 100});
    }
    machine_busy_ = busy;
    machine_total_ = total;
  }
  constexpr std::string_view kAvailable = "MemAvailable:";
  const std::string memory = ReadSmallFile(proc_ + "/meminfo");
  if (const std::size_t at = memory.find(kAvailable); at != memory.npos) {
    const auto numbers = Numbers(memory.substr(at, memory.find('\n', at) - at));
    if (!numbers.empty()) {
      values.push_back(
          {"machine/memory_available_bytes", static_cast<double>(numbers.front()) * 1024});
    }
  }
  std::vector<ResourceValue> of_devices;
  if (gpus_ != nullptr) gpus_->AddTo(of_devices);
  if (npus_ != nullptr) npus_->AddTo(of_devices);
  constexpr std::string_view kSystem = "system";
  for (const ResourceValue& value : of_devices)
    values.push_back({"machine" + value.name.substr(kSystem.size()), value.value});
}

}  // namespace sightline
