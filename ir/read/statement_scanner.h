// Finds the parts of a statement, "PRIM(operand, ...) primitive_attrs: {...}". The text may have
// more than one reading, since strings are not escaped and constants span lines.
//
// A string ends at a quote before , ) ] } : or the end of the line. If the string itself contains
// such a quote, that is too early. The caller notices this when the number of operands differs from
// the number of types, and tries the next reading: the last string of the statement ends at its
// next such quote, or, if it has none left, the string before it does.
//
//   StatementScanner scanner;
//   scanner.Start(text);
//   do {
//     if (scanner.Scan() && Fits(scanner.operands())) return Use(scanner);
//   } while (scanner.NextReading());
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/ir/model/brackets.h"

namespace sightline::ir {

class StatementScanner {
 public:
  // `text` begins with the callee and may continue after the statement.
  void Start(std::string_view text) {
    text_ = text;
    choices_.clear();
  }

  // Scans the current reading. If it returns false, failure() and failed_at() tell why.
  bool Scan();
  // Chooses the next reading; false if there is none.
  bool NextReading();
  // Chooses the first reading again.
  void Restart() { choices_.clear(); }

  // After a Scan that returned true; valid until the next one.
  std::string_view callee() const { return callee_; }
  const std::vector<std::string_view>& operands() const { return operands_; }
  // Everything after the arguments, " primitive_attrs: {...}", and its parts: groups in braces,
  // each with the next `size` attributes.
  std::string_view tail() const { return tail_; }
  struct Group {
    std::string_view name;
    std::uint32_t size;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<std::string_view>& attributes() const { return attributes_; }
  // Whether the current reading is the first one, in which every string ends as early as it can.
  bool is_first_reading() const {
    return std::all_of(choices_.begin(), choices_.end(), [](std::uint32_t n) { return n == 0; });
  }
  // The bytes and newlines of the statement, without the newline that ends it.
  std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  std::uint32_t newlines() const { return newlines_; }
  // A string contains lines that look like those of a dump, so perhaps its end is missing.
  bool hides_lines() const { return hides_lines_; }

  const char* failure() const { return failure_; }
  std::size_t failed_at() const { return static_cast<std::size_t>(at_ - text_.data()); }

 private:
  bool ScanCallee();
  // At an opening bracket: takes the text up to its partner, split at ", ".
  bool ScanList(std::vector<std::string_view>& items);
  bool ScanTail();
  bool ScanGroup();
  // At a byte that is not plain. False if it failed.
  bool Step();
  bool SkipString();
  bool Fail(const char* reason) {
    failure_ = reason;
    return false;
  }
  const char* end() const { return text_.data() + text_.size(); }

  std::string_view text_;
  // For each string of the statement, how many possible ends are skipped.
  std::vector<std::uint32_t> choices_;
  std::size_t strings_ = 0;  // Met in this reading.
  bool exhausted_ = false;   // The last string has no possible end left.

  const char* at_ = nullptr;
  BracketStack brackets_;
  std::string_view callee_;
  std::vector<std::string_view> operands_;
  std::string_view tail_;
  std::vector<Group> groups_;
  std::vector<std::string_view> attributes_;
  std::uint32_t newlines_ = 0;
  bool hides_lines_ = false;
  const char* failure_ = nullptr;
};

}  // namespace sightline::ir
