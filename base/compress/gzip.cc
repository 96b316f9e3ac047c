#include "sightline/base/compress/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace sightline {
namespace {

constexpr int kGzipWindow = MAX_WBITS + 16;  // 16 asks for gzip's header.
constexpr int kMemoryLevel = 8;              // zlib's default.
constexpr std::size_t kStepBytes = std::size_t{256} << 10;

// zlib does not write to its input; its interface is older than const.
Bytef* ToBytef(const char* bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes));  // NOLINT
}

uInt AtMost32Bits(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// A stream that compresses.
class Deflater {
 public:
  explicit Deflater(int level) {
    if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw std::bad_alloc();
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  z_stream stream{};
};

}  // namespace

std::string Gzip(std::string_view bytes, int level) {
  Deflater deflater(level);
  z_stream& stream = deflater.stream;
  std::string out;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    const std::size_t before = out.size();
    out.resize(before + kStepBytes);
    stream.next_in = ToBytef(bytes.data());
    stream.avail_in = AtMost32Bits(bytes.size());
    stream.next_out = ToBytef(out.data() + before);
    stream.avail_out = static_cast<uInt>(kStepBytes);
    const uInt given = stream.avail_in;
    result = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(given - stream.avail_in);
    out.resize(out.size() - stream.avail_out);
  }
  return out;
}

Result<std::string> Gunzip(std::string_view packed, std::size_t limit, Wrapper wrapper) {
  GzipReader reader(wrapper);
  std::string out;
  std::size_t unpacked = 0;
  do {
    const std::size_t before = out.size();
    // One byte above the limit is asked for, so that longer content is noticed.
    out.resize(before + std::min(kStepBytes, limit + 1 - before));
    SIGHTLINE_ASSIGN_OR_RETURN(unpacked, reader.Read(packed, std::span(out).subspan(before)));
    out.resize(before + unpacked);
    if (out.size() > limit) {
      return Error(StatusCode::kDataLoss, "the gzip file has more content than the " +
                                              std::to_string(limit) + " bytes that can be read");
    }
  } while (unpacked > 0);
  if (!reader.complete()) return Error(StatusCode::kDataLoss, "the gzip file is cut off");
  return out;
}

GzipReader::GzipReader(Wrapper wrapper) : stream_(std::make_unique<z_stream_s>()) {
  const int window = wrapper == Wrapper::kZlib ? MAX_WBITS : kGzipWindow;
  if (inflateInit2(stream_.get(), window) != Z_OK) throw std::bad_alloc();
}

GzipReader::~GzipReader() { inflateEnd(stream_.get()); }

Result<std::size_t> GzipReader::Read(std::string_view& packed, std::span<char> out) {
  z_stream& stream = *stream_;
  stream.next_out = ToBytef(out.data());
  stream.avail_out = AtMost32Bits(out.size());
  const uInt room = stream.avail_out;
  int result = Z_OK;
  // Without input, zlib may still have output from earlier input.
  while (stream.avail_out > 0 && (result == Z_OK || result == Z_STREAM_END)) {
    if (complete_) {
      // Zeros after a member are padding, which gzip(1) skips as well.
      packed.remove_prefix(std::min(packed.find_first_not_of('\0'), packed.size()));
      if (packed.empty()) break;
      inflateReset(&stream);  // Another member follows.
    }
    stream.next_in = ToBytef(packed.data());
    stream.avail_in = AtMost32Bits(packed.size());
    const uInt given = stream.avail_in;
    result = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(given - stream.avail_in);
    complete_ = result == Z_STREAM_END;
  }
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  const std::size_t unpacked = room - stream.avail_out;
  // Z_BUF_ERROR: there is no more input. After damage, zlib fails again in the next call.
  if (unpacked == 0 && result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
    return Error(StatusCode::kDataLoss, "the gzip file is damaged");
  return unpacked;
}

}  // namespace sightline
