// What a browser's address bar may hold: a request's target and the slice of a tensor. What is read
// must keep to what the server relies on: paths without dotted segments, slices within the tensor.
#include <algorithm>
#include <string_view>

#include "sightline/base/utf8.h"
#include "sightline/dashboard/api/tensor_slice.h"
#include "sightline/dashboard/http/target.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto target = sightline::dashboard::ParseTarget(text)) {
    const std::string& path = target->path;
    Check(!path.empty() && path.front() == '/', "a path begins with a slash");
    Check((path + "/").find("/../") == std::string::npos, "it does not lead upward");
    Check(path.find('\0') == std::string::npos && sightline::IsUtf8(path), "it is text");
    for (const auto& [name, value] : target->parameters) {
      Check(sightline::IsUtf8(name) && sightline::IsUtf8(value), "so is each parameter");
      Check(!target->All(name).empty(), "which is found by its name");
      const auto number = target->Integer(name, 1, 0, 9);
      Check(!number || (*number >= 0 && *number <= 9), "a number keeps to its range");
      if (target->Number(name)) target->Get(name);
    }
  }
  sightline::TensorData tensor;
  tensor.dtype = sightline::DType::kUint8;
  tensor.shape = {2, 3, 4};
  tensor.data.resize(24);
  if (const auto slice = sightline::dashboard::SliceTensor(tensor, text)) {
    Check(slice->data.size() <= tensor.data.size(), "a slice is no larger than the whole");
    const auto numbers = sightline::dashboard::ToNumbers(slice->View());
    Check(numbers.has_value(), "its shape fits its bytes");
    Check(sightline::dashboard::StatsOf(*numbers).count == slice->data.size(), "all are counted");
  }
  return 0;
}
