// A library with the functions of DCMI, for npu_library_test.cc: declared here as
// dcmi_interface_api.h and, with FAKE_DCMI_V2, dcmi_interface_api_v2.h declare them. Cards 3 and 5
// have two NPUs each. The second of card 5 has been lost. Its first refuses the use of the whole
// NPU, as older drivers do; it has no sensors of temperature and bandwidth, and gives numbers for
// them all the same.
struct dcmi_hbm_info {
  unsigned long long memory_size;
  unsigned int freq;
  unsigned long long memory_usage;
  int temp;
  unsigned int bandwith_util_rate;
};

namespace {

constexpr int kOk = 0;
constexpr int kNotSupported = -8255;
constexpr int kLost = -8020;
[[maybe_unused]] constexpr int kLogical = 4;  // How many there are.

int Use(int id, int type, unsigned int* percent) {
  if (id == 3) return kLost;
  if (id == 2 && type == 13) return kNotSupported;
  *percent = id == 2 && type == 10 ? 0xFFFF : static_cast<unsigned int>(type + 10 * id);
  return kOk;
}
int Memory(int id, dcmi_hbm_info* info) {
  if (id == 3) return kLost;
  *info = {65536, 1600, 1024ULL * static_cast<unsigned long long>(id + 1), 42, 7};
  return kOk;
}
int Temperature(int id, int* celsius) {
  if (id == 3) return kLost;
  *celsius = id == 2 ? 0x7FFD : 40 + id;
  return kOk;
}
int Power(int id, int* tenths) {
  if (id == 3) return kLost;
  *tenths = 1624 + id;
  return kOk;
}
int Health(int id, unsigned int* health) {
  *health = id == 3 ? 0xFFFFFFFF : id == 1 ? 2 : 0;
  return kOk;
}

}  // namespace

#ifdef FAKE_DCMI_V2
extern "C" {
int dcmiv2_init() { return kOk; }
int dcmiv2_get_device_list(int* ids, int* count, int /*size*/) {
  for (int id = 0; id < kLogical; ++id) ids[id] = id;
  *count = kLogical;
  return kOk;
}
int dcmiv2_get_device_utilization_rate(int id, int type, unsigned int* percent) {
  return Use(id, type, percent);
}
int dcmiv2_get_device_hbm_info(int id, dcmi_hbm_info* info) { return Memory(id, info); }
int dcmiv2_get_device_temperature(int id, int* celsius) { return Temperature(id, celsius); }
int dcmiv2_get_device_power_info(int id, int* tenths) { return Power(id, tenths); }
int dcmiv2_get_device_health(int id, unsigned int* health) { return Health(id, health); }
}
#else
namespace {
int IdOf(int card, int device) { return (card == 5 ? 2 : 0) + device; }
}  // namespace
extern "C" {
int dcmi_init() { return kOk; }
#ifdef FAKE_DCMI_OLD
int dcmi_get_card_list(int* count, int* ids, int /*size*/) {
  ids[0] = 3;
  ids[1] = 5;
  *count = 2;
  return kOk;
}
int dcmi_get_device_id_in_card(int /*card*/, int* devices, int* mcu, int* cpu) {
  *devices = 2;
  *mcu = 2;
  *cpu = -1;
  return kOk;
}
#else
int dcmi_get_card_id_device_id_from_logicid(int* card, int* device, unsigned int id) {
  if (id >= kLogical) return kNotSupported;
  *card = id < 2 ? 3 : 5;
  *device = static_cast<int>(id % 2);
  return kOk;
}
#endif
int dcmi_get_device_utilization_rate(int card, int device, int type, unsigned int* percent) {
  return Use(IdOf(card, device), type, percent);
}
int dcmi_get_device_hbm_info(int card, int device, dcmi_hbm_info* info) {
  return Memory(IdOf(card, device), info);
}
int dcmi_get_device_temperature(int card, int device, int* celsius) {
  return Temperature(IdOf(card, device), celsius);
}
int dcmi_get_device_power_info(int card, int device, int* tenths) {
  return Power(IdOf(card, device), tenths);
}
int dcmi_get_device_health(int card, int device, unsigned int* health) {
  return Health(IdOf(card, device), health);
}
}
#endif
