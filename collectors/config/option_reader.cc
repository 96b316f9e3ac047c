#include "sightline/collectors/config/option_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/text/spelling.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;  // Of an unknown key in a message.

template <typename T>
std::optional<T> AsItIs(const OptionValue& value) {
  const T* const is = value.As<T>();
  return is == nullptr ? std::nullopt : std::optional(*is);
}

std::optional<double> AsNumber(const OptionValue& value) {
  if (const auto* const large = value.As<OptionValue::Large>()) return large->nearest;
  if (const auto* const whole = value.As<std::int64_t>()) return static_cast<double>(*whole);
  return AsItIs<double>(value);
}

std::optional<double> AsShare(const OptionValue& value) {
  const auto* const text = value.As<std::string>();
  return text != nullptr ? ParseShare(*text) : AsNumber(value);
}

std::optional<std::uint64_t> AsByteSize(const OptionValue& value) {
  const auto* const text = value.As<std::string>();
  const auto bytes = text != nullptr ? ParseByteSize(*text) : AsItIs<std::int64_t>(value);
  return bytes.value_or(-1) < 0 ? std::nullopt : std::optional<std::uint64_t>(*bytes);
}

constexpr char kByteSize[] =
    "must be a number of bytes, not negative and below 2^63, or one with a unit, such as 500MB or "
    "4GiB";

std::optional<std::chrono::milliseconds> AsSeconds(const OptionValue& value) {
  constexpr double kShortest = 0.001;
  constexpr double kLongest = 1e9;
  const auto seconds = AsNumber(value);
  if (!seconds || !(*seconds >= kShortest && *seconds <= kLongest)) return std::nullopt;
  return std::chrono::milliseconds(std::llround(*seconds * 1000));
}

const OptionValue* Find(const OptionMap& map, std::string_view key) {
  const auto found =
      std::find_if(map.begin(), map.end(), [&](const auto& option) { return option.first == key; });
  return found == map.end() ? nullptr : &found->second;
}

// "line 3: " for the beginning of a fault; empty if the option is not from a file.
std::string InLine(const OptionValue& value) {
  return value.line == 0 ? "" : fmt::format("line {}: ", value.line);
}

// The option with which a fault such as "collect_freq is 0, ..." or "frequencies[1].kind is ..."
// begins; null if there is none.
const OptionValue* OptionAt(const OptionMap& map, std::string_view fault) {
  return Find(map, fault.substr(0, fault.find_first_of(" .[")));
}

}  // namespace

void OptionReader::Bool(std::string_view key, bool& value) {
  Read(key, value, &AsItIs<bool>, "must be true or false");
}

std::optional<std::int64_t> OptionReader::WholeNumber(std::string_view key, std::int64_t least,
                                                      std::int64_t most) {
  const OptionValue* const given = Find(key);
  if (given == nullptr) return std::nullopt;
  const auto* const number = given->As<std::int64_t>();
  if (number != nullptr && *number >= least && *number <= most) return *number;
  const bool whole = number != nullptr || given->As<OptionValue::Large>() != nullptr;
  Refuse(key, *given,
         whole ? fmt::format("must be a whole number from {} to {}", least, most)
               : "must be a whole number");
  return std::nullopt;
}

void OptionReader::Number(std::string_view key, std::optional<double>& value) {
  Read(key, value, &AsNumber, "must be a number");
}

void OptionReader::Share(std::string_view key, std::optional<double>& value) {
  Read(key, value, &AsShare, "must be a number, or a percentage such as 1%");
}

void OptionReader::String(std::string_view key, std::string& value) {
  Read(key, value, &AsItIs<std::string>, "must be a string");
}

void OptionReader::String(std::string_view key, std::optional<std::string>& value) {
  Read(key, value, &AsItIs<std::string>, "must be a string");
}

void OptionReader::ByteSize(std::string_view key, std::uint64_t& value) {
  Read(key, value, &AsByteSize, kByteSize);
}

void OptionReader::ByteSize(std::string_view key, std::optional<std::uint64_t>& value) {
  Read(key, value, &AsByteSize, kByteSize);
}

void OptionReader::Seconds(std::string_view key, std::chrono::milliseconds& value) {
  Read(key, value, &AsSeconds, "must be a number of seconds, 0.001 to 1e9");
}

std::optional<OptionReader> OptionReader::Map(std::string_view key) {
  const OptionValue* const given = Find(key);
  if (given == nullptr) return std::nullopt;
  const auto* const map = given->As<OptionMap>();
  if (map == nullptr) {
    Refuse(key, *given, "must be a map");
    return std::nullopt;
  }
  return OptionReader(*map, owner_, fmt::format("{}{}.", path_, key), faults_);
}

std::vector<std::optional<OptionReader>> OptionReader::MapList(std::string_view key) {
  std::vector<std::optional<OptionReader>> readers;
  const OptionValue* const given = Find(key);
  if (given == nullptr) return readers;
  const auto* const list = given->As<OptionList>();
  if (list == nullptr) {
    Refuse(key, *given, "must be a list of maps");
    return readers;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string name = fmt::format("{}[{}]", key, i);
    if (const auto* const map = (*list)[i].As<OptionMap>()) {
      readers.emplace_back(OptionReader(*map, owner_, fmt::format("{}{}.", path_, name), faults_));
    } else {
      Refuse(name, (*list)[i], "must be a map");
      readers.emplace_back(std::nullopt);
    }
  }
  return readers;
}

bool OptionReader::Has(std::string_view key) const { return sightline::Find(map_, key) != nullptr; }

namespace {

// " (did you mean 'x'?)" if the key is similar to a known one, else empty.
std::string Suggestion(std::string_view key, const std::vector<std::string>& known) {
  const std::string_view nearest = NearestName(key, known);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace

void OptionReader::ReportUnknown() {
  for (const auto& [key, value] : map_) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const bool nested = !path_.empty();
    faults_.Add("{}{} has the unknown {} '{}'{}; known are {}", InLine(value),
                nested ? path_.substr(0, path_.size() - 1) : owner_, nested ? "key" : "parameter",
                ToUtf8(key, kMaxQuotedBytes), Suggestion(key, known_), fmt::join(known_, ", "));
  }
}

void OptionReader::Refuse(std::string_view key, const OptionValue& value,
                          std::string_view allowed) {
  faults_.Add("{}{}{} is {}, but {}", InLine(value), path_, key, value.text, allowed);
}

void OptionReader::AddChecked(const Status& checked) {
  // A fault may contain the separator: a part that begins with no key belongs to the previous part.
  constexpr std::string_view kSeparator = "; ";
  std::string_view rest = checked.message();
  while (!rest.empty()) {
    std::size_t end = 0;
    std::string_view next;
    do {
      end = std::min(rest.find(kSeparator, end), rest.size());
      next = rest.substr(std::min(end + kSeparator.size(), rest.size()));
      end += kSeparator.size();
    } while (!next.empty() && OptionAt(map_, next) == nullptr);
    const std::string_view fault = rest.substr(0, end - kSeparator.size());
    const OptionValue* const option = OptionAt(map_, fault);
    faults_.Add("{}{}", option == nullptr ? "" : InLine(*option), fault);
    rest = next;
  }
}

const OptionValue* OptionReader::Find(std::string_view key) {
  Know(key);
  const OptionValue* const value = sightline::Find(map_, key);
  return value == nullptr || value->As<OptionValue::None>() != nullptr ? nullptr : value;
}

std::optional<double> ParseShare(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto percent = ParseNumber<double>(text);
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

}  // namespace sightline
