// CommandCounters: the resources that a command and all processes below it use, and those of the
// machine, from /proc and the libraries of GPUs and NPUs.
//
//   command/cpu_percent             of one core, of all its processes, since the sample before
//   command/memory_bytes            resident; memory that processes share counts for each
//   command/processes               how many there are
//   machine/cpu_percent             of all processors together, since the sample before
//   machine/memory_available_bytes
//   machine/gpu<i>/...              see GpuLibrary
//   machine/npu<id>/...             see NpuLibrary; those that are visible
//
// What the system does not tell is missing. Source: proc(5). One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/system/gpu_library.h"
#include "sightline/base/system/npu_library.h"
#include "sightline/base/system/process_stat.h"

namespace sightline {

class CommandCounters {
 public:
  // `of_machine`: also the machine's. `proc`: another folder in tests.
  CommandCounters(pid_t command, bool of_machine, std::string proc = "/proc");

  // At a time in nanoseconds of a clock that never goes back. None once the command has ended.
  std::optional<std::vector<ResourceValue>> Sample(std::int64_t nanos);

 private:
  std::vector<ProcessStat> CommandsProcesses() const;
  void AddMachine(std::vector<ResourceValue>& values);

  const pid_t command_;
  const bool of_machine_;
  const std::string proc_;
  std::unique_ptr<GpuLibrary> gpus_;
  std::unique_ptr<NpuLibrary> npus_;
  std::optional<std::uint64_t> begin_;  // When the command began: its number may be given again.
  std::optional<double> cpu_seconds_;   // Of the sample before.
  std::optional<double> machine_busy_;
  double machine_total_ = 0;
  std::int64_t nanos_ = 0;
};

}  // namespace sightline
