// sightline ir anonymize: a copy of a folder of graph dumps without the names of directories.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/json/json_line.h"
#include "sightline/ir/folder/anonymous.h"
#include "sightline/ir/folder/dump_files.h"
#include "sightline/ir/read/read_file.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tools/cli/ir/cmd_ir.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/remove_on_signal.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct IrAnonymizeOptions {
  std::string folder;
  std::string copy;
  bool json = false;
};

constexpr char kHelp[] =
    R"(Copies a folder of graph dumps without the names of directories, to give it to others.

Directories in source locations become /source1, /source2, ...; the names of files, operators and
parameters stay, and so do the source lines. Files that save_graphs did not write are not copied.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir anonymize graphs -o public
  sightline ir anonymize graphs -o public && tar --zstd -cf graphs.tar.zst public

Exit codes: 0 copied, 2 a file cannot be read or written, or the copy already exists.)";

Status CopyDump(const std::string& from, const std::string& to, ir::Anonymizer& anonymizer) {
  SIGHTLINE_RETURN_IF_ERROR(
      FileSystem::Local().CreateDirectories(std::filesystem::path(to).parent_path().string()));
  // The copy of a compressed dump is not compressed: a.ir for a.ir.gz.
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text,
                             ir::ReadFile(DumpFiles(), from, ir::kMaxFileBytes));
  const std::string path = to.ends_with(".gz") ? to.substr(0, to.size() - 3) : to;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto out,
                             FileSystem::Local().OpenForWrite(path, OpenMode::kCreateNew));
  SIGHTLINE_RETURN_IF_ERROR(out->WriteAt(0, anonymizer.Replace(text)));
  return out->Close();
}

// The copy appears whole or not at all.
Result<std::size_t> CopyDumps(const IrAnonymizeOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const ir::Folder folder, ir::ListFolder(DumpFiles(), options.folder));
  if (folder.dumps.empty())
    return Error(StatusCode::kNotFound, options.folder + " holds no graph dumps");
  if (FileSystem::Local().Stat(options.copy)) {
    return Error(StatusCode::kInvalidArgument, options.copy + " already exists; name a new folder");
  }
  const std::string temporary = options.copy + ".sightline-tmp";
  const RemoveOnSignal remove(temporary);
  std::error_code error;
  std::filesystem::remove_all(temporary, error);
  ir::Anonymizer anonymizer;
  Status status;
  for (const ir::Dump& dump : folder.dumps) {
    status =
        CopyDump(JoinPath(options.folder, dump.path), JoinPath(temporary, dump.path), anonymizer);
    if (!status.ok()) break;
  }
  if (status.ok()) status = FileSystem::Local().Rename(temporary, options.copy);
  if (!status.ok()) {
    std::filesystem::remove_all(temporary, error);
    return Error(status);
  }
  return folder.dumps.size();
}

int Run(const IrAnonymizeOptions& options) {
  const auto copied = CopyDumps(options);
  if (!copied) {
    std::fprintf(stderr, "sightline ir anonymize: %s\n",
                 Printable(copied.error().message()).c_str());
    return kExitError;
  }
  if (options.json) {
    const nlohmann::ordered_json json = {{"copy", options.copy}, {"files", *copied}};
    std::puts(JsonLine(json).c_str());
  } else {
    std::puts(fmt::format("{}: {}", Printable(options.copy), Count(*copied, "dump")).c_str());
  }
  return kExitOk;
}

}  // namespace

void AddIrAnonymizeCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrAnonymizeOptions>();
  CLI::App* command = ir.add_subcommand("anonymize", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", options->folder, "A folder of dumps")->required();
  command->add_option("-o,--output", options->copy, "The copy: a folder that does not exist yet")
      ->type_name("DIR")
      ->required();
  command->add_flag("--json", options->json, "What was copied, as a JSON object");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
