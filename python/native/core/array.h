// Array: an array from Python as the TensorView that recording takes: from NumPy, PyTorch or
// MindSpore, anything with DLPack or the buffer protocol, or whatever numpy.asarray accepts.
//
// The elements are not copied, except those of arrays that are not C-contiguous and those of
// MindSpore's tensors. Constructing and destroying an Array needs the GIL; reading it does not.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sightline/python/native/core/tensor_bytes.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::python {

class Array {
 public:
  // Throws std::invalid_argument if the object is not an array of numbers in this machine's memory,
  // and
  // nanobind::python_error for an exception of the object itself.
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

  struct Release {
    void operator()(Py_buffer* buffer) const {
      PyBuffer_Release(buffer);
      delete buffer;
    }
  };
  using Buffer = std::unique_ptr<Py_buffer, Release>;  // A buffer's shape may lie in itself.

  // What the elements are in: a buffer that the object lent,
  Buffer buffer_;
  nanobind::object bytes_;  // or a tensor's bytes,
  Borrowed borrowed_;       // or what DLPack lent.
  DType dtype_ = DType::kFloat32;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;  // In elements.
  const void* data_ = nullptr;
  std::unique_ptr<char[]> copy_;  // The elements, if they are not contiguous.
};

// An object that is fetched as an Array again and again. It is asked only once for what does not
// change.
class ArraySource {
 public:
  explicit ArraySource(nanobind::object object) : object_(std::move(object)) {}

  // The array as it is now. Throws like Array's constructor.
  Array Fetch();

 private:
  nanobind::object object_;
  std::optional<TensorBytes> bytes_;
};

}  // namespace sightline::python
