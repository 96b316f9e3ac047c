// What the messages of an EventView hold, as plain values: either dialect's tensors, histograms and
// images. (Graphs, lineage and landscapes: ParseGraph, ParseTrainLineage, ... in their own
// headers.)
//
// Pure functions, callable from any thread. Bytes that are no such message are kDataLoss, what
// DType cannot hold (strings, complex numbers in MindSpore's form) is kUnimplemented. Nothing
// allocates more than a small multiple of the message, but see DecodeTensor.
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

// A TensorProto of either dialect, in the dtype that it names. MindSpore's float_data is converted
// to it, with the digits that float32 has; raw_data is exact. Of TensorBoard's the last element may
// stand for many: what does not fit kMaxFilledBytes then is kResourceExhausted.
Result<TensorData> DecodeTensor(EventFileKind file_kind, std::string_view tensor_proto);
inline constexpr std::size_t kMaxFilledBytes = std::size_t{64} << 20U;

// The only element of a TensorBoard tensor of numbers; nothing where it has another form.
std::optional<double> ScalarOfTensor(std::string_view tensor_proto);

// The elements of a TensorBoard tensor of strings (text, encoded images); they point into the
// message.
Result<std::vector<std::string_view>> DecodeStrings(std::string_view tensor_proto);

// REQUIRES (for this and the next): value.kind is kHistogram, kImage. TensorBoard's buckets have no
// NaN and no infinity; its outermost edges, which may be infinite, become minimum and maximum.
Result<HistogramData> DecodeHistogram(EventFileKind file_kind, const ValueView& value);

struct EncodedImage {
  std::int32_t height = 0;
  std::int32_t width = 0;
  std::int32_t colorspace =
      0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; 0 where the message does not say.
  std::string_view encoded;  // PNG, or in TensorBoard's files GIF or JPEG; points into the message.
};
// Of a TensorFlow 2 value, which may hold several, the first.
Result<EncodedImage> DecodeImage(EventFileKind file_kind, const ValueView& value);

// Whether the event is TensorBoard's word for a training that starts, or goes on, at its step: a
// session log with the status START.
bool IsSessionStart(const EventView& event);

// EventView::session.
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
