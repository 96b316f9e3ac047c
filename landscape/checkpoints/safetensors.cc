#include <fmt/format.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sightline/landscape/checkpoints/checkpoint_formats.h"

namespace sightline::landscape {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxDims = 32;

constexpr std::array<std::pair<std::string_view, DType>, 13> kTypes = {{
    {"F32", DType::kFloat32},
    {"F16", DType::kFloat16},
    {"BF16", DType::kBfloat16},
    {"F64", DType::kFloat64},
    {"BOOL", DType::kBool},
    {"I8", DType::kInt8},
    {"I16", DType::kInt16},
    {"I32", DType::kInt32},
    {"I64", DType::kInt64},
    {"U8", DType::kUint8},
    {"U16", DType::kUint16},
    {"U32", DType::kUint32},
    {"U64", DType::kUint64},
}};

std::optional<DType> TypeNamed(std::string_view name) {
  for (const auto& [type, dtype] : kTypes)
    if (type == name) return dtype;
  return std::nullopt;
}

std::uint64_t HeaderLength(std::string_view bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  return length;
}

// Parses the header without building a tree, which would need many times its bytes:
//   {"__metadata__": {...}, "<name>": {"dtype": "F32", "shape": [..], "data_offsets": [begin,
//   end]}}
class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderHandler(std::string_view data, ParsedTensors& out) : data_(data), out_(out) {}

  const std::string& problem() const { return problem_; }

  bool null() override { return Scalar(); }
  bool boolean(bool) override { return Scalar(); }
  bool number_integer(number_integer_t) override { return Fail("a number is negative"); }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ != 3 || in_metadata_) return Scalar();
    if (numbers_.size() > kMaxDims) return Fail("a list has too many numbers");
    numbers_.push_back(value);
    return true;
  }
  bool number_float(number_float_t, const string_t&) override {
    return Fail("a number is not whole");
  }
  bool string(string_t& value) override {
    if (depth_ == 2 && !in_metadata_ && field_ == "dtype") {
      dtype_ = value;
      return true;
    }
    return Scalar();
  }
  bool binary(binary_t&) override { return Fail("binary"); }

  bool start_object(std::size_t) override {
    if (in_list_ || ++depth_ > 2) return Fail("objects are nested too deep");
    return true;
  }
  bool key(string_t& value) override {
    if (depth_ == 1) {
      name_ = value;
      in_metadata_ = name_ == "__metadata__";
      dtype_.clear();
      shape_.reset();
      offsets_.reset();
    } else {
      field_ = value;
    }
    return true;
  }
  bool end_object() override { return --depth_ == 0 || in_metadata_ || AddTensor(); }

  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_) return Fail("a list in the wrong place");
    depth_ = 3;
    in_list_ = true;
    numbers_.clear();
    return true;
  }
  bool end_array() override {
    depth_ = 2;
    in_list_ = false;
    if (field_ == "shape") shape_ = numbers_;
    if (field_ == "data_offsets") offsets_ = numbers_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return Fail(fmt::format("byte {} of the header is not JSON", position));
  }

 private:
  bool Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }
  // Only the metadata, and fields of later versions, may have such a value.
  bool Scalar() { return depth_ == 2 ? true : Fail("a value in the wrong place"); }

  bool AddTensor() {
    if (!shape_ || !offsets_ || offsets_->size() != 2 || dtype_.empty())
      return Fail(fmt::format("tensor '{}' lacks dtype, shape or data_offsets", name_));
    const std::uint64_t begin = (*offsets_)[0];
    const std::uint64_t end = (*offsets_)[1];
    if (begin > end || end > data_.size())
      return Fail(fmt::format("tensor '{}' ends after the end of the file", name_));
    const auto dtype = TypeNamed(dtype_);
    if (!dtype) {
      out_.skipped.push_back({name_, fmt::format("its type '{}' is unknown", dtype_)});
      return true;
    }
    CheckpointTensor tensor{name_, *dtype, {}, {data_.substr(begin, end - begin)}};
    for (const std::uint64_t size : *shape_)
      tensor.shape.push_back(static_cast<std::int64_t>(size));
    out_.tensors.push_back(std::move(tensor));
    return true;
  }

  const std::string_view data_;
  ParsedTensors& out_;
  std::string problem_;
  int depth_ = 0;
  bool in_list_ = false;
  bool in_metadata_ = false;
  std::string name_;
  std::string field_;
  std::string dtype_;
  std::vector<std::uint64_t> numbers_;
  std::optional<std::vector<std::uint64_t>> shape_;
  std::optional<std::vector<std::uint64_t>> offsets_;
};

}  // namespace

bool LooksLikeSafetensors(std::string_view bytes) {
  return bytes.size() > kLengthBytes && HeaderLength(bytes) <= bytes.size() - kLengthBytes &&
         bytes[kLengthBytes] == '{';
}

Result<ParsedTensors> ParseSafetensors(std::string_view bytes) {
  if (!LooksLikeSafetensors(bytes))
    return Error(StatusCode::kDataLoss, "safetensors: the header is cut");
  const std::uint64_t length = HeaderLength(bytes);
  const std::string_view header = bytes.substr(kLengthBytes, length);
  ParsedTensors parsed;
  HeaderHandler handler(bytes.substr(kLengthBytes + length), parsed);
  if (!nlohmann::json::sax_parse(header.begin(), header.end(), &handler))
    return Error(StatusCode::kDataLoss, "safetensors: " + handler.problem());
  return parsed;
}

}  // namespace sightline::landscape
