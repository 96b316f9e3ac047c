// Protobuf messages as JSON text, over reflection. Private to this folder.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace sightline {

class JsonPrinter {
 public:
  // Appends to `out`, which must outlive the printer. `show_bytes`: JsonLinesOptions::bytes.
  JsonPrinter(std::string& out, bool show_bytes) : out_(out), show_bytes_(show_bytes) {}

  // The fields of a message as "name":value, with commas between them and without braces.
  void Fields(const google::protobuf::Message& message);

  void Text(std::string_view text);

 private:
  using Descriptor = google::protobuf::FieldDescriptor;

  void Object(const google::protobuf::Message& message);
  void Field(const google::protobuf::Message& message, const Descriptor& field);
  void Map(const google::protobuf::Message& message, const Descriptor& field);
  void Element(const google::protobuf::Message& message, const Descriptor& field, int index);
  void Key(std::string_view name);
  void Base64(std::string_view bytes);
  void Floating(double value, std::string_view digits);

  // Prints what replaces encoded bytes; false if the field is printed as it is.
  bool Special(const google::protobuf::Message& message, const Descriptor& field);
  void Pixels(std::string_view encoded);
  void Digest(std::string_view encoded);
  bool Graph(std::string_view graph_def);

  std::string& out_;
  const bool show_bytes_;
};

}  // namespace sightline
