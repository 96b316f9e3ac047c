#include "sightline/profiler/import/snapshot/pickle_machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace sightline::profiler {
namespace {

// The opcodes that are read, and their bytes.
enum Opcode : std::uint8_t {
  kMark = '(',
  kStop = '.',
  kBinFloat = 'G',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kBinUnicode = 'X',
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kSetItems = 'u',
  kEmptyDict = '}',
  kProto = 0x80,
  kTuple2 = 0x86,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kShortBinUnicode = 0x8c,
  kMemoize = 0x94,
  kFrame = 0x95,
};

struct RefusedOpcode {
  std::uint8_t byte;
  std::string_view name;
};

constexpr RefusedOpcode kRefused[] = {
    {')', "EMPTY_TUPLE"},
    {'0', "POP"},
    {'1', "POP_MARK"},
    {'2', "DUP"},
    {'B', "BINBYTES"},
    {'C', "SHORT_BINBYTES"},
    {'F', "FLOAT"},
    {'I', "INT"},
    {'L', "LONG"},
    {'P', "PERSID"},
    {'Q', "BINPERSID"},
    {'R', "REDUCE"},
    {'S', "STRING"},
    {'T', "BINSTRING"},
    {'U', "SHORT_BINSTRING"},
    {'V', "UNICODE"},
    {'b', "BUILD"},
    {'c', "GLOBAL"},
    {'d', "DICT"},
    {'g', "GET"},
    {'i', "INST"},
    {'l', "LIST"},
    {'o', "OBJ"},
    {'p', "PUT"},
    {0x81, "NEWOBJ"},
    {0x82, "EXT1"},
    {0x83, "EXT2"},
    {0x84, "EXT4"},
    {0x85, "TUPLE1"},
    {0x87, "TUPLE3"},
    {0x8b, "LONG4"},
    {0x8d, "BINUNICODE8"},
    {0x8e, "BINBYTES8"},
    {0x8f, "EMPTY_SET"},
    {0x90, "ADDITEMS"},
    {0x91, "FROZENSET"},
    {0x92, "NEWOBJ_EX"},
    {0x93, "STACK_GLOBAL"},
    {0x96, "BYTEARRAY8"},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
};

std::string OpcodeName(std::uint8_t opcode) {
  const auto* known = std::find_if(std::begin(kRefused), std::end(kRefused),
                                   [&](const RefusedOpcode& one) { return one.byte == opcode; });
  if (known != std::end(kRefused)) return "the opcode " + std::string(known->name);
  return "the byte " + std::to_string(opcode) + ", which is no opcode,";
}

constexpr unsigned kMemoKindShift = 32;

std::int64_t FromFloat(std::uint64_t big_endian_bits) {
  const auto value = std::bit_cast<double>(__builtin_bswap64(big_endian_bits));
  constexpr double kLimit = 9.2e18;
  return std::abs(value) < kLimit ? static_cast<std::int64_t>(value) : 0;
}

}  // namespace

Result<PickleValue> PickleMachine::Run() {
  if (!Have(2) || Take(1) != kProto)
    return Error(StatusCode::kInvalidArgument, "not a pickle of protocol 2 or later");
  Take(1);
  while (Have(1)) {
    const auto opcode = static_cast<std::uint8_t>(Take(1));
    if (opcode == kStop) {
      if (stack_.size() != 1 || !marks_.empty()) return Error(Damage("STOP amid unused values"));
      return stack_.front();
    }
    const Status status = Step(opcode);
    if (at_end_) break;  // Whatever it made of what was missing.
    if (!status.ok()) return Error(status);
  }
  if (!window_.status().ok()) return Error(window_.status());
  return Error(StatusCode::kDataLoss,
               "the pickle ends at byte " + std::to_string(window_.offset()) + ", without STOP");
}

Status PickleMachine::Step(std::uint8_t opcode) {
  const bool was_new = std::exchange(is_new_, false);
  switch (opcode) {
    case kMemoize:
    case kBinPut:
    case kLongBinPut:
      // Python remembers what it has just made. So no object is remembered twice.
      if (!was_new) return Damage("an object that is not new is remembered");
      return RunMemo(opcode);
    case kBinGet:
    case kLongBinGet:
      return RunMemo(opcode);
    case kFrame:
      Take(8);
      return {};
    case kProto:
      Take(1);
      return {};
    case kMark:
      if (marks_.size() == kMaxNesting) return Damage("nested too deeply");
      marks_.push_back(stack_.size());
      return {};
    case kNone:
      return Push({});
    case kNewTrue:
    case kNewFalse:
      return PushNumber(opcode == kNewTrue ? 1 : 0);
    case kBinInt1:
      return PushNumber(static_cast<std::int64_t>(Take(1)));
    case kBinInt2:
      return PushNumber(static_cast<std::int64_t>(Take(2)));
    case kBinInt:
      return PushNumber(static_cast<std::int32_t>(Take(4)));
    case kBinFloat:
      return PushNumber(FromFloat(Take(8)));
    case kLong1:
      return PushLong();
    case kShortBinUnicode:
      return PushText(1);
    case kBinUnicode:
      return PushText(4);
    default:
      return RunContainer(opcode);
  }
}

Status PickleMachine::RunContainer(std::uint8_t opcode) {
  std::size_t first = 0;
  switch (opcode) {
    case kEmptyDict:
      return PushObject(objects_.NewDict());
    case kEmptyList:
      return PushObject(objects_.NewList());
    case kTuple2:
      return PushTuple(2);
    case kTuple:
      SIGHTLINE_RETURN_IF_ERROR(PopMark(first));
      return PushTuple(stack_.size() - first);
    case kAppend:
    case kSetItem: {
      const std::size_t count = opcode == kAppend ? 1 : 2;
      const std::size_t floor = marks_.empty() ? 0 : marks_.back();
      if (stack_.size() < floor + count + 1) return Damage("an item without a container");
      return Fill(opcode == kSetItem, stack_.size() - count);
    }
    case kAppends:
    case kSetItems:
      SIGHTLINE_RETURN_IF_ERROR(PopMark(first));
      return Fill(opcode == kSetItems, first);
    default:
      return {StatusCode::kInvalidArgument,
              OpcodeName(opcode) + " at byte " + std::to_string(window_.offset() - 1) +
                  " is refused: a memory snapshot has only numbers, texts, lists and dicts, and "
                  "nothing in it is executed"};
  }
}

Status PickleMachine::RunMemo(std::uint8_t opcode) {
  switch (opcode) {
    case kMemoize:
      return Remember(memo_.size());
    case kBinPut:
      return Remember(Take(1));
    case kLongBinPut:
      return Remember(Take(4));
    case kBinGet:
      return Recall(Take(1));
    default:
      return Recall(Take(4));
  }
}

Status PickleMachine::Remember(std::uint64_t index) {
  if (at_end_) return {};
  if (index != memo_.size()) return Damage("objects are not numbered in their order");
  if (index == kMaxMemo) return {StatusCode::kResourceExhausted, "more than 134 million objects"};
  const PickleValue& top = stack_.back();
  memo_.push_back(static_cast<std::uint64_t>(top.kind) << kMemoKindShift | top.id());
  return {};
}

Status PickleMachine::Recall(std::uint64_t index) {
  if (index >= memo_.size()) return Damage("an object is used before it is remembered");
  const std::uint64_t entry = memo_[index];
  return Push({static_cast<PickleValue::Kind>(entry >> kMemoKindShift),
               static_cast<std::int64_t>(static_cast<std::uint32_t>(entry))});
}

Status PickleMachine::PushText(std::size_t length_bytes) {
  const std::uint64_t length = Take(length_bytes);
  if (length > ByteWindow::kMaxWindow) return Damage("a text of more than 64 MB");
  if (!Have(length)) {
    at_end_ = true;
    return {};
  }
  const std::uint32_t id = objects_.Text(window_.rest().substr(0, length));
  window_.Skip(length);
  is_new_ = true;
  return Push({PickleValue::Kind::kText, id});
}

Status PickleMachine::PushLong() {
  const std::uint64_t bytes = Take(1);
  if (bytes > sizeof(std::uint64_t)) return Damage("a number of more than 64 bits");
  std::uint64_t number = Take(bytes);
  const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
  if (bytes == 0) return PushNumber(0);
  return PushNumber(static_cast<std::int64_t>(number << unused) >> unused);
}

Status PickleMachine::PushTuple(std::size_t count) {
  const std::size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() < floor + count) return Damage("a tuple without its items");
  stack_.resize(stack_.size() - count);
  return PushObject(objects_.NewTuple());
}

Status PickleMachine::PushObject(std::uint32_t id) {
  is_new_ = true;
  return Push({PickleValue::Kind::kObject, id});
}

Status PickleMachine::Push(PickleValue value) {
  if (stack_.size() == kMaxStack) return Damage("more than a million values wait to be used");
  stack_.push_back(value);
  return {};
}

Status PickleMachine::PopMark(std::size_t& first) {
  if (marks_.empty()) return Damage("items without a mark");
  first = marks_.back();
  marks_.pop_back();
  return {};
}

Status PickleMachine::Fill(bool is_dict, std::size_t first) {
  const std::size_t floor = marks_.empty() ? 0 : marks_.back();
  const std::size_t count = stack_.size() - first;
  if (first == floor || stack_[first - 1].kind != PickleValue::Kind::kObject)
    return Damage("items without a container");
  if (is_dict && count % 2 != 0) return Damage("a key without a value");
  const std::span<const PickleValue> items(stack_.data() + first, count);
  const std::uint32_t into = stack_[first - 1].id();
  Status status = is_dict ? objects_.SetItems(into, items) : objects_.Append(into, items);
  stack_.resize(first);
  return status.ok() ? status : Damage(status.message());
}

bool PickleMachine::Have(std::size_t bytes) {
  while (window_.rest().size() < bytes)
    if (!window_.More()) return false;
  return true;
}

std::uint64_t PickleMachine::Take(std::size_t bytes) {
  if (!Have(bytes)) {
    at_end_ = true;
    return 0;
  }
  std::uint64_t number = 0;
  std::memcpy(&number, window_.rest().data(), bytes);
  window_.Skip(bytes);
  return number;
}

Status PickleMachine::Damage(std::string_view what) const {
  return {StatusCode::kDataLoss, "the pickle is damaged near byte " +
                                     std::to_string(window_.offset()) + ": " + std::string(what)};
}

}  // namespace sightline::profiler
