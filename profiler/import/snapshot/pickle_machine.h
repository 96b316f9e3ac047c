// PickleMachine: reads a pickle of numbers, texts, lists, dicts and tuples, and of nothing else.
//
// A pickle is a program. This machine knows the opcodes that write such data, those of pickle's
// protocols 2 to 5, and refuses every other one by its name: nothing in a file is imported, called
// or built. It keeps no data: what the opcodes make goes to PickleObjects, which keeps of it what
// it needs.
//
// Opcodes: https://github.com/python/cpython/blob/main/Lib/pickletools.py
//
// One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/base/status.h"
#include "sightline/profiler/import/source/byte_window.h"

namespace sightline::profiler {

struct PickleValue {
  enum class Kind : std::uint8_t { kNone, kNumber, kText, kObject };
  Kind kind = Kind::kNone;
  // Of a number the integer (a float is cut to one, a bool is 0 or 1); otherwise the id that
  // PickleObjects gave.
  std::int64_t bits = 0;

  std::uint32_t id() const { return static_cast<std::uint32_t>(bits); }
};

// Where the texts and containers of a pickle go. Ids are its own.
class PickleObjects {
 public:
  virtual ~PickleObjects() = default;

  virtual std::uint32_t Text(std::string_view text) = 0;
  virtual std::uint32_t NewDict() = 0;
  virtual std::uint32_t NewList() = 0;
  virtual std::uint32_t NewTuple() = 0;
  // `items`: keys and values in turn. The object may also be no dict, or no list.
  virtual Status SetItems(std::uint32_t dict, std::span<const PickleValue> items) = 0;
  virtual Status Append(std::uint32_t list, std::span<const PickleValue> items) = 0;
};

class PickleMachine {
 public:
  // Python fills containers by 1,000 items, so that no sound pickle comes near to these.
  static constexpr std::size_t kMaxStack = std::size_t{1} << 20U;
  static constexpr std::size_t kMaxNesting = 1000;
  // A snapshot of 1 GB remembers some 30 million objects.
  static constexpr std::size_t kMaxMemo = std::size_t{1} << 27U;

  // `objects_hint`: how many objects there may be; memory is taken only for those that there are.
  PickleMachine(ByteWindow& window, PickleObjects& objects, std::size_t objects_hint)
      : window_(window), objects_(objects) {
    memo_.reserve(std::min(objects_hint, kMaxMemo));
  }

  // Runs to the opcode STOP and returns the pickle's value. kInvalidArgument for an opcode that is
  // refused, kDataLoss for a pickle that ends early or is damaged, kResourceExhausted beyond the
  // limits above.
  Result<PickleValue> Run();

 private:
  Status Step(std::uint8_t opcode);
  Status RunContainer(std::uint8_t opcode);
  Status RunMemo(std::uint8_t opcode);
  Status PushText(std::size_t length_bytes);
  Status PushTuple(std::size_t count);
  Status PushLong();
  Status Push(PickleValue value);
  Status PushNumber(std::int64_t number) { return Push({PickleValue::Kind::kNumber, number}); }
  Status PushObject(std::uint32_t id);
  // Puts the items above the last mark, or the last `count` ones, into the object below them.
  Status Fill(bool is_dict, std::size_t first);
  Status PopMark(std::size_t& first);
  Status Remember(std::uint64_t index);
  Status Recall(std::uint64_t index);

  // Whether the window has `bytes` more bytes. Reads them if necessary.
  bool Have(std::size_t bytes);
  // The next bytes as a little-endian number; 0 if the pickle ends before them (at_end_ is set).
  std::uint64_t Take(std::size_t bytes);
  Status Damage(std::string_view what) const;

  ByteWindow& window_;
  PickleObjects& objects_;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  ColumnVector<std::uint64_t> memo_;  // Kind and id; numbers are never remembered.
  bool is_new_ = false;               // The opcode before made the top of the stack.
  bool at_end_ = false;
};

}  // namespace sightline::profiler
