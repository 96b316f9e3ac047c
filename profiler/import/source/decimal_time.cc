#include "sightline/profiler/import/source/decimal_time.h"

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {
namespace {

constexpr int kMaxDigits = 18;  // As many fit an int64, and a further one is only for rounding.

struct Digits {
  std::int64_t value = 0;
  int count = 0;       // Without leading zeros.
  int exponent = 0;    // value * 10^exponent
  int next_digit = 0;  // The first that was left out.
  bool any = false;
};

// Digits before and after the point; what comes after them stays in `text`.
Digits TakeDigits(std::string_view& text) {
  Digits digits;
  bool behind_point = false;
  while (!text.empty() && (IsDigit(text.front()) || (text.front() == '.' && !behind_point))) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '.') {
      behind_point = true;
      continue;
    }
    digits.any = true;
    if (digits.count < kMaxDigits) {
      digits.value = digits.value * 10 + (c - '0');
      if (digits.value > 0) ++digits.count;
      digits.exponent -= behind_point ? 1 : 0;
      continue;
    }
    if (digits.count == kMaxDigits) digits.next_digit = c - '0';
    ++digits.count;
    digits.exponent += behind_point ? 0 : 1;
  }
  return digits;
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> ParseDecimal(std::string_view text, int scale) {
  text = Trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const Digits digits = TakeDigits(text);
  if (!digits.any) return std::nullopt;
  int exponent = digits.exponent + scale;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(text.substr(1).starts_with('+') ? 2 : 1);
    const auto written = ParseNumber<int>(text);
    if (!written || *written > 400 || *written < -400) return std::nullopt;
    exponent += *written;
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  std::int64_t value = digits.value;
  if (exponent < 0) {
    for (; exponent < -1 && value != 0; ++exponent) value /= 10;
    value = (value + 5) / 10;
    return negative ? -value : value;
  }
  int next_digit = digits.next_digit;
  for (; exponent > 0 && value != 0; --exponent) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
        __builtin_add_overflow(value, std::int64_t{next_digit}, &value))
      return std::nullopt;
    next_digit = 0;
  }
  if (next_digit >= 5 && __builtin_add_overflow(value, std::int64_t{1}, &value))
    return std::nullopt;
  return negative ? -value : value;
}

std::optional<std::int64_t> ParseDuration(std::string_view text, int scale) {
  const auto duration = ParseDecimal(text, scale);
  return duration && *duration >= 0 && IsTime(*duration) ? duration : std::nullopt;
}

}  // namespace sightline::profiler
