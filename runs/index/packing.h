// Converts values to bytes and back, for what runs/ stores itself (run_index.h). One function for
// each type lists its members, and serves both directions. Private to this folder.
//
//   template <typename A>
//   void Pack(A& a, Place& place) { PackAll(a, place.offset, place.file); }
//
//   PackWriter writer;            PackReader reader(bytes);
//   Pack(writer, place);          Pack(reader, place);
//   Store(writer.bytes());        if (!reader.AtEnd()) ...  // Cut or forged.
//
// A reader that failed returns zeros and empty values from then on. It never allocates more than a
// small multiple of the size of its bytes. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sightline/recorder/message/lineage.h"

namespace sightline {

class PackWriter {
 public:
  static constexpr bool kReads = false;
  void Raw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class PackReader {
 public:
  static constexpr bool kReads = true;
  explicit PackReader(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  // The next `size` bytes; fails, and returns nothing, if fewer are left.
  std::string_view Take(std::size_t size) {
    if (failed_ || size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void Raw(void* data, std::size_t size) {
    const std::string_view taken = Take(size);
    if (taken.size() == size && size != 0) std::memcpy(data, taken.data(), size);
  }
  void Fail() { failed_ = true; }
  bool failed() const { return failed_; }
  bool AtEnd() const { return !failed_ && rest_.empty(); }
  std::size_t size() const { return size_; }  // Of all bytes.

 private:
  std::string_view rest_;
  std::size_t size_;
  bool failed_ = false;
};

// The last value of an enum that is packed.
template <typename T>
inline constexpr T kLastOf = T{};

template <typename A, typename T>
requires std::is_arithmetic_v<T>
void Pack(A& a, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    auto byte = static_cast<std::uint8_t>(value ? 1 : 0);
    a.Raw(&byte, 1);
    value = byte != 0;
  } else {
    a.Raw(&value, sizeof(value));
  }
}

template <typename A, typename T>
requires std::is_enum_v<T>
void Pack(A& a, T& value) {
  static_assert(kLastOf<T> != T{});
  auto byte = static_cast<std::uint8_t>(value);
  a.Raw(&byte, 1);
  if constexpr (A::kReads) {
    if (byte > static_cast<std::uint8_t>(kLastOf<T>)) {
      a.Fail();
    } else {
      value = static_cast<T>(byte);
    }
  }
}

template <typename A>
void Pack(A& a, std::string& text) {
  auto size = static_cast<std::uint32_t>(text.size());
  Pack(a, size);
  if constexpr (A::kReads) {
    text = a.Take(size);
  } else {
    a.Raw(text.data(), size);
  }
}

template <typename A, typename... T>
void PackAll(A& a, T&... values) {
  (Pack(a, values), ...);
}

template <typename A, typename T>
void Pack(A& a, std::optional<T>& value) {
  bool there = value.has_value();
  Pack(a, there);
  if constexpr (A::kReads) {
    value.reset();
    if (there) value.emplace();
  }
  if (value) Pack(a, *value);
}

template <typename A, typename First, typename Second>
void Pack(A& a, std::pair<First, Second>& pair) {
  PackAll(a, pair.first, pair.second);
}

template <typename A, typename T>
void Pack(A& a, std::vector<T>& values) {
  std::uint64_t count = values.size();
  Pack(a, count);
  if constexpr (A::kReads) {
    values.clear();
    for (; count > 0 && !a.failed(); --count) Pack(a, values.emplace_back());
  } else {
    for (T& value : values) Pack(a, value);
  }
}

template <typename A, typename Key, typename Value, typename Less>
void Pack(A& a, std::map<Key, Value, Less>& map) {
  std::uint64_t count = map.size();
  Pack(a, count);
  if constexpr (A::kReads) {
    map.clear();
    for (; count > 0 && !a.failed(); --count) {
      Key key{};
      Pack(a, key);
      Pack(a, map.try_emplace(map.end(), std::move(key))->second);  // They were written in order.
    }
  } else {
    for (auto& [key, value] : map) {
      Key copy = key;
      PackAll(a, copy, value);
    }
  }
}

template <typename A, typename T, typename Less>
void Pack(A& a, std::set<T, Less>& set) {
  std::uint64_t count = set.size();
  Pack(a, count);
  if constexpr (A::kReads) {
    set.clear();
    for (; count > 0 && !a.failed(); --count) {
      T value{};
      Pack(a, value);
      set.insert(set.end(), std::move(value));
    }
  } else {
    for (T value : set) Pack(a, value);
  }
}

template <typename A>
void Pack(A& a, LineageValue& value) {
  auto kind = static_cast<std::uint8_t>(value.index());
  Pack(a, kind);
  if constexpr (A::kReads) {
    if (kind == 0) value = std::int64_t{0};
    if (kind == 1) value = 0.0;
    if (kind == 2) value = std::string();
    if (kind > 2) a.Fail();
  }
  std::visit([&](auto& held) { Pack(a, held); }, value);
}

}  // namespace sightline
