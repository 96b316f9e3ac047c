#include "sightline/tools/cli/terminal/help_formatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

bool IsVerb(const CLI::App* command) { return !command->get_name().empty(); }

// What CLI11 calls a missing sub-command may be one that nobody knows.
std::string Fault(const CLI::App& verb, const CLI::Error& error) {
  const bool wants_verb = !verb.get_subcommands(IsVerb).empty() && verb.get_subcommands().empty();
  if (!wants_verb) return error.what();
  const std::vector<std::string> rest = verb.remaining();
  if (rest.empty()) return "a verb is required";
  return fmt::format("there is no {} {}", rest.front().starts_with('-') ? "option" : "verb",
                     rest.front());
}

}  // namespace

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
  std::string text = verb->get_description();
  text.erase(std::min(text.size(), text.find('\n')));
  std::ostringstream line;
  CLI::detail::format_help(line, verb->get_display_name(), text, get_column_width());
  return line.str();
}

std::string HelpFormatter::make_expanded(const CLI::App* group) const {
  if (IsVerb(group)) return Formatter::make_expanded(group);
  std::string text = fmt::format("\n{}:\n", group->get_group());
  for (const CLI::Option* option : group->get_options()) {
    if (option != group->get_help_ptr()) text += make_option(option, false);
  }
  return text;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  std::string text = Formatter::make_option_opts(option);
  text.erase(std::min({text.size(), text.find(" Needs:"), text.find(" Excludes:")}));
  return text;
}

std::string DescribeUsageError(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* verb = app;
  std::string name = app->get_name();
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    name += " " + verb->get_name();
  }
  return fmt::format("{}: {}\n{} --help says more\n", name, Fault(*verb, error), name);
}

// CLI11's own speaks of a range up to 1.8e308.
CLI::Validator AtLeast(std::int64_t least) {
  return {[least](const std::string& text) {
            const auto number = ParseNumber<std::int64_t>(text);
            return number && *number >= least
                       ? ""
                       : fmt::format("{} is not a whole number of at least {}", text, least);
          },
          "N"};
}

}  // namespace sightline
