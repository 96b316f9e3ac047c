// NpuLibrary: the management library of Huawei's NPUs (DCMI), loaded at run time if the driver is
// installed; nothing is linked. Names and structs are those of dcmi_interface_api.h (functions by
// card and device), and of dcmi_interface_api_v2.h for drivers that have nothing else (Ascend 950).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/system/resource_sampler.h"

namespace sightline {

// The NPUs that a process may use, by their logical ids. `own`: only that of the rank which the
// process is, where the environment tells which one that is.
struct NpuChoice {
  bool all = true;
  std::vector<unsigned int> ids = {};  // If not all.
};
// By ASCEND_RT_VISIBLE_DEVICES ("0,1,4"); of a rank by ASCEND_DEVICE_ID or DEVICE_ID, or else by
// LOCAL_RANK, which counts the visible ones.
NpuChoice ChooseNpus(bool own);

class NpuLibrary {
 public:
  // Null if there is no such library, or none of the chosen NPUs. `name` is passed to dlopen; for
  // tests. The library stays loaded: it has no function that ends it.
  static std::unique_ptr<NpuLibrary> Load(const NpuChoice& choice,
                                          const std::string& name = "/usr/local/dcmi/libdcmi.so");
  ~NpuLibrary();
  NpuLibrary(const NpuLibrary&) = delete;
  NpuLibrary& operator=(const NpuLibrary&) = delete;

  // "system/npu<id>/use_percent" of the whole NPU, ".../ai_core_percent",
  // ".../vector_core_percent", ".../memory_percent", ".../memory_bandwidth_percent",
  // ".../memory_bytes", ".../temperature_celsius", ".../power_watts" and ".../health" (0 healthy,
  // 1 to 3: a fault, the larger the worse), each of each NPU that tells it. May take milliseconds.
  void AddTo(std::vector<ResourceValue>& values) const;

 private:
  struct Functions;
  struct Device {
    unsigned int id;  // The logical one.
    int card;
    int in_card;
  };

  NpuLibrary();
  bool Start(void* library, const NpuChoice& choice);
  static std::vector<Device> DevicesWithoutCards(void* library);
  static std::vector<Device> DevicesOfIds(void* library);
  static std::vector<Device> DevicesOfCards(void* library);

  std::unique_ptr<Functions> functions_;
  std::vector<Device> devices_;
};

}  // namespace sightline
