#include "sightline/recorder/message/kinds.h"

namespace sightline {

std::string_view ValueKindName(ValueKind kind) {
  switch (kind) {
#define SIGHTLINE_VALUE(number, kind, name, form, page) \
  case ValueKind::kind:                                 \
    return name;
#define SIGHTLINE_EVENT(number, kind, name) \
  case ValueKind::kind:                     \
    return name;
#include "sightline/recorder/message/kinds.def"
    case ValueKind::kTensorBoardEvent:
      return "TensorBoard event";
  }
  return "unknown";
}

std::string_view ContentKindName(ContentKind kind) {
  switch (kind) {
#define SIGHTLINE_VALUE(number, kind, name, form, page) \
  case ContentKind::kind:                               \
    return name;
#define SIGHTLINE_TENSORBOARD_VALUE(kind, name, page) \
  case ContentKind::kind:                             \
    return name;
#include "sightline/recorder/message/kinds.def"
    case ContentKind::kUnknown:
      break;
  }
  return "unknown";
}

std::optional<ContentKind> ContentKindNamed(std::string_view name) {
  for (const ContentKind kind : kContentKinds)
    if (ContentKindName(kind) == name) return kind;
  return std::nullopt;
}

std::string_view EventKindName(EventKind kind) {
  switch (kind) {
    case EventKind::kEmpty:
      return "empty";
    case EventKind::kVersion:
      return "version";
    case EventKind::kSummary:
      return "summary";
#define SIGHTLINE_EVENT(number, kind, name) \
  case EventKind::kind:                     \
    return name;
#define SIGHTLINE_READ_EVENT(kind, name) \
  case EventKind::kind:                  \
    return name;
#include "sightline/recorder/message/kinds.def"
    case EventKind::kOther:
      return "other";
  }
  return "unknown";
}

}  // namespace sightline
