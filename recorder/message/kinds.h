// The kinds of values and events: what callers record (ValueKind), and what readers find in files
// (ContentKind for a value, EventKind for an event). All are made of one table, kinds.def, so one
// kind has the same name everywhere. docs/adding_a_kind.md tells how to add a kind.
//
// Plain constants; any thread may use them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline {

// The kind of a value that a caller records. The numbers are written into journals and never
// change. Values share an event with the other values of their step. A graph and a TensorBoard
// event are events of their own. Lineage goes into MindSpore's second file (PartOf in
// recorder/dialect/prepared_event.h).
//
// A histogram and a tensor are arrays; an image is an array (batch, channels 1 or 3, height,
// width). The other kinds but the scalar are serialized messages: recorder/message has a header for
// each (graph.h, landscape.h, lineage.h).
enum class ValueKind : std::uint8_t {
#define SIGHTLINE_VALUE(number, kind, name, form, page) kind = number,
#define SIGHTLINE_EVENT(number, kind, name) kind = number,
#include "sightline/recorder/message/kinds.def"
  // A serialized Event of TensorBoard's schema, for everything that no other kind can express, such
  // as values of TensorBoard's plugins. It has no time, step or version, since the recorder sets
  // them (CheckMessage). MindSpore's files leave it out, since they have no form for it, and a
  // Recorder without Format::kTensorBoard refuses it. Its tag is not written; it only distinguishes
  // the TensorBoard events of one Record.
  kTensorBoardEvent = 11,
};

inline constexpr ValueKind kValueKinds[] = {
#define SIGHTLINE_VALUE(number, kind, name, form, page) ValueKind::kind,
#define SIGHTLINE_EVENT(number, kind, name) ValueKind::kind,
#include "sightline/recorder/message/kinds.def"
    ValueKind::kTensorBoardEvent,
};

// "scalar", "train lineage", ...
std::string_view ValueKindName(ValueKind kind);

// The member of a Value that holds a kind.
enum class ValueForm : std::uint8_t { kNumber, kTensor, kMessage };

constexpr ValueForm FormOf(ValueKind kind) {
  switch (kind) {
#define SIGHTLINE_VALUE(number, kind, name, form, page) \
  case ValueKind::kind:                                 \
    return ValueForm::form;
#define SIGHTLINE_EVENT(number, kind, name) case ValueKind::kind:
#include "sightline/recorder/message/kinds.def"
    case ValueKind::kTensorBoardEvent:
      break;
  }
  return ValueForm::kMessage;
}

// Whether a number is one of ValueKind's.
constexpr bool IsValueKind(std::uint8_t number) {
  for (const ValueKind kind : kValueKinds)  // NOLINT(readability-use-anyofallof): no <algorithm>.
    if (static_cast<std::uint8_t>(kind) == number) return true;
  return false;
}

// The kind of a value in a file, whatever its form: TensorFlow 2 writes a scalar as a tensor.
enum class ContentKind : std::uint8_t {
#define SIGHTLINE_VALUE(number, kind, name, form, page) kind,
#define SIGHTLINE_TENSORBOARD_VALUE(kind, name, page) kind,
#include "sightline/recorder/message/kinds.def"
  kUnknown,
};

// All but kUnknown.
inline constexpr ContentKind kContentKinds[] = {
#define SIGHTLINE_VALUE(number, kind, name, form, page) ContentKind::kind,
#define SIGHTLINE_TENSORBOARD_VALUE(kind, name, page) ContentKind::kind,
#include "sightline/recorder/message/kinds.def"
};

// "scalar", "histogram", ..., "unknown".
std::string_view ContentKindName(ContentKind kind);

// The kind of that name, one of kContentKinds; none for any other text.
std::optional<ContentKind> ContentKindNamed(std::string_view name);

// The kind of an event in a file.
enum class EventKind : std::uint8_t {
  kEmpty,    // Only a time and a step.
  kVersion,  // "MindSpore.Event:1" or "brain.Event:2".
  kSummary,  // Values.
#define SIGHTLINE_EVENT(number, kind, name) kind,
#define SIGHTLINE_READ_EVENT(kind, name) kind,
#include "sightline/recorder/message/kinds.def"
  kOther,  // A field that is in no schema.
};

// "summary", "train lineage", ...
std::string_view EventKindName(EventKind kind);

}  // namespace sightline
