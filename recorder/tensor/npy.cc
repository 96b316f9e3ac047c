#include "sightline/recorder/tensor/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

#include "sightline/base/fnv1a.h"
#include "sightline/base/replace_file.h"
#include "sightline/recorder/tensor/npy_header.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

// So many elements of bfloat16 are converted at a time.
constexpr std::size_t kChunk = 16384;

// Calls `sink` with the bytes after the header: once with borrowed bytes, or with each converted
// piece.
template <typename Sink>
Status WriteElements(const TensorView& view, Sink sink) {
  const std::size_t count = view.ElementCount();
  if (view.dtype != DType::kBfloat16) {
    return sink(std::string_view(static_cast<const char*>(view.data), view.ByteSize()));
  }
  std::vector<float> chunk(std::min(count, kChunk));
  const char* source = static_cast<const char*>(view.data);
  for (std::size_t done = 0; done < count; done += chunk.size()) {
    const std::size_t n = std::min(count - done, chunk.size());
    ConvertToFloat32(view.dtype, source + done * DTypeSize(view.dtype), n, chunk.data());
    SIGHTLINE_RETURN_IF_ERROR(
        sink(std::string_view(reinterpret_cast<const char*>(chunk.data()), n * sizeof(float))));
  }
  return {};
}

std::size_t EncodedSize(const TensorView& view) {
  return view.dtype == DType::kBfloat16 ? view.ElementCount() * sizeof(float) : view.ByteSize();
}

// The temporary name is hidden. It has a fixed length, since the final name may already be as long
// as names can be. The same path always has the same one, so that a left-over is overwritten.
constexpr std::string_view kPartSuffix = ".npy.part";

std::string TemporaryPath(const std::string& path) {
  return JoinPath(DirectoryOf(path),
                  fmt::format(".{:016x}{}", Fnv1a64(BaseName(path)), kPartSuffix));
}

Status WriteAll(WritableFile& file, const TensorView& view) {
  std::uint64_t offset = 0;
  const auto append = [&](std::string_view bytes) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(file.WriteAt(offset, bytes));
    offset += bytes.size();
    return {};
  };
  SIGHTLINE_RETURN_IF_ERROR(append(NpyHeader(view)));
  return WriteElements(view, append);
}

// Reverses the bytes of each number. A complex element is two numbers.
void SwapBytes(DType dtype, std::vector<std::byte>& data) {
  const bool complex = dtype == DType::kComplex64 || dtype == DType::kComplex128;
  const std::size_t size = DTypeSize(dtype) / (complex ? 2 : 1);
  if (size == 1) return;
  for (std::size_t i = 0; i < data.size(); i += size) {
    std::reverse(&data[i], &data[i] + size);
  }
}

// Reorders the elements from Fortran order (the first index runs fastest) to C order (the last one
// does).
std::vector<std::byte> ToCOrder(const TensorView& view) {
  const std::size_t size = DTypeSize(view.dtype);
  const std::size_t rank = view.shape.size();
  std::vector<std::size_t> stride(rank, size);
  for (std::size_t k = 1; k < rank; ++k) {
    stride[k] = stride[k - 1] * static_cast<std::size_t>(view.shape[k - 1]);
  }
  std::vector<std::int64_t> index(rank, 0);
  std::vector<std::byte> out(view.ByteSize());
  const auto* source = static_cast<const std::byte*>(view.data);
  std::size_t from = 0;
  for (std::size_t to = 0; to < out.size(); to += size) {
    std::memcpy(&out[to], source + from, size);
    for (std::size_t k = rank; k-- > 0;) {
      from += stride[k];
      if (++index[k] < view.shape[k]) break;
      from -= stride[k] * static_cast<std::size_t>(index[k]);
      index[k] = 0;
    }
  }
  return out;
}

// Reads an array. `read(offset, buffer)` fills the buffer, or returns an error.
template <typename Read>
Result<NpyArray> ReadArray(std::uint64_t file_size, Read read) {
  std::string header(static_cast<std::size_t>(std::min<std::uint64_t>(file_size, kNpyPreambleSize)),
                     '\0');
  SIGHTLINE_RETURN_IF_ERROR(read(0, std::span<char>(header)));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t header_size, NpyHeaderSize(header));
  if (header_size > file_size) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("npy: the header has {} bytes, the file {}", header_size, file_size));
  }
  header.resize(static_cast<std::size_t>(header_size));
  SIGHTLINE_RETURN_IF_ERROR(read(0, std::span<char>(header)));
  SIGHTLINE_ASSIGN_OR_RETURN(NpyLayout layout, ParseNpyHeader(header));

  NpyArray array{layout.dtype, std::move(layout.shape), {}};
  const std::size_t bytes = array.View().ByteSize();
  if (bytes > file_size - header_size) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("npy: the elements need {} bytes, {} follow the header", bytes,
                             file_size - header_size));
  }
  array.data.resize(bytes);
  SIGHTLINE_RETURN_IF_ERROR(
      read(header_size, std::span<char>(reinterpret_cast<char*>(array.data.data()), bytes)));
  if (layout.big_endian) SwapBytes(array.dtype, array.data);
  if (layout.fortran_order && array.shape.size() > 1) array.data = ToCOrder(array.View());
  return array;
}

// ReadArray with an error if memory runs out, since a file may be sparse and larger than memory.
template <typename Read>
Result<NpyArray> ReadArrayOrReportMemory(std::uint64_t file_size, Read read) {
  try {
    return ReadArray(file_size, read);
  } catch (const std::bad_alloc&) {
    return Error(StatusCode::kResourceExhausted,
                 fmt::format("npy: not enough memory for a file of {} bytes", file_size));
  }
}

Status ReadFully(const ReadableFile& file, std::uint64_t offset, std::span<char> buffer) {
  while (!buffer.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t n, file.ReadAt(offset, buffer));
    if (n == 0)
      return Status(StatusCode::kDataLoss, "npy: the file became shorter while it was read");
    offset += n;
    buffer = buffer.subspan(n);
  }
  return {};
}

}  // namespace

std::string NpyHeader(const TensorView& view) {
  return FormatNpyHeader(view.dtype,
                         std::vector<std::int64_t>(view.shape.begin(), view.shape.end()));
}

Result<std::string> EncodeNpy(const TensorView& view) {
  SIGHTLINE_RETURN_IF_ERROR(view.Check());
  std::string out = NpyHeader(view);
  out.reserve(out.size() + EncodedSize(view));
  SIGHTLINE_RETURN_IF_ERROR(WriteElements(view, [&out](std::string_view bytes) -> Status {
    out.append(bytes);
    return {};
  }));
  return out;
}

bool IsPartOfNpy(std::string_view name) {
  return name.starts_with('.') && name.ends_with(kPartSuffix);
}

Status WriteNpy(FileSystem& file_system, const std::string& path, const TensorView& view) {
  SIGHTLINE_RETURN_IF_ERROR(view.Check());
  return ReplaceFile(file_system, path, TemporaryPath(path),
                     [&view](WritableFile& file) { return WriteAll(file, view); })
      .WithContext(fmt::format("writing {}", path));
}

Result<NpyArray> ReadNpy(std::string_view bytes) {
  return ReadArrayOrReportMemory(
      bytes.size(), [bytes](std::uint64_t offset, std::span<char> buffer) -> Status {
        if (!buffer.empty()) std::memcpy(buffer.data(), bytes.data() + offset, buffer.size());
        return {};
      });
}

Result<NpyArray> ReadNpyFile(FileSystem& file_system, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  Result<NpyArray> array =
      ReadArrayOrReportMemory(size, [&file](std::uint64_t offset, std::span<char> buffer) {
        return ReadFully(*file, offset, buffer);
      });
  if (!array) return Error(array.error().WithContext(path));
  return array;
}

}  // namespace sightline
