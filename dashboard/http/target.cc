#include "sightline/dashboard/http/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sightline/base/utf8.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kMaxParameters = 1000;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// `plus`: '+' means a space, as in forms.
Result<std::string> Decode(std::string_view text, bool plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return Error(StatusCode::kInvalidArgument,
                     "the address has a '%' without two hexadecimal digits");
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus) {
      c = ' ';
    }
    decoded.push_back(c);
  }
  return decoded;
}

bool HasControlCharacter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  });
}

Status CheckPath(std::string_view path) {
  if (HasControlCharacter(path) || path.find('\\') != std::string_view::npos)
    return {StatusCode::kInvalidArgument, "the path contains control characters or a backslash"};
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty() || segment == "." || segment == "..")
      return {StatusCode::kInvalidArgument, "the address has an empty or dotted segment"};
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::optional<std::string> DecodePercent(std::string_view text) {
  auto decoded = Decode(text, false);
  return decoded ? std::optional(*std::move(decoded)) : std::nullopt;
}

std::optional<std::string_view> Target::Find(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return value;
  return std::nullopt;
}

std::string Target::Get(std::string_view name, std::string_view otherwise) const {
  return std::string(Find(name).value_or(otherwise));
}

std::vector<std::string> Target::All(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters)
    if (key == name) values.push_back(value);
  return values;
}

Result<std::int64_t> Target::Integer(std::string_view name, std::int64_t otherwise,
                                     std::int64_t smallest, std::int64_t largest) const {
  const std::string_view text = Find(name).value_or("");
  if (text.empty()) return otherwise;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < smallest ||
      value > largest) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} must be a whole number from {} to {}", name, smallest, largest));
  }
  return value;
}

Result<std::optional<double>> Target::Number(std::string_view name) const {
  const std::string_view text = Find(name).value_or("");
  if (text.empty()) return std::optional<double>();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return Error(StatusCode::kInvalidArgument, fmt::format("{} must be a number", name));
  return std::optional<double>(value);
}

Result<Target> ParseTarget(std::string_view text) {
  if (text.empty() || text.front() != '/')
    return Error(StatusCode::kInvalidArgument, "the address does not begin with '/'");
  const std::size_t question = std::min(text.find('?'), text.size());
  Target target;
  SIGHTLINE_ASSIGN_OR_RETURN(target.path, Decode(text.substr(0, question), false));
  SIGHTLINE_RETURN_IF_ERROR(CheckPath(target.path));
  std::string_view rest = question < text.size() ? text.substr(question + 1) : std::string_view{};
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty()) continue;
    if (target.parameters.size() == kMaxParameters)
      return Error(StatusCode::kInvalidArgument, "the address has too many parameters");
    const std::size_t equals = std::min(pair.find('='), pair.size());
    SIGHTLINE_ASSIGN_OR_RETURN(std::string name, Decode(pair.substr(0, equals), true));
    SIGHTLINE_ASSIGN_OR_RETURN(
        std::string value,
        Decode(equals < pair.size() ? pair.substr(equals + 1) : std::string_view{}, true));
    target.parameters.emplace_back(std::move(name), std::move(value));
  }
  if (!IsUtf8(target.path) ||
      std::any_of(target.parameters.begin(), target.parameters.end(),
                  [](const auto& pair) { return !IsUtf8(pair.first) || !IsUtf8(pair.second); })) {
    return Error(StatusCode::kInvalidArgument, "the address is not UTF-8");
  }
  return target;
}

}  // namespace sightline::dashboard
