// Parses and writes the header of a .npy file, a text before the elements that describes their
// layout. Pure functions, for npy.cc.
//
//   file   := "\x93NUMPY" major minor length header elements
//   length := uint16 (major 1) or uint32 (majors 2 and 3), little-endian: bytes of `header`
//   header := a Python dict literal with 'descr', 'fortran_order' and 'shape',
//             padded with spaces, then "\n"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// NpyHeaderSize needs so many bytes. Shorter files are no .npy files.
inline constexpr std::size_t kNpyPreambleSize = 12;

// The layout of a file's elements.
struct NpyLayout {
  DType dtype = DType::kFloat32;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Returns where the elements begin. `preamble`: the file's first bytes. kDataLoss if they are not
// the beginning of a .npy file.
Result<std::uint64_t> NpyHeaderSize(std::string_view preamble);

// Parses a header. `header`: the file's first NpyHeaderSize bytes. The shape passes
// TensorView::Check.
Result<NpyLayout> ParseNpyHeader(std::string_view header);

// Returns the header that numpy.save writes for a little-endian array in C order.
std::string FormatNpyHeader(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace sightline
