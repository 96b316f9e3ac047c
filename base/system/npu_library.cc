#include "sightline/base/system/npu_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/base/system/environment.h"
#include "sightline/base/system/library_function.h"

// The driver's struct, under its name, since the undefined-behaviour sanitizer compares the types
// of functions by name; and room for what a later driver may add.
struct dcmi_hbm_info {  // NOLINT(readability-identifier-naming)
  unsigned long long size_mb;
  unsigned int frequency_mhz;
  unsigned long long used_mb;
  int temperature;
  unsigned int bandwidth_percent;
  unsigned char later[64];
};

namespace sightline {
namespace {

constexpr int kOk = 0;  // DCMI_OK.
constexpr unsigned int kMostDevices = 64;
constexpr int kMostCards = 64;

// DCMI_UTILIZATION_RATE_...
constexpr std::pair<int, const char*> kUses[] = {{13, "use_percent"},
                                                 {2, "ai_core_percent"},
                                                 {12, "vector_core_percent"},
                                                 {6, "memory_percent"},
                                                 {10, "memory_bandwidth_percent"}};

// What a driver answers for a sensor that it lacks is no value of one.
constexpr int kColdest = -60;
constexpr int kHottest = 200;
constexpr unsigned int kWorstHealth = 3;  // Above: the device is missing or has not started.

std::vector<unsigned int> Ids(std::string_view text) {
  std::vector<unsigned int> ids;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    // As the driver reads it: what follows a word that is no number is not visible.
    const auto id = ParseNumber<unsigned int>(text.substr(0, end));
    if (!id) break;
    ids.push_back(*id);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

std::optional<unsigned int> IdOf(const char* variable) {
  return ParseNumber<unsigned int>(EnvironmentVariable(variable));
}

}  // namespace

NpuChoice ChooseNpus(bool own) {
  const std::string visible = EnvironmentVariable("ASCEND_RT_VISIBLE_DEVICES");
  NpuChoice choice = {.all = visible.empty(), .ids = Ids(visible)};
  if (!own) return choice;
  for (const char* variable : {"ASCEND_DEVICE_ID", "DEVICE_ID"}) {
    const auto id = IdOf(variable);
    if (id && (choice.all || std::ranges::find(choice.ids, *id) != choice.ids.end()))
      return {.all = false, .ids = {*id}};
  }
  const auto rank = IdOf("LOCAL_RANK");
  if (!rank) return choice;
  if (choice.all) return {.all = false, .ids = {*rank}};
  if (*rank >= choice.ids.size()) return choice;
  return {.all = false, .ids = {choice.ids[*rank]}};
}

// Each by card and device; of a driver of the second version the card is the logical id.
struct NpuLibrary::Functions {
  int (*utilization)(int card, int device, int type, unsigned int* percent) = nullptr;
  int (*memory)(int card, int device, dcmi_hbm_info* info) = nullptr;
  int (*temperature)(int card, int device, int* celsius) = nullptr;
  int (*power)(int card, int device, int* tenths_of_watts) = nullptr;
  int (*health)(int card, int device, unsigned int* health) = nullptr;
  int (*utilization_v2)(int id, int type, unsigned int* percent) = nullptr;
  int (*memory_v2)(int id, dcmi_hbm_info* info) = nullptr;
  int (*temperature_v2)(int id, int* celsius) = nullptr;
  int (*power_v2)(int id, int* tenths_of_watts) = nullptr;
  int (*health_v2)(int id, unsigned int* health) = nullptr;

  // Whether the function is there, in one of its forms, and gave a value.
  template <typename First, typename Second, typename... Arguments>
  static bool Gives(First first, Second second, const Device& device, Arguments... arguments) {
    if (first != nullptr) return first(device.card, device.in_card, arguments...) == kOk;
    return second != nullptr && second(device.card, arguments...) == kOk;
  }
};

NpuLibrary::NpuLibrary() : functions_(std::make_unique<Functions>()) {}
NpuLibrary::~NpuLibrary() = default;

std::unique_ptr<NpuLibrary> NpuLibrary::Load(const NpuChoice& choice, const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  std::unique_ptr<NpuLibrary> npus(new NpuLibrary);
  if (!npus->Start(library, choice)) return nullptr;
  return npus;
}

bool NpuLibrary::Start(void* library, const NpuChoice& choice) {
  int (*init)() = nullptr;
  Functions& of = *functions_;
  const bool has_cards = FindFunction(library, "dcmi_init", init);
  if (has_cards) {
    FindFunction(library, "dcmi_get_device_utilization_rate", of.utilization);
    FindFunction(library, "dcmi_get_device_hbm_info", of.memory);
    FindFunction(library, "dcmi_get_device_temperature", of.temperature);
    FindFunction(library, "dcmi_get_device_power_info", of.power);
    FindFunction(library, "dcmi_get_device_health", of.health);
  } else if (FindFunction(library, "dcmiv2_init", init)) {
    FindFunction(library, "dcmiv2_get_device_utilization_rate", of.utilization_v2);
    FindFunction(library, "dcmiv2_get_device_hbm_info", of.memory_v2);
    FindFunction(library, "dcmiv2_get_device_temperature", of.temperature_v2);
    FindFunction(library, "dcmiv2_get_device_power_info", of.power_v2);
    FindFunction(library, "dcmiv2_get_device_health", of.health_v2);
  } else {
    return false;
  }
  if (init() != kOk) return false;
  devices_ = has_cards ? DevicesOfIds(library) : DevicesWithoutCards(library);
  if (devices_.empty() && has_cards) devices_ = DevicesOfCards(library);
  std::erase_if(devices_, [&](const Device& device) {
    return !choice.all && std::ranges::find(choice.ids, device.id) == choice.ids.end();
  });
  return !devices_.empty();
}

std::vector<NpuLibrary::Device> NpuLibrary::DevicesWithoutCards(void* library) {
  int count = 0;
  int ids[kMostCards] = {};
  int (*list)(int* ids, int* count, int size) = nullptr;
  if (!FindFunction(library, "dcmiv2_get_device_list", list) ||
      list(ids, &count, kMostCards) != kOk) {
    return {};
  }
  count = std::clamp(count, 0, kMostCards);
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) devices.push_back({static_cast<unsigned int>(ids[i]), ids[i], 0});
  return devices;
}

std::vector<NpuLibrary::Device> NpuLibrary::DevicesOfIds(void* library) {
  int (*by_id)(int* card, int* device, unsigned int id) = nullptr;
  if (!FindFunction(library, "dcmi_get_card_id_device_id_from_logicid", by_id)) return {};
  std::vector<Device> devices;
  for (unsigned int id = 0; id < kMostDevices; ++id) {
    Device device = {id, 0, 0};
    if (by_id(&device.card, &device.in_card, id) == kOk) devices.push_back(device);
  }
  return devices;
}

// Of an old driver: the logical ids follow the cards.
std::vector<NpuLibrary::Device> NpuLibrary::DevicesOfCards(void* library) {
  int count = 0;
  int list[kMostCards] = {};
  int (*cards)(int* count, int* ids, int size) = nullptr;
  int (*in_card)(int card, int* devices, int* mcu, int* cpu) = nullptr;
  if (!FindFunction(library, "dcmi_get_card_list", cards) ||
      !FindFunction(library, "dcmi_get_device_id_in_card", in_card) ||
      cards(&count, list, kMostCards) != kOk) {
    return {};
  }
  std::vector<Device> devices;
  for (int i = 0; i < std::min(count, kMostCards); ++i) {
    int in_this = 0;
    int mcu = 0;
    int cpu = 0;
    if (in_card(list[i], &in_this, &mcu, &cpu) != kOk) continue;
    for (int device = 0; device < in_this && devices.size() < kMostDevices; ++device)
      devices.push_back({static_cast<unsigned int>(devices.size()), list[i], device});
  }
  return devices;
}

void NpuLibrary::AddTo(std::vector<ResourceValue>& values) const {
  constexpr double kMegabyte = 1024.0 * 1024.0;
  constexpr double kTenths = 10;
  const Functions& of = *functions_;
  for (const Device& device : devices_) {
    const std::string prefix = "system/npu" + std::to_string(device.id) + "/";
    for (const auto& [type, name] : kUses) {
      unsigned int percent = 0;
      if (Functions::Gives(of.utilization, of.utilization_v2, device, type, &percent) &&
          percent <= 100) {
        values.push_back({prefix + name, static_cast<double>(percent)});
      }
    }
    dcmi_hbm_info memory{};
    if (Functions::Gives(of.memory, of.memory_v2, device, &memory) && memory.size_mb > 0)
      values.push_back({prefix + "memory_bytes", static_cast<double>(memory.used_mb) * kMegabyte});
    int number = 0;
    if (Functions::Gives(of.temperature, of.temperature_v2, device, &number) &&
        number >= kColdest && number <= kHottest) {
      values.push_back({prefix + "temperature_celsius", static_cast<double>(number)});
    }
    if (Functions::Gives(of.power, of.power_v2, device, &number) && number >= 0)
      values.push_back({prefix + "power_watts", number / kTenths});
    unsigned int health = 0;
    if (Functions::Gives(of.health, of.health_v2, device, &health) && health <= kWorstHealth)
      values.push_back({prefix + "health", static_cast<double>(health)});
  }
}

}  // namespace sightline
