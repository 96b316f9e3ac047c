#include "sightline/python/native/core/array.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/objects.h"

namespace sightline::python {
namespace {

// A strided array with more bytes is not copied: nothing that large fits into an event, and an
// array that is broadcast from one element may claim any size.
constexpr std::size_t kMaxCopyBytes = std::size_t{2} << 30;
// From this size on, a copy lets other threads run.
constexpr std::size_t kLongCopyBytes = std::size_t{1} << 18;

std::optional<DType> DTypeOf(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  struct Row {
    Code code;
    int bits;
    DType dtype;
  };
  constexpr Row kRows[] = {
      {Code::Bool, 8, DType::kBool},           {Code::Int, 8, DType::kInt8},
      {Code::Int, 16, DType::kInt16},          {Code::Int, 32, DType::kInt32},
      {Code::Int, 64, DType::kInt64},          {Code::UInt, 8, DType::kUint8},
      {Code::UInt, 16, DType::kUint16},        {Code::UInt, 32, DType::kUint32},
      {Code::UInt, 64, DType::kUint64},        {Code::Float, 16, DType::kFloat16},
      {Code::Float, 32, DType::kFloat32},      {Code::Float, 64, DType::kFloat64},
      {Code::Bfloat, 16, DType::kBfloat16},    {Code::Complex, 64, DType::kComplex64},
      {Code::Complex, 128, DType::kComplex128}};
  for (const Row& row : kRows) {
    if (type.code == static_cast<std::uint8_t>(row.code) && type.bits == row.bits &&
        type.lanes == 1)
      return row.dtype;
  }
  return std::nullopt;
}

// The dtype for a format of Python's struct module in native order; nothing if it is not a number
// here.
std::optional<DType> DTypeOf(const Py_buffer& buffer) {
  struct Row {
    char format;
    DType dtype;
  };
  constexpr Row kRows[] = {{'?', DType::kBool},    {'e', DType::kFloat16}, {'f', DType::kFloat32},
                           {'d', DType::kFloat64}, {'b', DType::kInt8},    {'B', DType::kUint8},
                           {'h', DType::kInt16},   {'H', DType::kUint16},  {'i', DType::kInt32},
                           {'I', DType::kUint32},  {'l', DType::kInt64},   {'L', DType::kUint64},
                           {'q', DType::kInt64},   {'Q', DType::kUint64}};
  const std::string_view format = buffer.format == nullptr ? "B" : buffer.format;
  for (const Row& row : kRows) {
    if (format.size() == 1 && format[0] == row.format &&
        static_cast<std::size_t>(buffer.itemsize) == DTypeSize(row.dtype))
      return row.dtype;
  }
  return std::nullopt;
}

// Copies dimension `axis` of the shape and all later ones, from `from` to `out`, and returns the
// end. Strides are in elements.
template <std::size_t size>
char* CopyStrided(const char* from, std::span<const std::int64_t> shape,
                  const std::int64_t* strides, std::size_t axis, char* out) {
  if (axis == shape.size()) {
    std::memcpy(out, from, size);
    return out + size;
  }
  const std::ptrdiff_t stride = strides[axis] * static_cast<std::ptrdiff_t>(size);
  for (std::int64_t i = 0; i < shape[axis]; ++i, from += stride)
    out = CopyStrided<size>(from, shape, strides, axis + 1, out);
  return out;
}

void CopyStrided(std::size_t size, const char* from, std::span<const std::int64_t> shape,
                 const std::int64_t* strides, char* out) {
  if (size == 1) CopyStrided<1>(from, shape, strides, 0, out);
  if (size == 2) CopyStrided<2>(from, shape, strides, 0, out);
  if (size == 4) CopyStrided<4>(from, shape, strides, 0, out);
  if (size == 8) CopyStrided<8>(from, shape, strides, 0, out);
  if (size == 16) CopyStrided<16>(from, shape, strides, 0, out);
}

bool IsContiguous(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

}  // namespace

Array ArraySource::Fetch() {
  if (!bytes_) bytes_ = TensorBytes::Of(object_);
  Array array;
  if (bytes_ && array.ImportBytes(*bytes_)) return array;
  bytes_.reset();  // Its shape may have changed.
  return Array(object_);
}

Array::Array(nb::handle object) {
  bool imported = Import(object);
  // A PyTorch parameter lends its elements only if its gradient is left out.
  if (!imported && nb::hasattr(object, "detach")) imported = Import(object.attr("detach")());
  if (!imported) ImportByNumPy(object);
  if (const Status status = view().Check(); !status.ok())
    throw std::invalid_argument(std::string(status.message()));
  if (view().ElementCount() != 0 && !IsContiguous(shape_, strides_)) CopyElements();
}

// False if the object cannot lend its elements.
bool Array::Import(nb::handle object) {
  return ImportBuffer(object) || ImportBytes(object) || ImportDlpack(object);
}

// The case that training loops have most; this takes a third of nanobind's time.
bool Array::ImportBuffer(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return false;
  Buffer lent(new Py_buffer());
  if (PyObject_GetBuffer(object.ptr(), lent.get(), PyBUF_FULL_RO) != 0) {
    PyErr_Clear();  // NumPy raises for a type that the protocol has no format for.
    return false;
  }
  const Py_buffer& buffer = *lent;
  const auto dtype = DTypeOf(buffer);
  if (!dtype || buffer.suboffsets != nullptr) return false;
  const auto rank = static_cast<std::size_t>(buffer.ndim);
  strides_.resize(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    if (buffer.strides[i] % buffer.itemsize != 0) return false;
    strides_[i] = buffer.strides[i] / buffer.itemsize;
  }
  dtype_ = *dtype;
  shape_.assign(buffer.shape, buffer.shape + rank);
  data_ = buffer.buf;
  buffer_ = std::move(lent);
  return true;
}

bool Array::ImportBytes(nb::handle object) {
  const auto tensor = TensorBytes::Of(object);
  return tensor && ImportBytes(*tensor);
}

bool Array::ImportBytes(const TensorBytes& tensor) {
  bytes_ = tensor.Fetch();
  if (!bytes_.is_valid()) return false;
  dtype_ = tensor.dtype();
  shape_ = tensor.shape();
  data_ = PyBytes_AsString(bytes_.ptr());
  strides_.resize(shape_.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape_.size(); i-- > 0; stride *= shape_[i]) strides_[i] = stride;
  return true;
}

bool Array::ImportDlpack(nb::handle object) {
  if (!nb::try_cast(object, borrowed_, /*convert=*/false)) return false;
  const auto dtype = DTypeOf(borrowed_.dtype());
  if (!dtype) return false;
  dtype_ = *dtype;
  shape_.assign(borrowed_.shape_ptr(), borrowed_.shape_ptr() + borrowed_.ndim());
  strides_.assign(borrowed_.stride_ptr(), borrowed_.stride_ptr() + borrowed_.ndim());
  data_ = borrowed_.data();
  return true;
}

void Array::ImportByNumPy(nb::handle object) {
  nb::object array = nb::module_::import_("numpy").attr("asarray")(object);
  const nb::object dtype = array.attr("dtype");
  const bool bfloat16 = nb::cast<std::string>(dtype.attr("name")) == "bfloat16";
  if (bfloat16) array = array.attr("view")("uint16");
  if (!nb::cast<bool>(dtype.attr("isnative")))
    array = array.attr("astype")(dtype.attr("newbyteorder")("="));
  if (!Import(array)) {
    const std::string what = nb::hasattr(object, "dtype") || nb::isinstance<nb::sequence>(object)
                                 ? "an array of dtype " + std::string(nb::str(dtype).c_str())
                                 : TypeNameOf(object);
    throw std::invalid_argument(what +
                                " cannot be recorded; allowed are arrays of bool, integers, "
                                "float16, bfloat16, float32 and float64");
  }
  if (bfloat16) dtype_ = DType::kBfloat16;
}

void Array::CopyElements() {
  const std::size_t size = bytes();
  if (size > kMaxCopyBytes) {
    throw std::invalid_argument("an array of " + std::to_string(size) +
                                " bytes that is not contiguous is not copied; record a part of it");
  }
  std::unique_ptr<char[]> copy(new char[size]);
  const auto run = [&] {
    CopyStrided(DTypeSize(dtype_), static_cast<const char*>(data_), shape_, strides_.data(),
                copy.get());
  };
  if (size < kLongCopyBytes) {
    run();
  } else {
    const nb::gil_scoped_release released;
    run();
  }
  copy_ = std::move(copy);
  data_ = copy_.get();
}

}  // namespace sightline::python
