#include "sightline/tools/cli/runs/python_export.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace sightline {
namespace {

// Nothing is imported from the working directory, which -c puts first.
constexpr char kScript[] = R"python(import sys
sys.path = [folder for folder in sys.path if folder]
try:
    from sightline.export import main
except ImportError as error:
    print("sightline export: --format parquet needs the Python package sightline, which", sys.executable,
          f"does not have ({error}); put a Python that has it first in PATH", file=sys.stderr)
    sys.exit(2)
sys.exit(main())
)python";

std::string PythonBesideThis() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path python = self.parent_path() / "python3";
  return !error && access(python.c_str(), X_OK) == 0 ? python.string() : "";
}

}  // namespace

Status BecomePythonExport(const std::vector<std::string>& arguments) {
  const std::string beside = PythonBesideThis();
  std::vector<std::string> command = {beside.empty() ? "python3" : beside, "-c", kScript};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& argument : command) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  return ErrnoStatus(
      "--format parquet needs Python with the packages sightline and pyarrow; cannot "
      "start " +
          command[0],
      errno);
}

}  // namespace sightline
