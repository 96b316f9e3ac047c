#include "sightline/profiler/import/folder/csv_names.h"

namespace sightline::profiler {

std::string_view TableOfCsv(std::string_view name) {
  std::string_view table = name.substr(0, name.rfind('.'));
  const std::size_t end = table.find_last_not_of("0123456789_");
  if (end == std::string_view::npos) return table;
  table = table.substr(0, end + 1);
  constexpr std::string_view kSlice = "_slice";
  if (table.ends_with(kSlice)) table.remove_suffix(kSlice.size());
  return table;
}

double BytesOfMegabyte(SourceFormat format) {
  return (format == SourceFormat::kMindSpore ? 1000.0 : 1024.0) * 1024.0;
}

double BytesOfMegabyte(std::string_view path) {
  const std::size_t nearest = path.rfind("_ascend_");
  const bool of_mindspore =
      nearest != std::string_view::npos && path.substr(nearest).starts_with("_ascend_ms");
  return BytesOfMegabyte(of_mindspore ? SourceFormat::kMindSpore : SourceFormat::kTorchNpu);
}

std::string ColumnsOfCsv(const CsvRows& header) {
  constexpr std::size_t kMost = 300;
  std::string titles;
  for (const std::string_view title : header.cells()) {
    if (!titles.empty()) titles += ", ";
    if (titles.size() + title.size() > kMost) return titles + "...";
    titles += title;
  }
  return titles;
}

}  // namespace sightline::profiler
