#include "sightline/tools/demo/digits.h"

#include <fmt/format.h>
#include <zlib.h>

#include <string>

#include "sightline/base/parse_number.h"

namespace sightline::demo {
namespace {

constexpr int kInk = 16;  // The darkest pixel.

// More than the real file (265 KB) by far; a bound against bytes that inflate without end.
constexpr std::size_t kMaxTextBytes = std::size_t{8} << 20;

struct InflateStream {
  z_stream stream{};
  InflateStream() { ok = inflateInit2(&stream, 15 + 16) == Z_OK; }  // 16: with a gzip header.
  ~InflateStream() { inflateEnd(&stream); }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  bool ok = false;
};

Result<std::string> Inflate(std::string_view gzip) {
  InflateStream inflater;
  z_stream& z = inflater.stream;
  // zlib does not write through next_in; its type only lacks the const.
  z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(gzip.data()));
  z.avail_in = static_cast<uInt>(gzip.size());
  std::string text;
  int code = inflater.ok ? Z_OK : Z_MEM_ERROR;
  while (code == Z_OK && text.size() < kMaxTextBytes) {
    const std::size_t had = text.size();
    text.resize(had + (std::size_t{256} << 10));
    z.next_out = reinterpret_cast<Bytef*>(text.data() + had);
    z.avail_out = static_cast<uInt>(text.size() - had);
    code = inflate(&z, Z_NO_FLUSH);
    text.resize(text.size() - z.avail_out);
  }
  if (code != Z_STREAM_END) {
    return Error(
        StatusCode::kDataLoss,
        fmt::format("the digits are no complete gzip stream of at most {} bytes (zlib: {})",
                    kMaxTextBytes, z.msg != nullptr ? z.msg : zError(code)));
  }
  return text;
}

// One number of a line, with the comma after it; moves `line` on.
bool TakeField(std::string_view& line, int max, int& number) {
  number = TakeNumber<int>(line).value_or(-1);
  if (number < 0 || number > max) return false;
  if (line.empty()) return true;
  if (line.front() != ',') return false;
  line.remove_prefix(1);
  return true;
}

bool TakeDigit(std::string_view line, Digits& digits) {
  int number = 0;
  for (int pixel = 0; pixel < kImagePixels; ++pixel) {
    if (!TakeField(line, kInk, number)) return false;
    digits.pixels.push_back(static_cast<float>(number) / kInk);
  }
  if (!TakeField(line, kClasses - 1, number) || !line.empty()) return false;
  digits.classes.push_back(static_cast<std::uint8_t>(number));
  return true;
}

}  // namespace

Result<Digits> ReadDigits(std::string_view gzip) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::string text, Inflate(gzip));
  Digits digits;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (!TakeDigit(line, digits)) {
      return Error(
          StatusCode::kDataLoss,
          fmt::format("line {} of the digits is not 64 pixels of 0 to {} and a class of 0 to {}",
                      digits.count() + 1, kInk, kClasses - 1));
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return digits;
}

}  // namespace sightline::demo
