#include "sightline/export/runs/json_printer.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/json/json_text.h"
#include "sightline/export/runs/base64.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// The bytes of `field`; `scratch` holds them if the class does not.
const std::string& BytesOf(const Message& message, const FieldDescriptor& field,
                           std::string& scratch) {
  return message.GetReflection()->GetStringReference(message, &field, &scratch);
}

}  // namespace

void JsonPrinter::Object(const Message& message) {
  out_ += '{';
  Fields(message);
  out_ += '}';
}

void JsonPrinter::Fields(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  bool first = true;
  for (const FieldDescriptor* field : fields) {
    if (!first) out_ += ',';
    first = false;
    if (!Special(message, *field)) Field(message, *field);
  }
}

void JsonPrinter::Field(const Message& message, const FieldDescriptor& field) {
  Key(field.name());
  if (field.is_map()) return Map(message, field);
  if (!field.is_repeated()) return Element(message, field, -1);
  out_ += '[';
  const int size = message.GetReflection()->FieldSize(message, &field);
  for (int i = 0; i < size; ++i) {
    if (i > 0) out_ += ',';
    Element(message, field, i);
  }
  out_ += ']';
}

// Entries sorted by their text, since a map on the wire has no order.
void JsonPrinter::Map(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  const FieldDescriptor& key_field = *field.message_type()->map_key();
  const FieldDescriptor& value_field = *field.message_type()->map_value();
  std::vector<std::string> entries;
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
    std::string text;
    JsonPrinter printer(text, show_bytes_);
    const bool quoted = key_field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (!quoted) text += '"';
    printer.Element(entry, key_field, -1);
    if (!quoted) text += '"';
    text += ':';
    printer.Element(entry, value_field, -1);
    entries.push_back(std::move(text));
  }
  std::sort(entries.begin(), entries.end());
  out_ += fmt::format("{{{}}}", fmt::join(entries, ","));
}

// One element of a repeated field, or with index -1 the field.
void JsonPrinter::Element(const Message& message, const FieldDescriptor& field, int index) {
  const Reflection& r = *message.GetReflection();
  const bool one = index < 0;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      out_ += fmt::to_string(one ? r.GetInt32(message, &field)
                                 : r.GetRepeatedInt32(message, &field, index));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      out_ += fmt::format(
          "\"{}\"", one ? r.GetInt64(message, &field) : r.GetRepeatedInt64(message, &field, index));
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      out_ += fmt::to_string(one ? r.GetUInt32(message, &field)
                                 : r.GetRepeatedUInt32(message, &field, index));
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      out_ += fmt::format("\"{}\"", one ? r.GetUInt64(message, &field)
                                        : r.GetRepeatedUInt64(message, &field, index));
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE: {
      const double value =
          one ? r.GetDouble(message, &field) : r.GetRepeatedDouble(message, &field, index);
      Floating(value, fmt::to_string(value));
      break;
    }
    case FieldDescriptor::CPPTYPE_FLOAT: {
      // The shortest digits that give the same float32, not those of its exact value.
      const float value =
          one ? r.GetFloat(message, &field) : r.GetRepeatedFloat(message, &field, index);
      Floating(static_cast<double>(value), fmt::to_string(value));
      break;
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      out_ += (one ? r.GetBool(message, &field) : r.GetRepeatedBool(message, &field, index))
                  ? "true"
                  : "false";
      break;
    case FieldDescriptor::CPPTYPE_ENUM: {
      const int number =
          one ? r.GetEnumValue(message, &field) : r.GetRepeatedEnumValue(message, &field, index);
      const EnumValueDescriptor* value = field.enum_type()->FindValueByNumber(number);
      out_ += value != nullptr ? fmt::format("\"{}\"", value->name()) : fmt::to_string(number);
      break;
    }
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string scratch;
      const std::string& bytes =
          one ? BytesOf(message, field, scratch)
              : r.GetRepeatedStringReference(message, &field, index, &scratch);
      field.type() == FieldDescriptor::TYPE_BYTES ? Base64(bytes) : Text(bytes);
      break;
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      Object(one ? r.GetMessage(message, &field) : r.GetRepeatedMessage(message, &field, index));
      break;
  }
}

void JsonPrinter::Key(std::string_view name) {
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void JsonPrinter::Floating(double value, std::string_view digits) {
  if (std::isnan(value)) {
    out_ += "\"NaN\"";
  } else if (std::isinf(value)) {
    out_ += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    out_ += digits;
    // A number with a fraction, so that readers with an integer type do not take it for one.
    if (digits.find_first_of(".e") == std::string_view::npos) out_ += ".0";
  }
}

void JsonPrinter::Text(std::string_view text) { AppendJsonText(text, out_); }

void JsonPrinter::Base64(std::string_view bytes) {
  out_ += '"';
  out_ += sightline::Base64(bytes);
  out_ += '"';
}

bool JsonPrinter::Special(const Message& message, const FieldDescriptor& field) {
  if (field.type() != FieldDescriptor::TYPE_BYTES || field.is_repeated()) return false;
  using mindspore::Summary;
  const auto is = [&](const google::protobuf::Descriptor* type, int number) {
    return field.containing_type() == type && field.number() == number;
  };
  std::string scratch;
  if (is(tensorboard::Event::descriptor(), tensorboard::Event::kGraphDefFieldNumber)) {
    return Graph(BytesOf(message, field, scratch));
  }
  if (show_bytes_) return false;
  using tensorboard::Summary_Audio;
  using tensorboard::Summary_Image;
  if (is(Summary::Image::descriptor(), Summary::Image::kEncodedImageFieldNumber) ||
      is(Summary_Image::descriptor(), Summary_Image::kEncodedImageStringFieldNumber)) {
    Pixels(BytesOf(message, field, scratch));
    return true;
  }
  if (is(Summary_Audio::descriptor(), Summary_Audio::kEncodedAudioStringFieldNumber)) {
    Digest(BytesOf(message, field, scratch));
    return true;
  }
  return false;
}

void JsonPrinter::Pixels(std::string_view encoded) {
  Sha256Stream digest;
  const auto image = DecodePngRows(encoded, [&](std::string_view rows) { digest.Add(rows); });
  if (!image) return Digest(encoded);
  out_ += fmt::format(R"("pixels_shape":[{},{},{}],"pixels_sha256":"{}")", image->height,
                      image->width, image->colorspace, digest.FinishHex());
}

void JsonPrinter::Digest(std::string_view encoded) {
  out_ += fmt::format(R"("encoded_bytes":{},"encoded_sha256":"{}")", encoded.size(),
                      Sha256Hex(encoded));
}

bool JsonPrinter::Graph(std::string_view graph_def) {
  tensorboard::GraphDef graph;
  if (!graph.ParsePartialFromArray(graph_def.data(), static_cast<int>(graph_def.size())))
    return false;
  Key("graph_def");
  Object(graph);
  return true;
}

}  // namespace sightline
