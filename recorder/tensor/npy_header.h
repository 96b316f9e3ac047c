// The header of a .npy file: text in front of the elements that says how they lie. Pure functions;
// used by npy.cc.
//
//   file   := "\x93NUMPY" major minor length header elements
//   length := uint16 (major 1) or uint32 (majors 2 and 3), little-endian: bytes of `header`
//   header := Python dict literal with 'descr', 'fortran_order' and 'shape', padded with spaces,
//   then "\n"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// Bytes that NpyHeaderSize needs to see; shorter files are no .npy files.
inline constexpr std::size_t kNpyPreambleSize = 12;

// How a file's elements lie.
struct NpyLayout {
  DType dtype = DType::kFloat32;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Where the elements begin. kDataLoss when `preamble` (the file's first bytes) does not start a
// .npy file.
Result<std::uint64_t> NpyHeaderSize(std::string_view preamble);

// `header`: the file's first NpyHeaderSize bytes. The layout's shape passes TensorView::Check.
Result<NpyLayout> ParseNpyHeader(std::string_view header);

// The header that numpy.save writes for a little-endian array in C order.
std::string FormatNpyHeader(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace sightline
