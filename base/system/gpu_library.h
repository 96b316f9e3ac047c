// GpuLibrary: NVIDIA's management library, loaded at run time if it is installed; nothing is
// linked. Names and structs are those of nvml.h, which keeps them stable by version suffixes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/system/resource_sampler.h"

namespace sightline {

class GpuLibrary {
 public:
  // Null if there is no library of that name, or no GPU. `name` is passed to dlopen; for tests.
  static std::unique_ptr<GpuLibrary> Load(const std::string& name = "libnvidia-ml.so.1");
  ~GpuLibrary();
  GpuLibrary(const GpuLibrary&) = delete;
  GpuLibrary& operator=(const GpuLibrary&) = delete;

  // "system/gpu<i>/use_percent", ".../memory_bytes", ".../temperature_celsius" and
  // ".../power_watts", each of each GPU that tells it.
  void AddTo(std::vector<ResourceValue>& values) const;

 private:
  explicit GpuLibrary(void* library) : library_(library) {}
  bool Start();

  using Device = void*;
  struct Utilization {
    unsigned int gpu;
    unsigned int memory;
  };
  struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
  };

  void* library_;
  bool started_ = false;
  int (*shutdown_)() = nullptr;
  int (*utilization_)(Device, Utilization*) = nullptr;
  int (*memory_)(Device, Memory*) = nullptr;
  int (*temperature_)(Device, int sensor, unsigned int* celsius) = nullptr;  // Null: unknown.
  int (*power_)(Device, unsigned int* milliwatts) = nullptr;                 // Null: unknown.
  std::vector<Device> devices_;
};

}  // namespace sightline
