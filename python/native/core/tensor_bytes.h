// TensorBytes: reads the elements of MindSpore's tensors. These do not lend their elements, and
// asnumpy() makes them keep a second copy on the host. Their bytes are a copy of the elements in C
// order, for any strides and device.
//
// Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::python {

class TensorBytes {
 public:
  // The tensor `object`; nothing for any other object, or if its elements are not numbers. Throws
  // nanobind::python_error for an exception of the object.
  static std::optional<TensorBytes> Of(nanobind::handle object);

  // The elements as they are now, as a bytes object; an invalid handle if they no longer fit the
  // shape. Throws like Of.
  nanobind::object Fetch() const;

  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }

 private:
  TensorBytes(nanobind::object get_bytes, DType dtype, std::vector<std::int64_t> shape,
              std::size_t size)
      : get_bytes_(std::move(get_bytes)), dtype_(dtype), shape_(std::move(shape)), size_(size) {}

  nanobind::object get_bytes_;  // The bound method.
  DType dtype_;
  std::vector<std::int64_t> shape_;
  std::size_t size_;  // In bytes.
};

}  // namespace sightline::python
