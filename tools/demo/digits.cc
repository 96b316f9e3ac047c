#include "sightline/tools/demo/digits.h"

#include <fmt/format.h>

#include <string>

#include "sightline/base/compress/gzip.h"
#include "sightline/base/parse_number.h"

namespace sightline::demo {
namespace {

constexpr int kInk = 16;  // The darkest pixel.

// Far more than the file (265 KB) has; a bound for bytes that inflate without end.
constexpr std::size_t kMaxTextBytes = std::size_t{8} << 20;

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
  const auto text = Gunzip(gzip, kMaxTextBytes);
  if (!text) return Error(text.error().WithContext("the digits"));
  Digits digits;
  std::string_view rest = *text;
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
