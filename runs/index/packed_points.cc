#include "sightline/runs/index/packed_points.h"

namespace sightline {
namespace {

enum class Form : std::uint8_t { kWhole, kEven, kFloats };

// b - a, modulo 2^64.
std::uint64_t Difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

bool IsEven(const Column<std::int64_t>& column) {
  if (column.size() < 3) return false;
  const std::uint64_t step = Difference(column[0], column[1]);
  for (std::size_t i = 2; i < column.size(); ++i) {
    if (Difference(column[i - 1], column[i]) != step) return false;
  }
  return true;
}

// Whether a float32 holds the value exactly; compares bits, so that every NaN keeps its payload.
bool IsFloat(double value) {
  return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value))) ==
         std::bit_cast<std::uint64_t>(value);
}

template <typename T>
void WriteForm(PackWriter& writer, Form form, const T* values, std::size_t count) {
  writer.Raw(&form, 1);
  if (count != 0) writer.Raw(values, count * sizeof(T));
}

template <typename T>
void ReadWhole(PackReader& reader, std::uint64_t count, Column<T>& column) {
  if (count > reader.size() / sizeof(T)) return reader.Fail();
  const std::string_view bytes = reader.Take(count * sizeof(T));
  if (bytes.empty()) return;
  column = Column<T>(count, [&](T* values) { std::memcpy(values, bytes.data(), bytes.size()); });
}

}  // namespace

void PackColumn(PackWriter& writer, const Column<std::int64_t>& column) {
  if (!IsEven(column)) return WriteForm(writer, Form::kWhole, column.data(), column.size());
  const std::int64_t two[] = {column[0], column[1]};
  WriteForm(writer, Form::kEven, two, 2);
}

void PackColumn(PackReader& reader, std::uint64_t count, Column<std::int64_t>& column) {
  std::uint8_t form = 0;
  Pack(reader, form);
  if (form == static_cast<std::uint8_t>(Form::kWhole)) return ReadWhole(reader, count, column);
  std::int64_t two[2] = {};
  reader.Raw(two, sizeof(two));
  // The times follow and take at least four bytes each.
  if (form != static_cast<std::uint8_t>(Form::kEven) || count > reader.size()) reader.Fail();
  if (reader.failed()) return;
  column = Column<std::int64_t>(count, [&](std::int64_t* values) {
    const std::uint64_t step = Difference(two[0], two[1]);
    auto value = static_cast<std::uint64_t>(two[0]);
    for (std::uint64_t i = 0; i < count; ++i, value += step)
      values[i] = static_cast<std::int64_t>(value);
  });
}

void PackColumn(PackWriter& writer, const Column<double>& column) {
  for (const double value : column) {
    if (!IsFloat(value)) return WriteForm(writer, Form::kWhole, column.data(), column.size());
  }
  WriteForm<char>(writer, Form::kFloats, nullptr, 0);
  const std::size_t begin = writer.bytes().size();
  writer.bytes().resize(begin + column.size() * sizeof(float));
  char* out = writer.bytes().data() + begin;
  for (const double value : column) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(out, &narrow, sizeof(narrow));
    out += sizeof(narrow);
  }
}

void PackColumn(PackReader& reader, std::uint64_t count, Column<double>& column) {
  std::uint8_t form = 0;
  Pack(reader, form);
  if (form == static_cast<std::uint8_t>(Form::kWhole)) return ReadWhole(reader, count, column);
  if (form != static_cast<std::uint8_t>(Form::kFloats) || count > reader.size() / sizeof(float))
    return reader.Fail();
  const std::string_view bytes = reader.Take(count * sizeof(float));
  if (bytes.empty()) return;
  column = Column<double>(count, [&](double* values) {
    for (std::uint64_t i = 0; i < count; ++i) {
      float narrow = 0;
      std::memcpy(&narrow, bytes.data() + i * sizeof(float), sizeof(float));
      values[i] = static_cast<double>(narrow);
    }
  });
}

void PackPoints(PackWriter& writer, bool scalar, const SeriesPoints& points) {
  std::uint64_t count = points.steps.size();
  Pack(writer, count);
  PackColumn(writer, points.steps);
  PackColumn(writer, points.wall_times);
  if (scalar) return PackColumn(writer, points.values);
  for (SeriesPoints::Place place : points.places)
    PackAll(writer, place.offset, place.file, place.value, place.item);
}

void PackPoints(PackReader& reader, bool scalar, std::uint32_t file, SeriesPoints& points) {
  std::uint64_t count = 0;
  Pack(reader, count);
  PackColumn(reader, count, points.steps);
  PackColumn(reader, count, points.wall_times);
  if (scalar) return PackColumn(reader, count, points.values);
  for (; count > 0 && !reader.failed(); --count) {
    SeriesPoints::Place place;
    PackAll(reader, place.offset, place.file, place.value, place.item);
    if (place.file != file) reader.Fail();
    points.places.push_back(place);
  }
}

}  // namespace sightline
