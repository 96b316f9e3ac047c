#include "sightline/recorder/tensor/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
// numpy.save leaves room for the first dimension to grow to this many digits in place.
constexpr std::size_t kGrowthDigits = 21;
// More dimensions than TensorView allows, or a longer header than any array needs, count as damage.
constexpr std::size_t kMaxDimensions = 32;
constexpr std::uint64_t kMaxHeaderSize = std::uint64_t{1} << 20U;

struct Descr {
  std::string_view text;  // Without the byte order.
  DType dtype;
};
constexpr Descr kDescrs[] = {
    {"b1", DType::kBool},      {"i1", DType::kInt8},        {"i2", DType::kInt16},
    {"i4", DType::kInt32},     {"i8", DType::kInt64},       {"u1", DType::kUint8},
    {"u2", DType::kUint16},    {"u4", DType::kUint32},      {"u8", DType::kUint64},
    {"f2", DType::kFloat16},   {"f4", DType::kFloat32},     {"f8", DType::kFloat64},
    {"c8", DType::kComplex64}, {"c16", DType::kComplex128},
};

std::string_view DescrOf(DType dtype) {
  for (const Descr& descr : kDescrs) {
    if (descr.dtype == dtype) return descr.text;
  }
  return "f4";  // bfloat16: written as float32.
}

std::uint32_t Byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// Reads the dict literal. It needs no recursion, since none of the three values is nested for types
// that DType has.
class DictParser {
 public:
  explicit DictParser(std::string_view text) : text_(text) {}

  Result<NpyLayout> Parse() {
    if (!Take('{')) return Fail("'{'");
    while (!Take('}')) {
      const std::optional<std::string_view> key = TakeString();
      if (!key || !Take(':')) return Fail("a key in quotes and ':'");
      if (Status status = ParseValue(*key); !status.ok()) return Error(std::move(status));
      if (Take(',')) continue;
      if (Take('}')) break;
      return Fail("',' or '}'");
    }
    if (Peek() != '\0' || at_ != text_.size()) return Fail("nothing after '}'");
    if (!has_descr_ || !has_order_ || !has_shape_) {
      return Error(StatusCode::kDataLoss,
                   "npy: the header lacks one of 'descr', 'fortran_order' and 'shape'");
    }
    return layout_;
  }

 private:
  // The next character that is not blank, or 0 at the end.
  char Peek() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    Peek();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::optional<std::string_view> TakeString() {
    const char quote = Peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value;
  }

  Error Fail(std::string_view expected) const {
    return Error(StatusCode::kDataLoss,
                 fmt::format("npy: at character {} of the header: expected {}", at_, expected));
  }

  Status ParseValue(std::string_view key) {
    if (key == "descr") return ParseDescr();
    if (key == "fortran_order") return ParseOrder();
    if (key == "shape") return ParseShape();
    return Status(StatusCode::kDataLoss, "npy: the header has an unknown key");
  }

  Status ParseDescr() {
    has_descr_ = true;
    if (Peek() == '[' || Peek() == '(') {
      return Status(
          StatusCode::kUnimplemented,
          "npy: structured arrays are not supported; save each field as an array of its own");
    }
    const std::optional<std::string_view> text = TakeString();
    if (!text) return Fail("a dtype in quotes").value();
    std::string_view name = *text;
    const char order = name.empty() ? '\0' : name.front();
    if (order == '<' || order == '>' || order == '|' || order == '=') name.remove_prefix(1);
    layout_.big_endian = order == '>';
    for (const Descr& descr : kDescrs) {
      if (descr.text == name) {
        layout_.dtype = descr.dtype;
        return {};
      }
    }
    return Status(StatusCode::kUnimplemented,
                  fmt::format("npy: dtype '{}' is not supported; use bool, an integer, float16 to "
                              "float64 or complex",
                              text->substr(0, 32)));
  }

  Status ParseOrder() {
    has_order_ = true;
    if (TakeWord("False")) {
      layout_.fortran_order = false;
    } else if (TakeWord("True")) {
      layout_.fortran_order = true;
    } else {
      return Fail("True or False").value();
    }
    return {};
  }

  Status ParseShape() {
    has_shape_ = true;
    layout_.shape.clear();
    if (!Take('(')) return Fail("'('").value();
    while (!Take(')')) {
      if (layout_.shape.size() == kMaxDimensions) return Fail("at most 32 dimensions").value();
      Peek();
      std::string_view rest = text_.substr(at_);
      const auto size = TakeNumber<std::int64_t>(rest);
      if (!size) return Fail("a dimension").value();
      at_ = text_.size() - rest.size();
      TakeWord("L");  // Python 2 wrote this after long integers.
      layout_.shape.push_back(*size);
      if (!Take(',') && Peek() != ')') return Fail("',' or ')'").value();
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
  NpyLayout layout_;
};

}  // namespace

Result<std::uint64_t> NpyHeaderSize(std::string_view preamble) {
  if (preamble.size() < kNpyPreambleSize || preamble.substr(0, kMagic.size()) != kMagic) {
    return Error(StatusCode::kDataLoss, "npy: the file does not begin with \\x93NUMPY");
  }
  const std::uint32_t major = Byte(preamble, 6);
  const std::uint32_t low = Byte(preamble, 8) | Byte(preamble, 9) << 8U;
  if (major == 0 || major > 3) {
    return Error(StatusCode::kUnimplemented,
                 fmt::format("npy: format version {} is not known; 1 to 3 are", major));
  }
  if (major == 1) return 10 + low;
  const std::uint64_t size =
      12 + std::uint64_t{low | Byte(preamble, 10) << 16U | Byte(preamble, 11) << 24U};
  if (size > kMaxHeaderSize) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("npy: a header of {} bytes cannot be right", size));
  }
  return size;
}

Result<NpyLayout> ParseNpyHeader(std::string_view header) {
  const std::size_t text_at = Byte(header, 6) == 1 ? 10 : 12;
  Result<NpyLayout> layout = DictParser(header.substr(text_at)).Parse();
  if (!layout) return layout;
  const TensorView view{layout->dtype, layout->shape, header.data()};
  if (Status status = view.Check(); !status.ok()) {
    return Error(StatusCode::kDataLoss, fmt::format("npy: {}", status.message()));
  }
  return layout;
}

std::string FormatNpyHeader(DType dtype, const std::vector<std::int64_t>& shape) {
  const char order = dtype != DType::kBfloat16 && DTypeSize(dtype) == 1 ? '|' : '<';
  std::string text =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", order,
                  DescrOf(dtype), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  if (!shape.empty()) text.append(kGrowthDigits - std::to_string(shape.front()).size(), ' ');
  const std::size_t unpadded = kMagic.size() + 4 + text.size() + 1;
  text.append(kAlignment - unpadded % kAlignment, ' ');
  text.push_back('\n');
  std::string header(kMagic);
  header +=
      {'\x01', '\0', static_cast<char>(text.size() & 0xffU), static_cast<char>(text.size() >> 8U)};
  return header + text;
}

}  // namespace sightline
