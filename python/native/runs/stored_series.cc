// One series of a run for Python: its columns without a copy, and its heavy values decoded.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/runs/stored_run.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

template <typename T>
using Column = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;

// A capsule that keeps `owner` alive as long as an array needs it.
template <typename Owner>
nb::capsule Keep(Owner owner) {
  auto kept = std::make_unique<Owner>(std::move(owner));
  nb::capsule capsule(kept.get(), [](void* pointer) noexcept {
    delete static_cast<Owner*>(pointer);  // NOLINT(cppcoreguidelines-owning-memory)
  });
  (void)kept.release();
  return capsule;
}

template <typename T>
Column<T> Lend(const StoredSeries& self, std::span<const T> column) {
  return Column<T>(column.data(), {column.size()}, Keep(self.series));
}

template <typename T>
Column<T> Give(std::vector<T> values) {
  const std::size_t size = values.size();
  const T* data = values.data();
  return Column<T>(data, {size}, Keep(std::move(values)));
}

// The dtype in DLPack's form. NumPy has no bfloat16; such elements become float32, which is exact.
nb::dlpack::dtype DlpackType(DType dtype) {
  const auto of = [&](nb::dlpack::dtype_code code) {
    return nb::dlpack::dtype{static_cast<std::uint8_t>(code),
                             static_cast<std::uint8_t>(DTypeSize(dtype) * 8), 1};
  };
  switch (dtype) {
    case DType::kBool:
      return of(nb::dlpack::dtype_code::Bool);
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
      return of(nb::dlpack::dtype_code::Int);
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
      return of(nb::dlpack::dtype_code::UInt);
    case DType::kFloat16:
    case DType::kFloat32:
    case DType::kFloat64:
    case DType::kBfloat16:
      return of(nb::dlpack::dtype_code::Float);
    case DType::kComplex64:
    case DType::kComplex128:
      return of(nb::dlpack::dtype_code::Complex);
  }
  return of(nb::dlpack::dtype_code::UInt);
}

TensorData WithoutBfloat16(TensorData tensor) {
  if (tensor.dtype != DType::kBfloat16) return tensor;
  TensorData wide{DType::kFloat32, tensor.shape, {}};
  wide.data.resize(tensor.data.size() * 2);
  const std::size_t count = tensor.data.size() / 2;
  std::vector<float> numbers(count);
  ConvertToFloat32(DType::kBfloat16, tensor.data.data(), count, numbers.data());
  if (count > 0) std::memcpy(wide.data.data(), numbers.data(), wide.data.size());
  return wide;
}

nb::ndarray<nb::numpy> ToArray(TensorData tensor) {
  std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
  const nb::dlpack::dtype dtype = DlpackType(tensor.dtype);
  std::byte* const data = tensor.data.data();
  return {data, shape.size(), shape.data(), Keep(std::move(tensor)), nullptr, dtype};
}

// A position as Python counts: -1 is the last.
std::size_t PositionOf(const StoredSeries& self, Py_ssize_t position) {
  const auto size = static_cast<Py_ssize_t>(self.series->size());
  if (position < -size || position >= size) throw nb::index_error("no such position");
  return static_cast<std::size_t>(position < 0 ? position + size : position);
}

// Reads the value at a position and converts it, without the GIL.
template <typename Decode>
auto ReadAs(const StoredSeries& self, Py_ssize_t position, Decode decode) {
  if (self.series->is_scalar()) throw nb::type_error("a scalar is in the column of values");
  const HeavyPoint point = self.series->point(PositionOf(self, position));
  const auto read = [&]() -> decltype(decode(std::declval<const StoredValue&>())) {
    const nb::gil_scoped_release released;
    SIGHTLINE_ASSIGN_OR_RETURN(const StoredValue stored, self.run->Read(point));
    return decode(stored);
  };
  auto decoded = read();
  if (!decoded) RaiseIfError(decoded.error());
  return *std::move(decoded);
}

nb::ndarray<nb::numpy> Tensor(const StoredSeries& self, Py_ssize_t position) {
  return ToArray(ReadAs(self, position, [](const StoredValue& stored) -> Result<TensorData> {
    SIGHTLINE_ASSIGN_OR_RETURN(TensorData tensor, stored.Tensor());
    SIGHTLINE_RETURN_IF_ERROR(tensor.View().Check());
    return WithoutBfloat16(std::move(tensor));
  }));
}

bool IsWhole(double count) { return count == std::floor(count) && count < 0x1p63; }

nb::object CountOf(double count) {
  return IsWhole(count) ? nb::cast(static_cast<std::int64_t>(count)) : nb::cast(count);
}

// Whole numbers as int64, as NumPy's histograms have them.
nb::object CountsOf(std::vector<double> counts) {
  if (!std::all_of(counts.begin(), counts.end(), IsWhole)) return nb::cast(Give(std::move(counts)));
  std::vector<std::int64_t> whole;
  whole.reserve(counts.size());
  for (const double count : counts) whole.push_back(static_cast<std::int64_t>(count));
  return nb::cast(Give(std::move(whole)));
}

nb::tuple Histogram(const StoredSeries& self, Py_ssize_t position) {
  const HistogramData read =
      ReadAs(self, position, [](const StoredValue& stored) { return stored.Histogram(); });
  std::vector<double> left;
  std::vector<double> width;
  std::vector<double> counts;
  for (const HistogramBucket& bucket : read.buckets) {
    left.push_back(bucket.left);
    width.push_back(bucket.width);
    counts.push_back(bucket.count);
  }
  const auto known = [](bool is_known, double number) -> nb::object {
    return is_known ? nb::cast(number) : nb::none();
  };
  return nb::make_tuple(Give(std::move(left)), Give(std::move(width)), CountsOf(std::move(counts)),
                        CountOf(read.count), read.nan_count, read.pos_inf_count, read.neg_inf_count,
                        known(read.has_finite, read.min), known(read.has_finite, read.max),
                        known(read.has_finite && read.has_sum, read.sum));
}

nb::tuple Image(const StoredSeries& self, Py_ssize_t position) {
  struct Copy {
    EncodedImage image;
    std::string encoded;
  };
  const Copy copy = ReadAs(self, position, [](const StoredValue& stored) -> Result<Copy> {
    SIGHTLINE_ASSIGN_OR_RETURN(const EncodedImage image, stored.Image());
    return Copy{image, std::string(image.encoded)};
  });
  return nb::make_tuple(copy.image.width, copy.image.height,
                        nb::bytes(copy.encoded.data(), copy.encoded.size()));
}

nb::list Texts(const StoredSeries& self, Py_ssize_t position) {
  using Copies = std::vector<std::string>;
  const Copies texts = ReadAs(self, position, [](const StoredValue& stored) -> Result<Copies> {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto views, stored.Texts());
    return Copies(views.begin(), views.end());
  });
  nb::list list;
  for (const std::string& text : texts) list.append(FromUtf8(text));
  return list;
}

nb::tuple Audio(const StoredSeries& self, Py_ssize_t position) {
  struct Copy {
    EncodedAudio audio;
    std::string encoded;
  };
  const Copy copy = ReadAs(self, position, [](const StoredValue& stored) -> Result<Copy> {
    SIGHTLINE_ASSIGN_OR_RETURN(EncodedAudio audio, stored.Audio());
    std::string encoded(audio.encoded);
    return Copy{std::move(audio), std::move(encoded)};
  });
  return nb::make_tuple(nb::bytes(copy.encoded.data(), copy.encoded.size()),
                        FromUtf8(copy.audio.content_type), copy.audio.sample_rate);
}

nb::bytes Message(const StoredSeries& self, Py_ssize_t position) {
  const std::string message =
      ReadAs(self, position, [](const StoredValue& stored) -> Result<std::string> {
        return std::string(stored.value().raw);
      });
  return nb::bytes(message.data(), message.size());
}

nb::ndarray<nb::numpy> DecodePixels(const nb::bytes& png) {
  const auto decode = [&] {
    const nb::gil_scoped_release released;
    return DecodePng({png.c_str(), png.size()});
  };
  const auto image = decode();
  if (!image) RaiseIfError(image.error());
  TensorData pixels{DType::kUint8, {image->height, image->width, image->colorspace}, {}};
  pixels.data.resize(image->bytes.size());
  if (!image->bytes.empty())
    std::memcpy(pixels.data.data(), image->bytes.data(), image->bytes.size());
  return ToArray(std::move(pixels));
}

// The position of the last point of a step; nothing if the step has none.
std::optional<std::size_t> LastAt(const StoredSeries& self, std::int64_t step) {
  const auto steps = self.series->steps();
  const auto behind = std::upper_bound(steps.begin(), steps.end(), step);
  if (behind == steps.begin() || *std::prev(behind) != step) return std::nullopt;
  return static_cast<std::size_t>(behind - steps.begin()) - 1;
}

// (first step, last step, minimum, maximum) of at most `count` columns by position. Minimum and
// maximum are NaN if no value is finite.
nb::list Columns(const StoredSeries& self, std::size_t count) {
  nb::list columns;
  for (const SeriesColumn& column : self.series->ColumnsByPosition(0, self.series->size(), count)) {
    columns.append(nb::make_tuple(column.first_step, column.last_step, column.extremes.min,
                                  column.extremes.max));
  }
  return columns;
}

// Points [begin, end) of each series, one after the other: steps, wall times, values.
nb::tuple Gather(const nb::list& pieces) {
  struct Piece {
    std::shared_ptr<const Series> series;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<Piece> all;
  std::size_t total = 0;
  for (const nb::handle item : pieces) {
    const auto tuple = nb::cast<nb::tuple>(item);
    Piece piece{nb::cast<const StoredSeries&>(tuple[0]).series, nb::cast<std::size_t>(tuple[1]),
                nb::cast<std::size_t>(tuple[2])};
    if (!piece.series->is_scalar() || piece.begin > piece.end || piece.end > piece.series->size())
      throw nb::value_error("no range of a series of scalars");
    total += piece.end - piece.begin;
    all.push_back(std::move(piece));
  }
  std::vector<std::int64_t> steps;
  std::vector<double> wall_times;
  std::vector<double> values;
  {
    const nb::gil_scoped_release released;
    steps.reserve(total);
    wall_times.reserve(total);
    values.reserve(total);
    for (const Piece& piece : all) {
      const auto append = [&](auto& to, const auto& from) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                  from.begin() + static_cast<std::ptrdiff_t>(piece.end));
      };
      append(steps, piece.series->steps());
      append(wall_times, piece.series->wall_times());
      append(values, piece.series->values());
    }
  }
  return nb::make_tuple(Give(std::move(steps)), Give(std::move(wall_times)),
                        Give(std::move(values)));
}

}  // namespace

void BindStoredSeries(nb::module_& module) {
  nb::class_<StoredSeries>(module, "StoredSeries", "The data of a runs.Series.")
      .def_prop_ro(
          "kind",
          [](const StoredSeries& self) {
            return FromUtf8(ContentKindName(self.series->key().kind));
          },
          "The kind of its values.")
      .def_prop_ro(
          "plugin", [](const StoredSeries& self) { return FromUtf8(self.series->key().plugin); },
          "TensorBoard's plugin; empty for most.")
      .def_prop_ro(
          "tag", [](const StoredSeries& self) { return FromUtf8(self.series->key().tag); },
          "Its tag.")
      .def_prop_ro(
          "rank", [](const StoredSeries& self) { return self.series->key().rank; },
          "The process that recorded it.")
      .def("__len__", [](const StoredSeries& self) { return self.series->size(); })
      .def_prop_ro(
          "steps", [](const StoredSeries& self) { return Lend(self, self.series->steps()); },
          nb::rv_policy::automatic, "The step of each point.")
      .def_prop_ro(
          "wall_times",
          [](const StoredSeries& self) { return Lend(self, self.series->wall_times()); },
          nb::rv_policy::automatic, "The Unix time of each point.")
      .def_prop_ro(
          "values", [](const StoredSeries& self) { return Lend(self, self.series->values()); },
          nb::rv_policy::automatic, "The number of each point of a series of scalars.")
      .def(
          "lower_bound",
          [](const StoredSeries& self, std::int64_t step) { return self.series->LowerBound(step); },
          "step"_a, "The first position of this step or a later one.")
      .def("last_at", &LastAt, "step"_a, "The last position of this step; None if there is none.")
      .def("columns", &Columns, "count"_a,
           "(first step, last step, minimum, maximum) of at most `count` columns.")
      .def("tensor", &Tensor, "position"_a, "The tensor at a position.")
      .def("histogram", &Histogram, "position"_a,
           "left, width, counts, count, nan_count, pos_inf_count, neg_inf_count, min, max, sum")
      .def("image", &Image, "position"_a, "width, height, the file")
      .def("texts", &Texts, "position"_a, "The texts at a position.")
      .def("audio", &Audio, "position"_a, "the file, content type, Hz")
      .def("message", &Message, "position"_a, "The serialized message of the value at a position.");
  nb::list kinds;
  for (const ContentKind kind : kContentKinds) kinds.append(FromUtf8(ContentKindName(kind)));
  kinds.append(FromUtf8(ContentKindName(ContentKind::kUnknown)));
  module.attr("KINDS") = nb::tuple(kinds);
  module.def("decode_png", &DecodePixels, "png"_a,
             "The pixels of a PNG file: (height, width, channels).");
  module.def("gather", &Gather, "pieces"_a,
             "The points [begin, end) of each series of scalars, one series after the other: "
             "steps, wall times, values.");
}

}  // namespace sightline::python
