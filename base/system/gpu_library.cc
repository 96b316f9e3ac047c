#include "sightline/base/system/gpu_library.h"

#include <dlfcn.h>

#include "sightline/base/system/library_function.h"

namespace sightline {
namespace {

constexpr int kSuccess = 0;  // NVML_SUCCESS.

}  // namespace

std::unique_ptr<GpuLibrary> GpuLibrary::Load(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  std::unique_ptr<GpuLibrary> gpus(new GpuLibrary(library));
  if (!gpus->Start()) return nullptr;
  return gpus;
}

bool GpuLibrary::Start() {
  int (*init)() = nullptr;
  int (*count)(unsigned int*) = nullptr;
  int (*handle)(unsigned int, Device*) = nullptr;
  if (!FindFunction(library_, "nvmlInit_v2", init) ||
      !FindFunction(library_, "nvmlShutdown", shutdown_) ||
      !FindFunction(library_, "nvmlDeviceGetCount_v2", count) ||
      !FindFunction(library_, "nvmlDeviceGetHandleByIndex_v2", handle) ||
      !FindFunction(library_, "nvmlDeviceGetUtilizationRates", utilization_) ||
      !FindFunction(library_, "nvmlDeviceGetMemoryInfo", memory_)) {
    return false;
  }
  FindFunction(library_, "nvmlDeviceGetTemperature", temperature_);
  FindFunction(library_, "nvmlDeviceGetPowerUsage", power_);
  if (init() != kSuccess) return false;
  started_ = true;
  unsigned int devices = 0;
  if (count(&devices) != kSuccess) return false;
  constexpr unsigned int kMostDevices = 64;
  for (unsigned int i = 0; i < devices && i < kMostDevices; ++i) {
    Device device = nullptr;
    if (handle(i, &device) != kSuccess) return false;
    devices_.push_back(device);
  }
  return !devices_.empty();
}

GpuLibrary::~GpuLibrary() {
  if (started_) shutdown_();
  dlclose(library_);
}

void GpuLibrary::AddTo(std::vector<ResourceValue>& values) const {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const std::string prefix = "system/gpu" + std::to_string(i) + "/";
    Utilization utilization{};
    if (utilization_(devices_[i], &utilization) == kSuccess) {
      values.push_back({prefix + "use_percent", static_cast<double>(utilization.gpu)});
    }
    Memory memory{};
    if (memory_(devices_[i], &memory) == kSuccess) {
      values.push_back({prefix + "memory_bytes", static_cast<double>(memory.used)});
    }
    constexpr int kOfChip = 0;  // NVML_TEMPERATURE_GPU.
    constexpr double kMilliwatts = 1000;
    unsigned int number = 0;
    if (temperature_ != nullptr && temperature_(devices_[i], kOfChip, &number) == kSuccess)
      values.push_back({prefix + "temperature_celsius", static_cast<double>(number)});
    if (power_ != nullptr && power_(devices_[i], &number) == kSuccess)
      values.push_back({prefix + "power_watts", number / kMilliwatts});
  }
}

}  // namespace sightline
