// ResourceSampler: the resources that the process uses. It reads memory, CPU time, page faults,
// context switches, and bytes of disk and network from /proc; the counters of NVIDIA's GPUs and of
// Huawei's NPUs from their libraries, if they can be loaded. Of NPUs only the rank's own, if the
// environment tells which one that is.
//
// Names and units. Rates are those since the sample before; the first sample has none:
//
//   system/memory_bytes                      resident memory (statm)
//   system/cpu_percent                       of one core, of all threads of the process (stat)
//   system/thread/<name>-<id>/cpu_percent    of one core, for threads that ran since then; only the
//                                            first 64 threads (task/<id>/stat)
//   system/minor_faults_per_second, system/major_faults_per_second            (stat)
//   system/context_switches_per_second       of the main thread: it gave up its processor (status)
//   system/forced_switches_per_second        of the main thread: it lost its processor (status)
//   system/disk_read_bytes_per_second, system/disk_write_bytes_per_second     (io)
//   system/network_received_bytes_per_second, system/network_sent_bytes_per_second
//                                            of the network namespace, without loopback (net/dev)
//   system/gpu<i>/use_percent, system/gpu<i>/memory_bytes,
//   system/gpu<i>/temperature_celsius, system/gpu<i>/power_watts
//   system/npu<id>/...                       see NpuLibrary
//
// Values that the system does not offer are missing. Source: proc(5). One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sightline {

struct ResourceValue {
  std::string name;
  double value = 0;
};

struct ResourceSamplerOptions {
  std::string proc = "/proc";  // Another folder in tests.
  bool threads = true;         // Also the CPU time of each thread.
  bool devices = true;         // GPUs and NPUs.
};

class GpuLibrary;
class NpuLibrary;

class ResourceSampler {
 public:
  explicit ResourceSampler(ResourceSamplerOptions options = {});
  ~ResourceSampler();
  ResourceSampler(const ResourceSampler&) = delete;
  ResourceSampler& operator=(const ResourceSampler&) = delete;

  std::vector<ResourceValue> Sample();
  // The same at a given time: nanoseconds of a clock that never goes back.
  std::vector<ResourceValue> SampleAt(std::int64_t nanos);

 private:
  void Add(std::string name, double value);
  // `total`: a number that only grows. Its rate since the last sample, times `scale`.
  void AddRate(const std::string& name, double total, double scale = 1);

  void AddMemory();
  void AddProcess();
  void AddSwitches();
  void AddDisk();
  void AddNetwork();
  void AddThreads();

  ResourceSamplerOptions options_;
  std::unique_ptr<GpuLibrary> gpus_;
  std::unique_ptr<NpuLibrary> npus_;
  std::unordered_map<std::string, double> totals_;      // Of the sample before.
  std::unordered_map<std::string, double> new_totals_;  // Of this one.
  std::vector<ResourceValue> values_;
  double seconds_ = 0;  // Since the sample before; 0 in the first.
  std::int64_t last_nanos_ = 0;
  bool first_ = true;
};

}  // namespace sightline
