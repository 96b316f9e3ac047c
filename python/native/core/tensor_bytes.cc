#include "sightline/python/native/core/tensor_bytes.h"

#include <string_view>

#include "sightline/python/native/common/objects.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;

// The dtype for a name of MindSpore's number types.
std::optional<DType> DTypeOfName(std::string_view name) {
  struct Row {
    std::string_view name;
    DType dtype;
  };
  constexpr Row kRows[] = {{"Float32", DType::kFloat32},
                           {"Float16", DType::kFloat16},
                           {"Float64", DType::kFloat64},
                           {"BFloat16", DType::kBfloat16},
                           {"Bool", DType::kBool},
                           {"Int8", DType::kInt8},
                           {"Int16", DType::kInt16},
                           {"Int32", DType::kInt32},
                           {"Int64", DType::kInt64},
                           {"UInt8", DType::kUint8},
                           {"UInt16", DType::kUint16},
                           {"UInt32", DType::kUint32},
                           {"UInt64", DType::kUint64},
                           {"Complex64", DType::kComplex64},
                           {"Complex128", DType::kComplex128}};
  for (const Row& row : kRows) {
    if (name == row.name) return row.dtype;
  }
  return std::nullopt;
}

// The dtype for one of MindSpore's types. These are objects that live as long as the process. Types
// that were seen are kept, since asking one for its name takes longer than fetching a small tensor.
std::optional<DType> DTypeOfMindSpore(nb::handle type) {
  constexpr std::size_t kMaxSeen = 32;
  static std::vector<std::pair<PyObject*, std::optional<DType>>> seen;
  for (const auto& [object, dtype] : seen) {
    if (object == type.ptr()) return dtype;
  }
  const auto dtype = DTypeOfName(nb::str(type).c_str());
  if (seen.size() < kMaxSeen) seen.emplace_back(Py_NewRef(type.ptr()), dtype);
  return dtype;
}

}  // namespace

std::optional<TensorBytes> TensorBytes::Of(nb::handle object) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
  if (!nb::hasattr(type, "get_bytes")) return std::nullopt;
  const auto dtype = DTypeOfMindSpore(object.attr("dtype"));
  if (!dtype) return std::nullopt;
  std::vector<std::int64_t> shape;
  for (const nb::handle size : object.attr("shape")) shape.push_back(nb::cast<std::int64_t>(size));
  const TensorView tensor{*dtype, shape, object.ptr()};  // Only its size is used.
  if (!tensor.Check().ok()) return std::nullopt;
  const std::size_t size = tensor.ByteSize();
  return TensorBytes(object.attr("get_bytes"), *dtype, std::move(shape), size);
}

nb::object TensorBytes::Fetch() const {
  nb::object bytes = get_bytes_();
  if (PyBytes_Check(bytes.ptr()) == 0) return {};
  return BytesView(bytes).size() == size_ ? bytes : nb::object();
}

}  // namespace sightline::python
