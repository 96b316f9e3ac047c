// How the program explains itself: `--help`, and what a wrong command line is answered with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sightline {

// CLI11's form, but verbs by the first sentence of what they say about themselves, groups of
// options under their name alone, and no lists of options that need or exclude each other: what an
// option says about itself is enough.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_expanded(const CLI::App* group) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

// Two lines: the verb with what is wrong, and where to read on.
std::string DescribeUsageError(const CLI::App* app, const CLI::Error& error);

// What an option takes: a whole number from `least` on.
CLI::Validator AtLeast(std::int64_t least);

}  // namespace sightline
