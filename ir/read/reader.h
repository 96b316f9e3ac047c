// Reads dumps of MindSpore's intermediate representation: .ir files of every stage, pass and kernel
// graph, sorted or not, in format 0 and 1, trace_code_graph files, actor sets and analyze_fail.ir,
// as MindSpore 2.1 and later write them.
//
// Damage never stops the reader: what it cannot explain is kept as it is, named in
// Module::problems with line and column, and everything else is read. PrintIr gives back the bytes
// that were read, whatever they were. Time is in proportion to the size. Thread rule: any thread.
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
// A line that is longer is no dump's: MindSpore cuts constants off at some thousand elements.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// Of a file's text. kInvalidArgument when it or one of its lines (kMaxLineBytes) is too long.
Result<Module> ParseIr(std::string_view text);

// Of a file's bytes: .ir text, MindSpore's .dot (dot_reader.h) or .pb (proto_reader.h), whichever
// they are.
Result<Module> ParseDump(std::string_view bytes);

// Of a file, which may be MindSpore's summary file too: its first graph is read. Errors name it.
Result<Module> ReadIr(FileSystem& files, const std::string& path);

}  // namespace sightline::ir
