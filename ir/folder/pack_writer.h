// Packs a folder of dumps into one file (docs/ir_pack.md).
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::ir {

// Names of packs end so; that is how a path through one is recognised.
inline constexpr char kPackExtension[] = ".irpack";

struct PackOptions {
  // Directories in source locations and tracebacks become /source1, /source2, ...; names of files,
  // numbers of lines and code stay. The dumps are other bytes then.
  bool anonymous = false;
};

struct PackStatistics {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;         // Of the files.
  std::uint64_t packed_bytes = 0;  // Of the pack.
};

// Where WritePack writes until the pack is whole; a program that a signal ends removes it.
std::string TemporaryPackPath(const std::string& pack);

// Writes all files of `folder` and of the folders below it into `pack`, which is replaced, and
// reads each back. On an error what is at `pack` stays, and nothing else is left. kInvalidArgument
// when the name does not end in kPackExtension.
Result<PackStatistics> WritePack(FileSystem& files, const std::string& folder,
                                 const std::string& pack, const PackOptions& options);

}  // namespace sightline::ir
