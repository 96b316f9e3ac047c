#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "sightline/ir/reader.h"
#include "sightline/recorder/file_system.h"
#include "sightline/tools/cmd_ir.h"

namespace sightline {
namespace {

bool IsDumpName(std::string_view name) {
  return name.ends_with(".ir") || name.starts_with("trace_code_graph_");
}

// 74 of "20_validate_0074.ir"; those without a number come last.
std::uint64_t RunningNumber(std::string_view name) {
  if (name.ends_with(".ir")) name.remove_suffix(3);
  name.remove_prefix(std::min(name.size(), name.rfind('_') + 1));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : UINT64_MAX;
}

bool IsNoDump(const ir::Module& module) {
  return module.problem_count > 0 &&
         std::all_of(module.lines.begin(), module.lines.end(), [](const ir::Line& line) {
           return line.kind == ir::LineKind::kBlank || line.kind == ir::LineKind::kUnexplained;
         });
}

}  // namespace

Result<std::vector<std::string>> IrFiles(const std::string& path) {
  FileSystem& files = FileSystem::Local();
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const FileInfo info, files.Stat(path));
  if (!info.is_directory) return std::vector<std::string>{path};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(std::vector<std::string> names, files.List(path));
  std::erase_if(names, [](const std::string& name) { return !IsDumpName(name); });
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return RunningNumber(a) < RunningNumber(b);
  });
  for (std::string& name : names) name = JoinPath(path, name);
  return names;
}

Result<ir::Module> ReadDump(const std::string& path) {
  Result<ir::Module> module = ir::ReadIr(FileSystem::Local(), path);
  if (module && IsNoDump(*module)) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} is no dump: {}", path, ToText(module->problems.front())));
  }
  return module;
}

std::string ToText(const ir::Problem& problem) {
  return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
}

}  // namespace sightline
