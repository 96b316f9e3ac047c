// Lines of metrics and a meta.yaml of MLflow's, of arbitrary bytes: there is an answer.
#include <cstdint>
#include <string_view>

#include "sightline/import/mlflow/imported_run.h"
#include "sightline/import/mlflow/metric_line.h"
#include "sightline/import/mlflow/run_folders.h"
#include "sightline/import/mlflow/run_meta.h"
#include "sightline/tests/fuzz/repair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sightline::fuzz::Check;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end - begin);
    (void)sightline::ParseMetricLine(line);
    sightline::ImportedRun run;
    sightline::AddParameter("p", line, run);
    Check(run.parameters.size() == 1, "a parameter has a value");
    const std::string name = sightline::FolderName(line);
    Check(!name.empty() && name.size() <= 100 && name[0] != '.' && name.find('/') == name.npos,
          "a name is that of a folder");
    if (end == text.npos) break;
    begin = end + 1;
  }
  const auto meta = sightline::ParseMeta(text);
  Check(meta || !meta.error().message().empty(), "a fault has a message");
  return 0;
}
