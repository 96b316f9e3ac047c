// Writes and reads NumPy's .npy files, each of which contains one array. Format:
// numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
//
// Files are written as numpy.save does: version 1.0, little-endian, C order, elements aligned to 64
// bytes. (Only a header with thousands of dimensions would need version 2.0; tensors have at most
// 32.) The format has no bfloat16, so that is written as float32, which is exact. Versions 1 to 3
// are read, in either byte order, in C and in Fortran order.
//
// Functions without a FileSystem are pure. The others may be called from any thread, if no two of
// them write the same path.
//
//   SIGHTLINE_RETURN_IF_ERROR(WriteNpy(fs, JoinPath(dir, NpyFileName("conv1/weight", 10)), view));
//   SIGHTLINE_ASSIGN_OR_RETURN(NpyArray array, ReadNpyFile(fs, path));
//   array.View()
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/tensor/npy_name.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct NpyArray {
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // C order, this machine's byte order.

  // Borrows from this array.
  TensorView View() const { return TensorView{dtype, shape, data.data()}; }
};

// Returns all bytes before the elements. REQUIRES: view.Check() is OK.
std::string NpyHeader(const TensorView& view);

// Returns the whole file. kInvalidArgument if TensorView::Check refuses the tensor.
Result<std::string> EncodeNpy(const TensorView& view);

// Writes the file under a temporary name in the same folder and then renames it, so that no reader
// sees half a file. If a kill leaves the temporary file, the next WriteNpy of the path overwrites
// it.
Status WriteNpy(FileSystem& file_system, const std::string& path, const TensorView& view);
// Whether `name` is that of a temporary file of WriteNpy.
bool IsPartOfNpy(std::string_view name);

// Reads the array at the beginning of `bytes`, and ignores what follows it, as numpy.load does.
// kDataLoss for damage and truncation, kUnimplemented for dtypes that DType does not have (strings,
// objects, structures, float128). Allocates no more memory than `bytes` has.
Result<NpyArray> ReadNpy(std::string_view bytes);
Result<NpyArray> ReadNpyFile(FileSystem& file_system, const std::string& path);

}  // namespace sightline
