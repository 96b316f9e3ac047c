// The npy reader on arbitrary bytes. What it reads must be an array, and survive being written and
// read again. The mutator makes the header's length fit the header, so that changes inside it are
// looked at.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = sightline::ReadNpy({reinterpret_cast<const char*>(data), size});
  if (!array) return 0;
  Check(array->View().Check().ok(), "what was read is an array");
  Check(array->View().ByteSize() == array->data.size(), "it has its bytes");
  const auto written = sightline::EncodeNpy(array->View());
  Check(written.has_value(), "it can be written");
  const auto again = sightline::ReadNpy(*written);
  Check(again.has_value(), "and read again");
  Check(again->dtype == array->dtype && again->shape == array->shape && again->data == array->data,
        "which gives the same array");
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  constexpr std::size_t kHeader = 10;  // Of version 1.
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size < kHeader || seed % 8 == 0) return size;
  std::memcpy(data, kMagic.data(), kMagic.size());
  if (seed % 8 < 6) data[6] = 1;
  if (data[6] != 1) return size;
  const auto* end =
      static_cast<const std::uint8_t*>(std::memchr(data + kHeader, '\n', size - kHeader));
  if (end == nullptr) return size;
  const auto length =
      static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(end + 1 - (data + kHeader), 0xffff));
  std::memcpy(data + 8, &length, sizeof(length));
  return size;
}
