#include "sightline/recorder/tensor/png.h"

#include <fmt/format.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <spng.h>

#include <array>
#include <memory>
#include <optional>

#include "sightline/recorder/tensor/png_filter.h"

namespace sightline {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
// Bytes of a chunk's length, type and checksum.
constexpr std::size_t kChunkOverhead = 12;
constexpr std::size_t kHeaderBytes = 13;
constexpr char kPaeth = 4;
// The color type of IHDR for each number of channels.
constexpr std::array<char, 5> kColorTypes = {0, 0, 4, 2, 6};
// Deflate can code at most 258 bytes in two bits.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
// The most bytes of text and profiles in other programs' files. Nothing here reads them.
constexpr std::size_t kMaxAncillaryBytes = std::size_t{1} << 20U;

void PutBigEndian(char* out, std::uint32_t value) {
  for (int i = 3; i >= 0; --i, value >>= 8U) out[i] = static_cast<char>(value & 0xffU);
}

// Finishes a chunk whose `size` data bytes are in place, after room for length and type. Returns
// its end.
char* FinishChunk(char* chunk, std::string_view type, std::size_t size) {
  PutBigEndian(chunk, static_cast<std::uint32_t>(size));
  type.copy(chunk + 4, 4);
  const auto* covered = reinterpret_cast<const unsigned char*>(chunk + 4);
  PutBigEndian(chunk + 8 + size, crc32_gzip_refl(0, covered, size + 4));
  return chunk + size + kChunkOverhead;
}

std::unique_ptr<std::uint8_t[]> FilterRows(int height, std::size_t row_bytes, std::size_t pixel,
                                           const std::uint8_t* pixels, std::size_t filtered_size) {
  auto filtered = std::make_unique_for_overwrite<std::uint8_t[]>(filtered_size);
  const auto zeros = std::make_unique<std::uint8_t[]>(row_bytes);
  const std::uint8_t* above = zeros.get();
  std::uint8_t* out = filtered.get();
  for (int y = 0; y < height; ++y) {
    *out++ = kPaeth;
    FilterPaeth(pixels, above, row_bytes, pixel, out);
    above = pixels;
    pixels += row_bytes;
    out += row_bytes;
  }
  return filtered;
}

// ISA-L's deflate at level 2. It is three times as fast as zlib at level 1, and its files are
// smaller. Level 3 is slower and gains nothing.
struct Deflater {
  isal_zstream stream;
  std::array<std::uint8_t, ISAL_DEF_LVL2_LARGE> workspace;

  // Writes a zlib stream, and returns its size. No value if it exceeds `capacity`.
  std::optional<std::size_t> Deflate(std::uint8_t* data, std::size_t size, char* out,
                                     std::size_t capacity) {
    isal_deflate_stateless_init(&stream);
    stream.level = 2;
    stream.level_buf = workspace.data();
    stream.level_buf_size = static_cast<std::uint32_t>(workspace.size());
    stream.gzip_flag = IGZIP_ZLIB;
    stream.flush = NO_FLUSH;
    stream.end_of_stream = 1;
    stream.next_in = data;
    stream.avail_in = static_cast<std::uint32_t>(size);
    stream.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream.avail_out = static_cast<std::uint32_t>(capacity);
    if (isal_deflate_stateless(&stream) != COMP_OK) return std::nullopt;
    return stream.total_out;
  }
};

// The compressor of this thread. It is too large for the stack, and allocating it for every image
// would be slow.
Deflater& ThreadDeflater() {
  thread_local const std::unique_ptr<Deflater> deflater = std::make_unique<Deflater>();
  return *deflater;
}

struct SpngDeleter {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};

// The format in which libspng returns pixels, and which of its bytes are kept.
struct Expansion {
  int format;
  std::size_t stride;  // Bytes of libspng's pixel.
  int channels;        // Channels of our pixel; grey with alpha is byte 0 and the last one.
};

Expansion ExpansionOf(spng_ctx* context, const spng_ihdr& header) {
  const bool wide = header.bit_depth == 16;
  spng_trns unused{};
  switch (header.color_type) {
    case SPNG_COLOR_TYPE_GRAYSCALE:
      return wide ? Expansion{SPNG_FMT_RGB8, 3, 1} : Expansion{SPNG_FMT_G8, 1, 1};
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
      return wide ? Expansion{SPNG_FMT_RGBA8, 4, 2} : Expansion{SPNG_FMT_PNG, 2, 2};
    case SPNG_COLOR_TYPE_INDEXED:
      return spng_get_trns(context, &unused) == 0 ? Expansion{SPNG_FMT_RGBA8, 4, 4}
                                                  : Expansion{SPNG_FMT_RGB8, 3, 3};
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
      return {SPNG_FMT_RGBA8, 4, 4};
    default:
      return {SPNG_FMT_RGB8, 3, 3};
  }
}

void DropChannels(std::string& bytes, const Expansion& expansion) {
  const auto channels = static_cast<std::size_t>(expansion.channels);
  if (channels == expansion.stride) return;
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += expansion.stride) {
    bytes[out++] = bytes[i];
    if (channels == 2) bytes[out++] = bytes[i + expansion.stride - 1];
  }
  bytes.resize(out);
}

// Refuses an image for which libspng would allocate memory before it finds that the file is too
// short.
Status CheckSize(const spng_ihdr& header, std::size_t pixel_bytes, std::size_t file_size) {
  const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
  if (pixels * pixel_bytes > static_cast<std::uint64_t>(kMaxPngBytes)) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("png: {} x {} pixels are more than {} bytes", header.width,
                              header.height, kMaxPngBytes));
  }
  const std::uint64_t least_bits = pixels * header.bit_depth;
  if (least_bits / 8 > file_size * kMaxDeflateRatio) {
    return Status(StatusCode::kDataLoss, fmt::format("png: {} bytes cannot hold {} x {} pixels",
                                                     file_size, header.width, header.height));
  }
  return {};
}

Error SpngError(int error) {
  return Error(StatusCode::kDataLoss, fmt::format("png: {}", spng_strerror(error)));
}

}  // namespace

Result<std::string> EncodePng(int width, int height, int channels,
                              std::span<const std::uint8_t> pixels) {
  if (width < 1 || height < 1 || width > kMaxPngSide || height > kMaxPngSide || channels < 1 ||
      channels > 4 || std::int64_t{width} * height * channels > kMaxPngBytes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("png: {} x {} pixels of {} channels; at most {} on a side, 4 channels "
                             "and {} bytes in all are possible",
                             width, height, channels, kMaxPngSide, kMaxPngBytes));
  }
  const auto pixel = static_cast<std::size_t>(channels);
  const std::size_t row_bytes = static_cast<std::size_t>(width) * pixel;
  const std::size_t raw_size = row_bytes * static_cast<std::size_t>(height);
  if (pixels.size() != raw_size) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("png: {} bytes of pixels for {} x {} x {}", pixels.size(), height,
                             width, channels));
  }
  const std::size_t filtered_size = raw_size + static_cast<std::size_t>(height);
  const auto filtered = FilterRows(height, row_bytes, pixel, pixels.data(), filtered_size);

  // Data that does not compress is stored, in blocks of up to 65535 bytes with 5 more bytes each.
  const std::size_t capacity = filtered_size + filtered_size / 4096 + 256;
  std::string file(kSignature.size() + 3 * kChunkOverhead + kHeaderBytes + capacity, '\0');
  kSignature.copy(file.data(), kSignature.size());
  char* chunk = file.data() + kSignature.size();
  PutBigEndian(chunk + 8, static_cast<std::uint32_t>(width));
  PutBigEndian(chunk + 12, static_cast<std::uint32_t>(height));
  chunk[16] = 8;  // Bits in a channel. Compression, filter set and interlace stay 0.
  chunk[17] = kColorTypes[pixel];
  chunk = FinishChunk(chunk, "IHDR", kHeaderBytes);
  const std::optional<std::size_t> deflated =
      ThreadDeflater().Deflate(filtered.get(), filtered_size, chunk + 8, capacity);
  if (!deflated) return Error(StatusCode::kIoError, "png: the compressor failed");
  chunk = FinishChunk(chunk, "IDAT", *deflated);
  chunk = FinishChunk(chunk, "IEND", 0);
  file.resize(static_cast<std::size_t>(chunk - file.data()));
  file.shrink_to_fit();
  return file;
}

namespace {

// A file whose header was read and found possible.
struct OpenPng {
  std::unique_ptr<spng_ctx, SpngDeleter> context;
  spng_ihdr header{};
  Expansion expansion{};
  PngImage image;  // Without bytes.

  int flags() const { return expansion.format == SPNG_FMT_RGBA8 ? SPNG_DECODE_TRNS : 0; }
  std::size_t row_bytes() const { return std::size_t{header.width} * expansion.stride; }
};

Result<OpenPng> Open(std::string_view file) {
  OpenPng png;
  png.context.reset(spng_ctx_new(0));
  spng_ctx* const context = png.context.get();
  if (context == nullptr) return Error(StatusCode::kResourceExhausted, "png: not enough memory");
  spng_set_image_limits(context, kMaxPngSide, kMaxPngSide);
  spng_set_chunk_limits(context, kMaxAncillaryBytes, 4 * kMaxAncillaryBytes);
  int error = spng_set_png_buffer(context, file.data(), file.size());
  if (error == 0) error = spng_get_ihdr(context, &png.header);
  if (error != 0) return SpngError(error);
  png.expansion = ExpansionOf(context, png.header);
  SIGHTLINE_RETURN_IF_ERROR(CheckSize(png.header, png.expansion.stride, file.size()));
  png.image.width = static_cast<int>(png.header.width);
  png.image.height = static_cast<int>(png.header.height);
  png.image.colorspace = png.expansion.channels;
  return png;
}

}  // namespace

Result<PngImage> DecodePng(std::string_view file) {
  SIGHTLINE_ASSIGN_OR_RETURN(OpenPng png, Open(file));
  std::string& bytes = png.image.bytes;
  bytes.resize(png.row_bytes() * png.header.height);
  const int error = spng_decode_image(png.context.get(), bytes.data(), bytes.size(),
                                      png.expansion.format, png.flags());
  if (error != 0) return SpngError(error);
  DropChannels(bytes, png.expansion);
  return std::move(png.image);
}

Result<PngImage> DecodePngRows(std::string_view file,
                               const std::function<void(std::string_view)>& take) {
  SIGHTLINE_ASSIGN_OR_RETURN(OpenPng png, Open(file));
  if (png.header.interlace_method != SPNG_INTERLACE_NONE) {
    SIGHTLINE_ASSIGN_OR_RETURN(PngImage image, DecodePng(file));
    take(std::exchange(image.bytes, {}));
    return image;
  }
  spng_ctx* const context = png.context.get();
  int error = spng_decode_image(context, nullptr, 0, png.expansion.format,
                                png.flags() | SPNG_DECODE_PROGRESSIVE);
  std::string row;
  for (std::uint32_t i = 0; error == 0 && i < png.header.height; ++i) {
    row.resize(png.row_bytes());
    error = spng_decode_row(context, row.data(), row.size());
    const bool last = error == SPNG_EOI && i + 1 == png.header.height;
    if (error != 0 && !last) break;
    error = 0;
    DropChannels(row, png.expansion);
    take(row);
  }
  if (error != 0) return SpngError(error);
  return std::move(png.image);
}

Result<PngImage> ReadPngHeader(std::string_view file) {
  SIGHTLINE_ASSIGN_OR_RETURN(OpenPng png, Open(file));
  return std::move(png.image);
}

}  // namespace sightline
