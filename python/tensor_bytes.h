// TensorBytes: how a tensor of MindSpore's gives its elements. It lends nothing, and asnumpy()
// makes it keep a second copy of them on the host; its bytes are a copy of them in C order,
// whatever its strides and device.
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
  // Nothing for any other object, or for elements that are no numbers. Throws
  // nanobind::python_error for what the object raises.
  static std::optional<TensorBytes> Of(nanobind::handle object);

  // The elements as they are now, as a bytes object; an invalid handle when they no longer fit the
  // shape. Throws as Of.
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
