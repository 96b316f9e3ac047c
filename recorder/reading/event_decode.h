// Decodes the messages of an EventView into plain values: tensors, histograms, images and sound of
// both dialects. Graphs, lineage and landscapes have functions in their own headers: ParseGraph,
// ParseTrainLineage, ...
//
// Pure functions; may be called from any thread. kDataLoss for bytes of another form,
// kUnimplemented for types that DType does not have (strings, complex numbers in MindSpore's form).
// Except for DecodeTensor, nothing allocates more than a small multiple of the message.
//
//   for (const ValueView& value : event.values) {
//     if (value.kind == ContentKind::kHistogram) Show(DecodeHistogram(reader.kind(), value));
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/recorder/tensor/histogram.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

struct TensorData {
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // C order, this machine's byte order.

  // Borrows from this object.
  TensorView View() const { return TensorView{dtype, shape, data.data()}; }
};

// Decodes a TensorProto of either dialect, into the dtype that it names. MindSpore's float_data is
// converted to that dtype and has only the digits of a float32; raw_data is exact. In a TensorBoard
// tensor, the last element may stand for all that follow. kResourceExhausted if such a tensor
// exceeds kMaxFilledBytes.
Result<TensorData> DecodeTensor(EventFileKind file_kind, std::string_view tensor_proto);
inline constexpr std::size_t kMaxFilledBytes = std::size_t{64} << 20U;

// Whether the elements of a TensorBoard tensor are strings.
bool HoldsStrings(std::string_view tensor_proto);

// The only element of a TensorBoard tensor of numbers; no value if the tensor has another form.
std::optional<double> ScalarOfTensor(std::string_view tensor_proto);

// Returns the elements of a TensorBoard tensor of strings (text, encoded images), as views of the
// message.
Result<std::vector<std::string_view>> DecodeStrings(std::string_view tensor_proto);
// Returns the sizes of a TensorBoard tensor's dimensions, whatever its elements are. kDataLoss for
// a shape with more than 32 dimensions, with unknown or negative sizes, or with more elements than
// 2^63 - 1.
Result<std::vector<std::int64_t>> DecodeShape(std::string_view tensor_proto);

// Decodes a histogram. TensorBoard's histograms do not count NaN and infinity; their outermost
// edges, which may be infinite, become minimum and maximum, and TensorFlow 2's have no sum.
// REQUIRES: value.kind is kHistogram.
Result<HistogramData> DecodeHistogram(EventFileKind file_kind, const ValueView& value);

struct EncodedImage {
  std::int32_t height = 0;
  std::int32_t width = 0;
  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; 0 if the message does not have it.
  std::int32_t colorspace = 0;
  // A PNG, or in TensorBoard's files also GIF or JPEG; a view of the message.
  std::string_view encoded;
};
// Decodes an image; image number `item` of a TensorFlow 2 value, which may contain several.
// REQUIRES: value.kind is kImage.
Result<EncodedImage> DecodeImage(EventFileKind file_kind, const ValueView& value,
                                 std::size_t item = 0);

struct EncodedAudio {
  std::string_view encoded;  // The sound's file, WAV as a rule; a view of the message.
  std::string content_type;  // "audio/wav"; empty if the message does not have it.
  double sample_rate = 0;    // In Hz; 0 if the message does not have it.
};
// Decodes a sound; sound number `item` of a TensorFlow 2 value, which may contain several.
// REQUIRES: value.kind is kAudio.
Result<EncodedAudio> DecodeAudio(const ValueView& value, std::size_t item = 0);

// How many images or sounds the value contains; 1 for other kinds, and if it contains none.
std::uint32_t ItemCount(const ValueView& value);

// Whether the event is a session log with the status START. For TensorBoard, a training starts or
// continues at its step.
bool IsSessionStart(const EventView& event);

// A decoded EventView::session (proto/session.proto).
struct Session {
  std::string writer;
  std::string version;
  std::string session_id;
  std::int32_t rank = 0;
  std::int32_t world_size = 1;
  std::int32_t segment = 0;
  std::optional<std::int64_t> first_step;
  std::optional<std::int64_t> resume_from_step;
  std::string continues_session;
};
Result<Session> DecodeSession(std::string_view session_info);

}  // namespace sightline
