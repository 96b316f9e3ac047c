#include "sightline/tests/runs/event_grammar.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "sightline/base/wire.h"
#include "sightline/tests/support/records.h"

namespace sightline::testing {
namespace {

using wire::WireType;
using namespace std::string_view_literals;  // For texts with a zero byte.

// --- The wire format -----------------------------------------------------------------------------

void Bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  wire::AppendVarint(out, wire::Key(field, WireType::kBytes));
  wire::AppendVarint(out, bytes.size());
  out.append(bytes);
}

void Int(std::string& out, std::uint32_t field, std::int64_t value) {
  wire::AppendVarint(out, wire::Key(field, WireType::kVarint));
  wire::AppendVarint(out, static_cast<std::uint64_t>(value));
}

void Float(std::string& out, std::uint32_t field, float value) {
  wire::AppendVarint(out, wire::Key(field, WireType::kFixed32));
  wire::AppendFixed(out, value);
}

void Double(std::string& out, std::uint32_t field, double value) {
  wire::AppendVarint(out, wire::Key(field, WireType::kFixed64));
  wire::AppendFixed(out, value);
}

template <std::size_t kCount>
std::string_view OneOf(Choices& choices, const std::array<std::string_view, kCount>& texts) {
  return texts[choices.Below(kCount)];
}

float Number(Choices& choices) {
  constexpr std::array kNumbers = {0.5F,
                                   -1.0F,
                                   0.1F,
                                   1e30F,
                                   std::numeric_limits<float>::quiet_NaN(),
                                   std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity(),
                                   0.0F};
  return kNumbers[choices.Below(kNumbers.size())];
}

std::string Plugin(Choices& choices) {
  return std::string(OneOf<10>(choices, {"scalars", "images", "audio", "text", "histograms",
                                         "pr_curves", "hparams", "tensor", "mesh", "unheard_of"}));
}

// --- Values (tensorboard/compat/proto/summary.proto, tensor.proto) -------------------------------

// SummaryMetadata
std::string Metadata(Choices& choices) {
  std::string data;
  Bytes(data, 1, Plugin(choices));
  if (choices.OneIn(3)) Bytes(data, 2, OneOf<3>(choices, {"", "x", "\x08\x01"}));
  std::string metadata;
  Bytes(metadata, 1, data);
  if (choices.OneIn(4)) Bytes(metadata, 2, "display name");
  if (choices.OneIn(4)) Int(metadata, 4, choices.Below(4));
  return metadata;
}

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\0\0\0\0"sv;

std::string Tensor(Choices& choices) {
  std::string tensor;
  constexpr std::array kTypes = {1, 2, 3, 7, 9, 10, 14, 19, 100};
  const int type = kTypes[choices.Below(kTypes.size())];
  Int(tensor, 1, type);
  std::string shape;
  for (std::uint32_t axis = choices.Below(3); axis > 0; --axis) {
    std::string dimension;
    Int(dimension, 1, choices.Below(4));
    Bytes(shape, 2, dimension);
  }
  Bytes(tensor, 2, shape);
  const std::uint32_t count = choices.Below(5);
  if (type == 7) {
    for (std::uint32_t i = 0; i < count; ++i) {
      Bytes(tensor, 8,
            OneOf<7>(choices, {"2", "2", kPng, "text", "\xff", "", "{\"lr\": [{'a': 1}]}"}));
    }
  } else if (choices.OneIn(2)) {
    Bytes(tensor, 4, std::string(count * 4, '\x3f'));  // tensor_content
  } else if (type == 1) {
    for (std::uint32_t i = 0; i < count; ++i) Float(tensor, 5, Number(choices));
  } else if (type == 2) {
    for (std::uint32_t i = 0; i < count; ++i) Double(tensor, 6, Number(choices));
  } else {
    for (std::uint32_t i = 0; i < count; ++i) Int(tensor, type == 9 ? 10 : 7, choices.Below(70000));
  }
  return tensor;
}

// HistogramProto
std::string Histogram(Choices& choices) {
  std::string histogram;
  for (std::uint32_t field = 1; field <= 5; ++field)
    if (!choices.OneIn(4)) Double(histogram, field, Number(choices));
  std::string limits;
  std::string counts;
  for (std::uint32_t i = choices.Below(4); i > 0; --i) {
    wire::AppendFixed(limits, static_cast<double>(i));
    wire::AppendFixed(counts, 0.5 * i);
  }
  Bytes(histogram, 6, limits);
  if (!choices.OneIn(6)) Bytes(histogram, 7, counts);
  return histogram;
}

std::string ImageOrAudio(Choices& choices) {
  std::string message;
  Int(message, 1, choices.Below(3));
  Int(message, 2, choices.Below(3));
  Int(message, 3, choices.Below(5));
  Bytes(message, 4, OneOf<3>(choices, {kPng, "", "RIFF"}));
  return message;
}

std::string TensorBoardValue(Choices& choices) {
  std::string value;
  Bytes(value, 1, OneOf<6>(choices, {"a", "b", "c/d", "", "\xff", "_hparams_/experiment"}));
  switch (choices.Below(6)) {
    case 0:
      Float(value, 2, Number(choices));
      break;
    case 1:
      Bytes(value, 8, Tensor(choices));
      break;
    case 2:
      Bytes(value, 5, Histogram(choices));
      break;
    case 3:
      Bytes(value, 4, ImageOrAudio(choices));
      break;
    case 4:
      Bytes(value, 6, ImageOrAudio(choices));
      break;
    default:
      break;  // Without data.
  }
  if (choices.OneIn(3)) Bytes(value, 9, Metadata(choices));
  return value;
}

// mindspore.Summary.Histogram
std::string Buckets(Choices& choices) {
  std::string histogram;
  for (std::uint32_t i = choices.Below(3); i > 0; --i) {
    std::string bucket;
    Double(bucket, 1, i);
    Double(bucket, 2, Number(choices));
    Int(bucket, 3, choices.Below(5));
    Bytes(histogram, 1, bucket);
  }
  if (choices.OneIn(2)) Int(histogram, 2, choices.Below(3));
  if (choices.OneIn(2)) Int(histogram, 8, choices.Below(9));
  return histogram;
}

// mindspore.TensorProto (proto/mindspore_graph.proto)
std::string MindSporeTensor(Choices& choices) {
  std::string tensor;
  Int(tensor, 1, choices.Below(3));
  Int(tensor, 2, choices.Below(14));
  for (std::uint32_t i = choices.Below(3); i > 0; --i) Float(tensor, 3, Number(choices));
  return tensor;
}

// mindspore.Summary.Value (proto/mindspore_event.proto)
std::string MindSporeValue(Choices& choices) {
  std::string value;
  Bytes(value, 1, OneOf<4>(choices, {"a", "b", "c/d", ""}));
  switch (choices.Below(4)) {
    case 0:
      Float(value, 3, Number(choices));
      break;
    case 1:
      Bytes(value, 4, ImageOrAudio(choices));
      break;
    case 2:
      Bytes(value, 8, MindSporeTensor(choices));
      break;
    default:
      Bytes(value, 9, Buckets(choices));
      break;
  }
  return value;
}

// --- Events --------------------------------------------------------------------------------------

std::int64_t Step(Choices& choices, std::int64_t& last) {
  switch (choices.Below(6)) {
    case 0:
    case 1:
    case 2:
      return ++last;
    case 3:
      return last;
    case 4:
      return last = choices.Below(6);
    default:
      return choices.OneIn(2) ? -1 : std::numeric_limits<std::int64_t>::max();
  }
}

std::string Event(Choices& choices, bool tensorboard, std::int64_t& last) {
  std::string event;
  if (!choices.OneIn(8)) Double(event, 1, 1.7e9 + choices.Below(4));
  if (!choices.OneIn(8)) Int(event, 2, Step(choices, last));
  switch (choices.Below(tensorboard ? 12 : 9)) {
    case 8:
      Bytes(event, 4, "graph");
      break;
    case 9: {
      std::string session;  // SessionLog
      Int(session, 1, 1 + choices.Below(3));
      Bytes(event, 7, session);
      break;
    }
    case 10:
      Bytes(event, 3, "brain.Event:2");
      break;
    case 11:
      break;
    default: {
      std::string summary;
      for (std::uint32_t i = 1 + choices.Below(3); i > 0; --i)
        Bytes(summary, 1, tensorboard ? TensorBoardValue(choices) : MindSporeValue(choices));
      Bytes(event, 5, summary);
    }
  }
  return event;
}

void Damage(Choices& choices, std::string& record) {
  switch (choices.Below(4)) {
    case 0:
      record[choices.Below(static_cast<std::uint32_t>(record.size()))] ^= '\x20';
      break;
    case 1:
      record.resize(choices.Below(static_cast<std::uint32_t>(record.size())));
      break;
    case 2:
      record.insert(0, "garbage");
      break;
    default:
      record = FrameRecord("\xff\xff");
      break;
  }
}

std::string FileBytes(Choices& choices, bool tensorboard) {
  std::string bytes;
  std::string version;
  Double(version, 1, 1.7e9);
  Bytes(version, 3, tensorboard ? "brain.Event:2" : "MindSpore.Event:1");
  if (!choices.OneIn(6)) bytes += FrameRecord(version);
  std::int64_t last = 0;
  for (int i = 0; i < 40 && !choices.empty() && !choices.OneIn(24); ++i) {
    std::string record = FrameRecord(Event(choices, tensorboard, last));
    if (choices.OneIn(24)) Damage(choices, record);
    bytes += record;
  }
  return bytes;
}

}  // namespace

std::uint32_t Choices::Below(std::uint32_t count) {
  std::uint32_t number = 0;
  for (std::uint32_t most = count - 1; most > 0 && !bytes_.empty(); most >>= 8U) {
    number = number << 8U | static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
  }
  return number % count;
}

std::vector<GrammarFile> MakeEventFiles(Choices& choices) {
  const std::uint32_t count = 1 + choices.Below(3);
  std::vector<GrammarFile> files;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool tensorboard = !choices.OneIn(4);
    const std::string seconds = std::to_string(1'700'000'000 + i);
    files.push_back({tensorboard ? "events.out.tfevents." + seconds + ".host"
                                 : "events.out.events.summary." + seconds + ".0.host_MS",
                     FileBytes(choices, tensorboard)});
  }
  return files;
}

}  // namespace sightline::testing
