#include "sightline/tools/cli/run/command_counters.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/file_system.h"
#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr double kNanos = 1e9;

// The first bytes of a file; empty if it cannot be read. Files of /proc have no size.
std::string ReadSmallFile(const std::string& path) {
  constexpr std::size_t kMost = 4096;
  const auto file = FileSystem::Local().OpenForRead(path);
  std::string text(file ? kMost : 0, '\0');
  const auto got = file ? (*file)->ReadAt(0, text) : Result<std::size_t>(std::size_t{0});
  text.resize(got.value_or(0));
  return text;
}

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

struct CommandCounters::Process {
  pid_t id = 0;
  pid_t parent = 0;
  bool is_zombie = false;
  std::uint64_t ticks = 0;  // Its own, and of children that ended.
  std::uint64_t begin = 0;
  std::uint64_t pages = 0;

  // Of /proc/<id>/stat: "17 (any name) S 1 ..."; fields are numbered from 1.
  static std::optional<Process> Parse(std::string_view text) {
    constexpr std::size_t kFirst = 4;
    constexpr std::size_t kLast = 24;
    const std::size_t close = text.rfind(')');
    if (close == text.npos || close + 2 >= text.size()) return std::nullopt;
    const std::vector<std::uint64_t> fields = Numbers(text.substr(close + 2));
    if (fields.size() <= kLast - kFirst) return std::nullopt;
    const auto field = [&](std::size_t number) { return fields[number - kFirst]; };
    Process process;
    process.id = ParseNumber<pid_t>(text.substr(0, text.find(' '))).value_or(0);
    process.parent = static_cast<pid_t>(field(4));
    process.is_zombie = text[close + 2] == 'Z';
    process.ticks = field(14) + field(15) + field(16) + field(17);
    process.begin = field(22);
    process.pages = field(24);
    return process;
  }
};

CommandCounters::CommandCounters(pid_t command, bool of_machine, std::string proc)
    : command_(command), of_machine_(of_machine), proc_(std::move(proc)) {
  if (of_machine_) gpus_ = GpuLibrary::Load();
}

// The command first; empty if it has ended.
std::vector<CommandCounters::Process> CommandCounters::CommandsProcesses() const {
  std::multimap<pid_t, Process> by_parent;
  std::vector<Process> found;
  const auto entries = FileSystem::Local().List(proc_);
  for (const std::string& entry : entries.value_or(std::vector<std::string>())) {
    const auto id = ParseNumber<pid_t>(entry);
    if (!id) continue;
    const auto process = Process::Parse(ReadSmallFile(proc_ + "/" + entry + "/stat"));
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
  const std::vector<Process> processes = CommandsProcesses();
  if (processes.empty() || processes.front().is_zombie) return std::nullopt;
  if (begin_.value_or(processes.front().begin) != processes.front().begin) return std::nullopt;
  begin_ = processes.front().begin;
  std::uint64_t ticks = 0;
  std::uint64_t pages = 0;
  for (const Process& process : processes) {
    ticks += process.ticks;
    pages += process.pages;
  }
  std::vector<ResourceValue> values;
  const double seconds = static_cast<double>(nanos - nanos_) / kNanos;
  const double cpu = static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
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
  if (gpus_ == nullptr) return;
  std::vector<ResourceValue> of_gpus;
  gpus_->AddTo(of_gpus);
  constexpr std::string_view kSystem = "system";
  for (ResourceValue& value : of_gpus)
    values.push_back({"machine" + value.name.substr(kSystem.size()), value.value});
}

}  // namespace sightline
