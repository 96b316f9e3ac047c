// OptionReader: reads the values of a map of options, and checks their types. Errors are added to
// `faults`. An option that was never asked for is unknown, so the calls that read are the only list
// of options.
//
//   Faults faults;
//   OptionReader options(map, "SummaryMonitor", faults);
//   options.Integer("collect_freq", collect_freq);     // Unchanged if it is not given, or None.
//   options.ReportUnknown();
//
// One thread. The map must outlive the reader.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/faults.h"
#include "sightline/collectors/config/option_value.h"

namespace sightline {

class OptionReader {
 public:
  // `owner` is the name of the options' owner, for the message about an unknown option.
  OptionReader(const OptionMap& map, std::string owner, Faults& faults)
      : OptionReader(map, std::move(owner), "", faults) {}

  // Each of these leaves `value` unchanged if the option is absent, None or wrong.
  void Bool(std::string_view key, bool& value);
  template <std::signed_integral Number>
  void Integer(std::string_view key, Number& value) {
    using Limits = std::numeric_limits<Number>;
    if (const auto number = WholeNumber(key, Limits::min(), Limits::max()))
      value = static_cast<Number>(*number);
  }
  template <std::signed_integral Number>
  void Integer(std::string_view key, std::optional<Number>& value) {
    using Limits = std::numeric_limits<Number>;
    if (const auto number = WholeNumber(key, Limits::min(), Limits::max()))
      value = static_cast<Number>(*number);
  }
  void Number(std::string_view key, std::optional<double>& value);
  // A number, or a text that ParseShare reads.
  void Share(std::string_view key, std::optional<double>& value);
  void String(std::string_view key, std::string& value);
  void String(std::string_view key, std::optional<std::string>& value);
  // A number of bytes, from 0 on: a whole number, or a text that ParseByteSize reads
  // (base/byte_size.h).
  void ByteSize(std::string_view key, std::uint64_t& value);
  void ByteSize(std::string_view key, std::optional<std::uint64_t>& value);
  // A time between a millisecond and 1e9 seconds.
  void Seconds(std::string_view key, std::chrono::milliseconds& value);

  // One of these words.
  template <typename Value>
  void Choice(std::string_view key, Value& value,
              std::initializer_list<std::pair<std::string_view, Value>> choices) {
    std::string allowed = "must be";
    for (const auto& [word, choice] : choices)
      allowed += (allowed.size() > 7 ? " or " : " ") + std::string(word);
    const auto parse = [&](const OptionValue& given) -> std::optional<Value> {
      const auto* const text = given.As<std::string>();
      for (const auto& [word, choice] : choices) {
        if (text != nullptr && *text == word) return choice;
      }
      return std::nullopt;
    };
    Read(key, value, parse, allowed);
  }

  // `parse` converts an OptionValue to an optional; empty if it is not what is `allowed`.
  template <typename Value, typename Parse>
  void Read(std::string_view key, Value& value, const Parse& parse, std::string_view allowed) {
    const OptionValue* const given = Find(key);
    if (given == nullptr) return;
    if (auto parsed = parse(*given)) {
      value = *std::move(parsed);
    } else {
      Refuse(key, *given, allowed);
    }
  }

  // The map under `key`; nothing if it is absent, None or no map.
  std::optional<OptionReader> Map(std::string_view key);
  // The maps in the list under `key`, named "<key>[<index>]" in messages; any other entry
  // is empty. No entries if the list is absent, None or no list.
  std::vector<std::optional<OptionReader>> MapList(std::string_view key);

  // Whether the key is there, even if its value is None.
  bool Has(std::string_view key) const;
  // Makes known an option that other code reads.
  void Know(std::string_view key) { known_.emplace_back(key); }
  void ReportUnknown();

  void Refuse(std::string_view key, const OptionValue& value, std::string_view allowed);
  // Adds the faults of a check of all options; each begins with the option's key.
  void AddChecked(const Status& checked);
  const OptionMap& map() const { return map_; }
  Faults& faults() { return faults_; }

 private:
  OptionReader(const OptionMap& map, std::string owner, std::string path, Faults& faults)
      : map_(map), owner_(std::move(owner)), path_(std::move(path)), faults_(faults) {}

  // Null if the option is absent or None.
  const OptionValue* Find(std::string_view key);

  // A whole number in this range; nothing if the option is absent, None or wrong.
  std::optional<std::int64_t> WholeNumber(std::string_view key, std::int64_t least,
                                          std::int64_t most);

  const OptionMap& map_;
  std::string owner_;
  std::string path_;  // The map's path, with a dot at the end; empty for the owner's map.
  std::vector<std::string> known_;
  Faults& faults_;
};

// A percentage as a share: "1%" and "1 %" are 0.01. Nothing for other texts.
std::optional<double> ParseShare(std::string_view text);

}  // namespace sightline
