#include "sightline/export/landscape_table.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/tensor/npy.h"

namespace sightline {
namespace {

void AddRow(std::string& out, std::string_view kind, std::string_view step, double x, double y,
            double z) {
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{}\n", kind, step, x, y, z);
}

// A zip archive of stored files (PKWARE's APPNOTE 6.3, 4.3.7 and 4.3.12), as Python's zipfile reads
// it. A landscape's arrays are far below 4 GiB.
class Zip {
 public:
  void Add(std::string_view name, std::string_view bytes) {
    std::string fields;
    wire::AppendFixed(fields, kVersion);
    wire::AppendFixed(fields, std::uint16_t{0});  // Flags.
    wire::AppendFixed(fields, std::uint16_t{0});  // Stored.
    wire::AppendFixed(fields, std::uint16_t{0});  // Time, and 1980-01-01.
    wire::AppendFixed(fields, std::uint16_t{0x21});
    wire::AppendFixed(
        fields, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()),
                                                 static_cast<uInt>(bytes.size()))));
    wire::AppendFixed(fields, static_cast<std::uint32_t>(bytes.size()));
    wire::AppendFixed(fields, static_cast<std::uint32_t>(bytes.size()));
    wire::AppendFixed(fields, static_cast<std::uint16_t>(name.size()));
    wire::AppendFixed(fields, std::uint16_t{0});  // Extra.
    directory_ += "PK\x01\x02";
    wire::AppendFixed(directory_, kVersion);
    directory_ += fields;
    directory_.append(10, '\0');  // Comment, disk, attributes.
    wire::AppendFixed(directory_, static_cast<std::uint32_t>(files_.size()));
    directory_ += name;
    files_ += "PK\x03\x04";
    files_ += fields;
    files_ += name;
    files_ += bytes;
    ++count_;
  }

  std::string Finish() const {
    std::string out = files_ + directory_ + "PK\x05\x06" + std::string(4, '\0');
    wire::AppendFixed(out, count_);
    wire::AppendFixed(out, count_);
    wire::AppendFixed(out, static_cast<std::uint32_t>(directory_.size()));
    wire::AppendFixed(out, static_cast<std::uint32_t>(files_.size()));
    wire::AppendFixed(out, std::uint16_t{0});
    return out;
  }

 private:
  static constexpr std::uint16_t kVersion = 20;

  std::string files_;
  std::string directory_;
  std::uint16_t count_ = 0;
};

template <typename T>
Status AddArray(Zip& zip, std::string_view name, const std::vector<T>& values,
                const std::vector<std::int64_t>& shape) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string npy, EncodeNpy(View(values.data(), shape)));
  zip.Add(std::string(name) + ".npy", npy);
  return {};
}

template <typename T>
std::vector<std::int64_t> ShapeOf(const std::vector<T>& values) {
  return {static_cast<std::int64_t>(values.size())};
}

}  // namespace

std::string LandscapeCsv(const LossLandscape& landscape) {
  std::string out = "kind,step,x,y,loss\n";
  for (std::size_t y = 0; y < landscape.y.size(); ++y) {
    for (std::size_t x = 0; x < landscape.x.size(); ++x) {
      AddRow(out, "grid", "", landscape.x[x], landscape.y[y],
             landscape.z[y * landscape.x.size() + x]);
    }
  }
  if (const auto& path = landscape.path) {
    for (std::size_t i = 0; i < path->intervals.size(); ++i)
      AddRow(out, "path", fmt::to_string(path->intervals[i]), path->x[i], path->y[i], path->z[i]);
  }
  if (const auto& point = landscape.convergence_point)
    AddRow(out, "convergence", "", point->x, point->y, point->z);
  return out;
}

Result<std::string> LandscapeNpz(const LossLandscape& landscape) {
  Zip zip;
  const std::vector<std::int64_t> grid = {static_cast<std::int64_t>(landscape.y.size()),
                                          static_cast<std::int64_t>(landscape.x.size())};
  SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "x", landscape.x, ShapeOf(landscape.x)));
  SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "y", landscape.y, ShapeOf(landscape.y)));
  SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "z", landscape.z, grid));
  if (const auto& path = landscape.path) {
    SIGHTLINE_UNEXPECTED_IF_ERROR(
        AddArray(zip, "path_steps", path->intervals, ShapeOf(path->intervals)));
    SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "path_x", path->x, ShapeOf(path->x)));
    SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "path_y", path->y, ShapeOf(path->y)));
    SIGHTLINE_UNEXPECTED_IF_ERROR(AddArray(zip, "path_z", path->z, ShapeOf(path->z)));
  }
  return zip.Finish();
}

}  // namespace sightline
