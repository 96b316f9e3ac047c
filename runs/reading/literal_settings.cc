#include "sightline/runs/reading/literal_settings.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/ascii.h"
#include "sightline/base/trimmed.h"
#include "sightline/runs/model/key_name.h"

namespace sightline {
namespace {

// Longer names are left out: each value below a dict has the dict's name once more.
constexpr std::size_t kLongestName = 1024;

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string NameOf(std::string_view text) {
  std::string name(text.empty() ? "_" : text);
  for (char& c : name) {
    if (!IsInName(c)) c = '_';
  }
  return name;
}

void AppendUtf8(std::uint32_t code, std::string& text) {
  const auto append = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xc0U | code >> 6U);
  } else {
    if (code < 0x10000) {
      append(0xe0U | code >> 12U);
    } else {
      append(0xf0U | code >> 18U);
      append(0x80U | (code >> 12U & 0x3fU));
    }
    append(0x80U | (code >> 6U & 0x3fU));
  }
  append(0x80U | (code & 0x3fU));
}

// The code of an escape \x41, \u0041 or \U00000041 at `at`; moves `at` past it.
std::optional<std::uint32_t> HexEscape(std::string_view text, std::size_t& at) {
  const std::size_t digits = text[at] == 'x' ? 2 : text[at] == 'u' ? 4 : text[at] == 'U' ? 8 : 0;
  const char* const begin = text.data() + at + 1;
  std::uint32_t code = 0;
  if (digits == 0 || text.size() - at <= digits) return std::nullopt;
  if (std::from_chars(begin, begin + digits, code, 16).ptr != begin + digits) return std::nullopt;
  at += 1 + digits;
  return code;
}

// The text between quotes. Both languages have the same escapes; an unknown one is itself.
std::string Unescaped(std::string_view quoted) {
  std::string text;
  for (std::size_t i = 0; i < quoted.size();) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      text += quoted[i++];
      continue;
    }
    ++i;
    if (auto code = HexEscape(quoted, i)) {
      const bool high = *code >= 0xd800 && *code < 0xdc00;  // The first half of a pair, in JSON.
      if (high && quoted.substr(i).starts_with("\\u")) {
        std::size_t after = i + 1;
        const auto low = HexEscape(quoted, after);
        if (low && *low >= 0xdc00 && *low < 0xe000) {
          code = 0x10000 + ((*code - 0xd800) << 10U) + (*low - 0xdc00);
          i = after;
        }
      }
      AppendUtf8(*code, text);
      continue;
    }
    constexpr std::pair<char, char> kEscapes[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'},
                                                  {'b', '\b'}, {'f', '\f'}, {'\\', '\\'},
                                                  {'"', '"'},  {'/', '/'},  {'\'', '\''}};
    const char c = quoted[i++];
    const std::size_t before = text.size();
    for (const auto& [letter, meaning] : kEscapes) {
      if (letter == c) text += meaning;
    }
    if (text.size() == before) text.append({'\\', c});
  }
  return text;
}

// A number if the text is one that can be given exactly as written: 007 and what does not fit into
// 64 bits are texts.
LineageValue PlainValue(std::string_view text) {
  if (text == "True" || text == "true") return std::string("true");
  if (text == "False" || text == "false") return std::string("false");
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool padded = digits.size() > 1 && digits[0] == '0' && IsDigit(digits[1]);
  const bool whole = digits.find_first_not_of("0123456789") == std::string_view::npos;
  const char* const end = text.data() + text.size();
  std::int64_t count = 0;
  double number = 0;
  if (!text.empty() && !padded) {
    const auto read = whole ? std::from_chars(text.data(), end, count)
                            : std::from_chars(text.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end)
      return whole ? LineageValue(count) : LineageValue(number);
  }
  return std::string(text);
}

class LiteralReader {
 public:
  LiteralReader(std::string_view name, std::string_view text) : text_(text), path_(NameOf(name)) {}

  // The names and values of the text. Nothing if it is not a complete literal.
  std::optional<std::vector<std::pair<std::string, LineageValue>>> Read() {
    ReadValue(0);
    SkipSpaces();
    if (broken_ || at_ != text_.size()) return std::nullopt;
    return std::move(read_);
  }

 private:
  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void SkipSpaces() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (!At(c)) return false;
    ++at_;
    return true;
  }

  void Add(LineageValue value) {
    if (read_.size() < kMostSettings && path_.size() <= kLongestName)
      read_.emplace_back(path_, std::move(value));
  }

  // The position after a quoted text that begins at `begin`; npos if it does not end.
  std::size_t QuotedEnd(std::size_t begin) {
    const char quote = text_[begin];
    bool& unclosed = quote == '"' ? double_unclosed_ : single_unclosed_;
    if (unclosed) return std::string_view::npos;  // Looked for once: the time stays linear.
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        return i + 1;
      }
    }
    unclosed = true;
    return std::string_view::npos;
  }

  // Takes everything up to the ',' or bracket that ends a value, or the ':' that ends a key.
  // Brackets, <> and quotes belong together.
  std::string_view TakePlain(bool key) {
    const std::size_t begin = at_;
    std::string open;  // The brackets that end those which are open.
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (open.empty() && (c == ',' || c == '}' || c == ']' || c == ')' || (key && c == ':')))
        break;
      if (c == '\'' || c == '"') {
        const std::size_t end = QuotedEnd(at_);
        if (end != std::string_view::npos) at_ = end - 1;
      } else if (!open.empty() && c == open.back()) {
        open.pop_back();
      } else {
        constexpr std::string_view kOpening = "([{<";
        const std::size_t kind = kOpening.find(c);
        if (kind != std::string_view::npos) open += std::string_view(")]}>")[kind];
      }
    }
    return Trimmed(text_.substr(begin, at_ - begin));
  }

  std::string_view TakeKey() {
    SkipSpaces();
    return TakePlain(true);
  }

  void AddPlain() {
    const std::string_view plain = TakePlain(false);
    const bool quoted = !plain.empty() && (plain[0] == '\'' || plain[0] == '"');
    if (plain.empty()) broken_ = true;
    if (quoted && QuotedEnd(static_cast<std::size_t>(plain.data() - text_.data())) ==
                      static_cast<std::size_t>(plain.data() - text_.data()) + plain.size()) {
      Add(Unescaped(plain.substr(1, plain.size() - 2)));
    } else {
      Add(PlainValue(plain));
    }
  }

  void ReadValue(std::size_t depth) {
    SkipSpaces();
    const std::size_t begin = at_;
    if (depth < kDeepestSetting) {
      if (Take('{')) {
        if (ReadDict(depth)) return;
      } else if (Take('[')) {
        SkipSpaces();
        if (At('{')) return ReadList(depth);
      }
    }
    at_ = begin;
    AddPlain();
  }

  // After '{'. False if it is a set.
  bool ReadDict(std::size_t depth) {
    if (Take('}')) {
      Add(std::string("{}"));
      return true;
    }
    for (bool first = true; !broken_; first = false) {
      const std::string_view key = TakeKey();
      if (!Take(':')) {
        broken_ = broken_ || !first;
        return !first;
      }
      const bool quoted = key.size() > 1 && (key[0] == '\'' || key[0] == '"');
      ReadBelow(quoted ? Unescaped(key.substr(1, key.size() - 2)) : std::string(key), depth);
      if (Take('}')) return true;
      if (!Take(',')) broken_ = true;
      if (Take('}')) return true;  // After a last ','.
    }
    return true;
  }

  // After '[', before '{'.
  void ReadList(std::size_t depth) {
    for (std::size_t i = 0; !broken_; ++i) {
      ReadBelow(std::to_string(i), depth);
      if (Take(']')) return;
      if (!Take(',')) broken_ = true;
      if (Take(']')) return;
    }
  }

  void ReadBelow(std::string_view key, std::size_t depth) {
    const std::size_t size = path_.size();
    path_ += '.';
    path_ += NameOf(key);
    ReadValue(depth + 1);
    path_.resize(size);
  }

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0;
  bool broken_ = false;  // The text is not a literal.
  bool single_unclosed_ = false;
  bool double_unclosed_ = false;
  std::vector<std::pair<std::string, LineageValue>> read_;
};

void AddSetting(const std::string& name, LineageValue&& value, RunLineage& settings) {
  if (settings.size() < kMostSettings && name.size() <= kLongestName)
    settings.try_emplace(name, std::move(value));
}

}  // namespace

bool IsDict(std::string_view text) {
  text = Trimmed(text);
  if (!text.starts_with('{')) return false;
  const auto read = LiteralReader("_", text).Read();
  return read && !read->empty() && read->front().first != "_";  // Not one value: a set, {}.
}

void AddSettings(std::string_view name, std::string_view text, RunLineage& settings) {
  text = Trimmed(text);
  if (text.starts_with('{') || text.starts_with('[')) return AddLiteral(name, text, settings);
  AddSetting(NameOf(name), PlainValue(text), settings);
}

void AddLiteral(std::string_view name, std::string_view literal, RunLineage& settings) {
  auto read = LiteralReader(name, literal).Read();
  if (!read) return AddSetting(NameOf(name), std::string(literal), settings);
  for (auto& [key, value] : *read) AddSetting(key, std::move(value), settings);
}

}  // namespace sightline
