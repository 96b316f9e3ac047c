// sightline profile sql: a query over the events of a profile.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/query/profile_sql.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::SqlValue;

struct SqlOptions {
  ProfileOptions profile;
  std::string query;
};

constexpr char kHelp[] = R"(Answers a query over the events of a profile, in SQL.

The dialect is SQLite's. Nothing is copied, and nothing can be changed. Times and durations are
integer ns; times count from the first span. Without a query, the tables and their columns are
listed.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile sql ./data
  sightline profile sql ./data "select * from names order by total desc limit 10"
  sightline profile sql ./data "select process, thread, sum(duration) / 1e6 as ms
    from spans where kind = 'kernel' group by lane"
  sightline profile sql --json ./data "select time, value from counters where name like '%alloc%'"

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

std::string TablesText(const Style& style) {
  std::string text;
  for (const profiler::SqlTable& table : profiler::SqlTables()) {
    text += fmt::format("{}: {}\n  {}\n", style.Bold(table.name), table.what, table.columns);
  }
  return text;
}

nlohmann::ordered_json ToJson(const SqlValue& value) {
  return std::visit(
      [](const auto& one) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) {
          return nullptr;
        } else {
          return one;
        }
      },
      value);
}

std::string ToText(const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string_view>(&value)) return Printable(*text);
  return "";
}

// Rows are aligned once all are there.
Status PrintTable(profiler::ProfileSql& sql, const std::string& query) {
  std::vector<std::pair<std::string, Table::Align>> columns;
  std::vector<std::vector<std::string>> rows;
  Status status =
      sql.Run(query, {.columns =
                          [&](const std::vector<std::string>& names) {
                            for (const std::string& name : names)
                              columns.emplace_back(Printable(name), Table::Align::kLeft);
                          },
                      .row =
                          [&](std::span<const SqlValue> values) {
                            std::vector<std::string>& row = rows.emplace_back();
                            for (std::size_t i = 0; i < values.size(); ++i) {
                              row.push_back(ToText(values[i]));
                              if (!std::holds_alternative<std::string_view>(values[i]))
                                columns[i].second = Table::Align::kRight;
                            }
                          }});
  if (!status.ok()) return status;
  Table table(columns, 0);
  for (auto& row : rows) table.AddRow(std::move(row));
  std::fputs(table.ToString(Style(stdout)).c_str(), stdout);
  return {};
}

Status PrintJson(profiler::ProfileSql& sql, const std::string& query) {
  std::vector<std::string> columns;
  return sql.Run(query, {.columns = [&](const std::vector<std::string>& names) { columns = names; },
                         .row =
                             [&](std::span<const SqlValue> values) {
                               nlohmann::ordered_json line;
                               for (std::size_t i = 0; i < values.size(); ++i)
                                 line[columns[i]] = ToJson(values[i]);
                               std::puts(JsonLine(line).c_str());
                             }});
}

int Run(const SqlOptions& options) {
  if (options.query.empty()) {
    std::fputs(TablesText(Style(stdout)).c_str(), stdout);
    return kExitOk;
  }
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options.profile, exit_code);
  if (!profile) return exit_code;
  profiler::ProfileSql sql(profile->model);
  Status status =
      options.profile.json ? PrintJson(sql, options.query) : PrintTable(sql, options.query);
  if (status.ok()) return exit_code;
  std::fprintf(stderr, "sightline profile: %s\n", Printable(status.message()).c_str());
  return kExitError;
}

}  // namespace

void AddProfileSqlCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<SqlOptions>();
  CLI::App* command = profile.add_subcommand("sql", kHelp);
  command->footer(kExamples);
  options->profile.AddTo(*command, "One line of JSON for each row");
  command->add_option("QUERY", options->query, "A select statement; without it, lists the tables");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
