// sightline ir pack: a folder of graph dumps in one small file.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/ir/folder/pack_writer.h"
#include "sightline/tools/cmd_ir.h"
#include "sightline/tools/commands.h"
#include "sightline/tools/remove_on_signal.h"
#include "sightline/tools/text.h"

namespace sightline {
namespace {

struct IrPackOptions {
  std::string folder;
  std::string pack;
  bool anonymous = false;
  bool json = false;
};

constexpr char kHelp[] =
    R"(Packs a folder of graph dumps into one file, about a twentieth of its size.

Every verb of sightline ir reads the pack as the folder: ir timeline graphs.irpack. With --anonymous
directories in source locations become /source1, /source2, ...; names of files and the source lines
themselves stay. Interrupted (ctrl-C), it leaves nothing behind.
)";

constexpr char kExamples[] = R"(Examples:
  sightline ir pack graphs -o graphs.irpack
  sightline ir pack --anonymous graphs -o graphs.irpack
  sightline ir show graphs.irpack/20_validate_0542.ir

Exit codes: 0 packed, 2 a file cannot be read or the pack cannot be written.)";

int Run(const IrPackOptions& options) {
  if (const auto dumps = IrFiles(options.folder); !dumps) {
    std::fprintf(stderr, "sightline ir pack: %s\n", Printable(dumps.error().message()).c_str());
    return kExitError;
  }
  const auto packed = [&] {
    const RemoveOnSignal half_written(ir::TemporaryPackPath(options.pack));
    return ir::WritePack(FileSystem::Local(), options.folder, options.pack,
                         {.anonymous = options.anonymous});
  }();
  if (!packed) {
    std::fprintf(stderr, "sightline ir pack: %s\n", Printable(packed.error().message()).c_str());
    return kExitError;
  }
  if (options.json) {
    const nlohmann::ordered_json json = {{"pack", options.pack},
                                         {"files", packed->files},
                                         {"bytes", packed->bytes},
                                         {"packed_bytes", packed->packed_bytes}};
    std::puts(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  } else {
    std::puts(
        fmt::format("{}: {}, {} in {}, 1/{:.0f}", Printable(options.pack),
                    Count(packed->files, "file"), FormatBytes(packed->bytes),
                    FormatBytes(packed->packed_bytes),
                    static_cast<double>(packed->bytes) / static_cast<double>(packed->packed_bytes))
            .c_str());
  }
  return std::fflush(stdout) == 0 ? kExitOk : kExitError;
}

}  // namespace

void AddIrPackCommand(CLI::App& ir, int& exit_code) {
  auto options = std::make_shared<IrPackOptions>();
  CLI::App* command = ir.add_subcommand("pack", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", options->folder, "A folder of dumps")->required();
  command->add_option("-o,--output", options->pack, "The pack: a name that ends in .irpack")
      ->type_name("FILE")
      ->required();
  command->add_flag("--anonymous", options->anonymous, "Without the names of directories");
  command->add_flag("--json", options->json, "What was packed, as a JSON object");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
