// Reads dumps of MindSpore's intermediate representation: .ir files of every stage, pass and kernel
// graph, sorted or not, in format 0 and 1, trace_code_graph files, actor sets and analyze_fail.ir,
// as MindSpore 2.1 and later write them.
//
// Damage does not stop the reader: lines that it cannot explain are kept as they are and listed in
// Module::problems with line and column, and everything else is read. PrintIr returns exactly the
// bytes that were read. The time is in proportion to the size. Any thread.
//
//   const Result<Module> module = ReadIr(FileSystem::Local(), path);
//   if (!module) return module.error();  // The file cannot be read at all.
//   for (const Problem& problem : module->problems) Warn(path, problem);
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Larger files are refused: offsets into the texts are 32 bits wide. MindSpore's largest dumps are
// some megabytes.
inline constexpr std::size_t kMaxFileBytes = std::size_t{2} << 30;
// No dump has a longer line: MindSpore cuts constants off at some thousand elements.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// Reads the text of a file. kInvalidArgument if it or one of its lines (kMaxLineBytes) is too long.
Result<Module> ParseIr(std::string_view text);

// Reads the bytes of a file, and finds out whether they are .ir text, MindSpore's .dot
// (dot_reader.h) or .pb (proto_reader.h).
Result<Module> ParseDump(std::string_view bytes);

// Reads a file. It may also be a summary file of MindSpore: then its first graph is read. Errors
// name the file.
Result<Module> ReadIr(FileSystem& files, const std::string& path);

}  // namespace sightline::ir
