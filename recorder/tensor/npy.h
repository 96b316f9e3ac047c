// NumPy's .npy files: one array each. Format:
// numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
//
// Written as numpy.save writes: version 1.0, little-endian, C order, elements aligned to 64 bytes.
// (A header that needs version 2.0 would take thousands of dimensions; tensors have at most 32.)
// bfloat16, which the format does not know, is written as float32; nothing is lost. Read: versions
// 1 to 3, either byte order, C and Fortran order.
//
// Functions without a FileSystem are pure; the others may run on any thread as long as no two write
// one path.
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

// Everything in front of the elements. REQUIRES: view.Check() is OK.
std::string NpyHeader(const TensorView& view);

// The whole file in memory; kInvalidArgument for what TensorView::Check refuses.
Result<std::string> EncodeNpy(const TensorView& view);

// Writes under a temporary name in the same folder and renames, so that a reader never sees half a
// file. What a kill left under that name is overwritten when the same path is written again.
Status WriteNpy(FileSystem& file_system, const std::string& path, const TensorView& view);
// Whether a file of this name is what a WriteNpy that was killed left.
bool IsPartOfNpy(std::string_view name);

// The array at the beginning of `bytes`; what follows it is ignored, as numpy.load does. kDataLoss
// for damage and truncation, kUnimplemented for dtypes that DType has not (strings, objects,
// structures, float128). Allocates no more than `bytes` holds.
Result<NpyArray> ReadNpy(std::string_view bytes);
Result<NpyArray> ReadNpyFile(FileSystem& file_system, const std::string& path);

}  // namespace sightline
