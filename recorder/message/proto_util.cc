#include "sightline/recorder/message/proto_util.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

namespace sightline {

bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite& message) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  in.SetRecursionLimit(kMaxMessageDepth);
  const google::protobuf::LogSilencer silence;  // The library prints nothing.
  return message.ParseFromCodedStream(&in) && in.ConsumedEntireMessage();
}

std::string SerializeDeterministic(const google::protobuf::MessageLite& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  const google::protobuf::LogSilencer silence;
  message.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

}  // namespace sightline
