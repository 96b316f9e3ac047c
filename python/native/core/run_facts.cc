#include "sightline/python/native/core/run_facts.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/pattern/secrets.h"
#include "sightline/base/utf8.h"
#include "sightline/collectors/facts/run_facts.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;

std::string TextOf(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<std::string> TextsOf(const nb::list& all) {
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const nb::handle each : all) texts.push_back(TextOf(nb::cast<nb::bytes>(each)));
  return texts;
}

// `sha256_hex` is called with bytes.
std::string FactsAsJson(const std::string& directory, const nb::list& command,
                        const nb::callable& sha256_hex) {
  const std::vector<std::string> arguments = TextsOf(command);
  RunFactsOptions options;
  options.sha256_hex = [&](std::string_view bytes) {
    const nb::gil_scoped_acquire held;
    return nb::cast<std::string>(sha256_hex(nb::bytes(bytes.data(), bytes.size())));
  };
  const nb::gil_scoped_release released;
  return RunFacts(directory, arguments, options).dump();
}

}  // namespace

void BindRunFacts(nb::module_& module) {
  module.def(
      "run_facts",
      [](nb::handle directory, const nb::list& command, const nb::callable& sha256_hex) {
        return FactsAsJson(ToPath(directory), command, sha256_hex);
      },
      nb::arg("directory"), nb::arg("command"), nb::arg("sha256_hex"),
      "What the process runs on, without secrets, as a JSON object; see docs/runs.md. Starts git, "
      "and releases the GIL.");
  module.def(
      "keep_run_facts",
      [](nb::handle directory, std::string_view session_id, std::string_view facts) {
        RaiseIfError(KeepRunFacts(ToPath(directory), std::string(session_id), facts));
      },
      nb::arg("directory"), nb::arg("session_id"), nb::arg("facts"),
      "Writes the file of a session's facts, which only its owner may read. `facts`: a JSON "
      "object. "
      "Raises OSError.");
  module.def(
      "launcher_variables",
      [](const nb::list& variables) { return LauncherVariables(TextsOf(variables)).dump(); },
      nb::arg("variables"),
      "Of variables b\"NAME=value\", those that say how a training was launched, without secrets, "
      "as "
      "a JSON object.");
  module.def(
      "hide_secrets", [](const nb::bytes& text) { return ToUtf8(HideSecrets(TextOf(text))); },
      nb::arg("text"), "The text with each secret in it replaced by ***.");
}

}  // namespace sightline::python
