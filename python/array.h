// Array: an array of Python's - NumPy's, PyTorch's, MindSpore's, anything with DLPack or the buffer
// protocol, or what numpy.asarray makes of it - as the TensorView that recording takes.
//
// Its elements are not copied, except those of an array that is not C-contiguous and of MindSpore's
// tensors. Making and destroying one needs the GIL, reading it does not.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sightline/python/tensor_bytes.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::python {

class Array {
 public:
  // Throws std::invalid_argument for what is no array of numbers in this machine's memory, and
  // nanobind::python_error for what the object itself raises.
  explicit Array(nanobind::handle object);

  // Valid as long as the Array.
  TensorView view() const { return {dtype_, shape_, data_}; }
  std::size_t bytes() const { return view().ByteSize(); }

 private:
  friend class ArraySource;
  using Borrowed = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;

  Array() = default;
  bool Import(nanobind::handle object);
  bool ImportBuffer(nanobind::handle object);
  bool ImportBytes(nanobind::handle object);
  bool ImportBytes(const TensorBytes& tensor);
  bool ImportDlpack(nanobind::handle object);
  void ImportByNumPy(nanobind::handle object);
  void CopyElements();

  nanobind::object memory_;  // A memoryview of what has the buffer protocol, or a tensor's bytes,
  Borrowed borrowed_;        // else what DLPack lent.
  DType dtype_ = DType::kFloat32;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;  // In elements.
  const void* data_ = nullptr;
  std::unique_ptr<char[]> copy_;  // Of what is not contiguous.
};

// An object that is fetched as an Array again and again: what stays the same is asked once.
class ArraySource {
 public:
  explicit ArraySource(nanobind::object object) : object_(std::move(object)) {}

  // As it is now. Throws as Array's constructor.
  Array Fetch();

 private:
  nanobind::object object_;
  std::optional<TensorBytes> bytes_;
};

}  // namespace sightline::python
