#include "sightline/recorder/message/tensorboard_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sightline/base/utf8.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

using wire::AppendBytes;

// tensorboard.DataType
constexpr std::int64_t kFloat = 1;
constexpr std::int64_t kDouble = 2;
constexpr std::int64_t kString = 7;

// As in proto3, a field with its default value is left out.
void AppendText(std::string& out, std::uint32_t field, std::string_view text) {
  if (!text.empty()) AppendBytes(out, field, ToUtf8(text));
}

void AppendNumber(std::string& out, std::uint32_t field, std::int64_t number) {
  if (number != 0) wire::AppendInt(out, field, number);
}

// Event { summary 5 { value 1 ... } }
std::string EventOf(std::span<const std::string> values) {
  std::string summary;
  for (const std::string& value : values) AppendBytes(summary, 1, value);
  std::string event;
  AppendBytes(event, 5, summary);
  return event;
}

// Summary.Value { tag 1, content, metadata 9 { plugin_data 1 { plugin_name 1, content 2 } } }.
// `data` is the plugin's own message.
std::string ValueOf(std::string_view tag, std::string_view content, std::string_view plugin = "",
                    std::string_view data = "") {
  std::string value;
  AppendText(value, 1, tag);
  value += content;
  if (plugin.empty()) return value;
  std::string plugin_data;
  AppendText(plugin_data, 1, plugin);
  if (!data.empty()) AppendBytes(plugin_data, 2, data);
  std::string metadata;
  AppendBytes(metadata, 1, plugin_data);
  AppendBytes(value, 9, metadata);
  return value;
}

std::string EventOf(const std::string& value) { return EventOf(std::span(&value, 1)); }

// TensorShapeProto { dim 2 { size 1 } }
std::string ShapeOf(std::span<const std::int64_t> sizes) {
  std::string shape;
  for (const std::int64_t size : sizes) {
    std::string dim;
    AppendNumber(dim, 1, size);
    AppendBytes(shape, 2, dim);
  }
  return shape;
}

// A Summary.Value's tensor 8 { dtype 1, tensor_shape 2, `field`: bytes }.
std::string TensorOf(std::int64_t dtype, std::span<const std::int64_t> sizes, std::uint32_t field,
                     std::string_view bytes) {
  std::string tensor;
  AppendNumber(tensor, 1, dtype);
  AppendBytes(tensor, 2, ShapeOf(sizes));
  AppendBytes(tensor, field, bytes);
  std::string content;
  AppendBytes(content, 8, tensor);
  return content;
}

// tensor_content 4: the elements in C order, little-endian.
std::string ElementsOf(std::int64_t dtype, std::span<const std::int64_t> sizes,
                       std::string_view elements) {
  return TensorOf(dtype, sizes, 4, elements);
}

// string_val 8: one string.
std::string StringOf(std::span<const std::int64_t> sizes, std::string_view text) {
  return TensorOf(kString, sizes, 8, text);
}

template <typename T>
std::string_view BytesOf(const std::vector<T>& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)};
}

Error Invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

Status CheckReal(const TensorView& tensor) {
  SIGHTLINE_RETURN_IF_ERROR(tensor.Check());
  const bool is_complex = tensor.dtype == DType::kComplex64 || tensor.dtype == DType::kComplex128;
  if (!is_complex) return {};
  return Status(StatusCode::kInvalidArgument, "an array of complex numbers cannot be shown");
}

// A WAV file of one channel with 16 bits (the RIFF header's form is Microsoft's and IBM's
// Multimedia Programming Interface 1.0).
std::string WavOf(std::span<const std::int16_t> samples, std::uint32_t rate) {
  constexpr std::uint16_t kPcm = 1;
  constexpr std::uint16_t kChannels = 1;
  constexpr std::uint16_t kBytes = sizeof(std::int16_t);
  const auto data_bytes = static_cast<std::uint32_t>(samples.size_bytes());
  std::string wav = "RIFF";
  wire::AppendFixed(wav, std::uint32_t{36} + data_bytes);
  wav += "WAVEfmt ";
  wire::AppendFixed(wav, std::uint32_t{16});
  wire::AppendFixed(wav, kPcm);
  wire::AppendFixed(wav, kChannels);
  wire::AppendFixed(wav, rate);
  wire::AppendFixed(wav, rate * kBytes);  // Bytes a second.
  wire::AppendFixed(wav, kBytes);         // Of all channels' samples.
  wire::AppendFixed(wav, std::uint16_t{8 * kBytes});
  wav += "data";
  wire::AppendFixed(wav, data_bytes);
  return wav.append(reinterpret_cast<const char*>(samples.data()), samples.size_bytes());
}

std::vector<std::int16_t> SamplesOf(const TensorView& tensor) {
  constexpr double kLoudest = 32767;
  std::vector<double> numbers(tensor.ElementCount());
  ConvertToFloat64(tensor.dtype, tensor.data, numbers.size(), numbers.data());
  std::vector<std::int16_t> samples(numbers.size());
  std::transform(numbers.begin(), numbers.end(), samples.begin(), [](double number) {
    const double sample = std::isnan(number) ? 0 : std::clamp(number, -1.0, 1.0);
    return static_cast<std::int16_t>(sample * kLoudest);
  });
  return samples;
}

// hparams.DataType
std::int64_t TypeOf(const HyperParameter::Value& value) {
  constexpr std::int64_t kText = 1;
  constexpr std::int64_t kBool = 2;
  constexpr std::int64_t kNumber = 3;
  if (std::holds_alternative<bool>(value)) return kBool;
  return std::holds_alternative<std::string>(value) ? kText : kNumber;
}

// google.protobuf.Value: number_value 2, string_value 3, bool_value 4.
std::string ProtoValueOf(const HyperParameter::Value& value) {
  std::string out;
  if (const auto* truth = std::get_if<bool>(&value)) {
    wire::AppendInt(out, 4, *truth ? 1 : 0);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    AppendBytes(out, 3, ToUtf8(*text));
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    wire::AppendDouble(out, 2, static_cast<double>(*integer));
  } else {
    wire::AppendDouble(out, 2, std::get<double>(value));
  }
  return out;
}

// HParamInfo: name 1, type 4, domain_discrete 5 { values 1 }.
std::string InfoOf(const HyperParameter& parameter) {
  std::string info;
  AppendText(info, 1, parameter.name);
  AppendNumber(info, 4, TypeOf(parameter.value));
  if (!parameter.allowed) return info;
  std::string domain;
  for (const HyperParameter::Value& value : *parameter.allowed)
    AppendBytes(domain, 1, ProtoValueOf(value));
  AppendBytes(info, 5, domain);
  return info;
}

// Layout's chart 2 { title 1, multiline 2 { tag 1 } | margin 3 { series 1 { value 1, lower 2,
// upper 3 } } }.
std::string ChartOf(const ChartLayout::Chart& chart) {
  std::string tags;
  for (std::size_t i = 0; i < chart.tags.size(); ++i) {
    if (chart.margin) {
      AppendText(tags, static_cast<std::uint32_t>(i + 1), chart.tags[i]);
    } else {
      AppendBytes(tags, 1, ToUtf8(chart.tags[i]));
    }
  }
  std::string out;
  AppendText(out, 1, chart.title);
  if (chart.margin) {
    std::string series;
    AppendBytes(series, 1, tags);
    AppendBytes(out, 3, series);
  } else {
    AppendBytes(out, 2, tags);
  }
  return out;
}

}  // namespace

std::string SerializeText(std::string_view tag, std::string_view text) {
  constexpr std::int64_t kOne[] = {1};
  return EventOf(ValueOf(std::string(tag) + "/text_summary", StringOf(kOne, ToUtf8(text)), "text"));
}

Result<std::string> SerializeAudio(std::string_view tag, const TensorView& samples,
                                   double sample_rate) {
  constexpr double kFastest = std::numeric_limits<std::int32_t>::max();
  constexpr std::size_t kMostSamples = std::numeric_limits<std::int32_t>::max() - 36;
  SIGHTLINE_RETURN_IF_ERROR(CheckReal(samples));
  if (std::count(samples.shape.begin(), samples.shape.end(), 1) + 1 !=
      static_cast<std::ptrdiff_t>(samples.shape.size())) {
    return Invalid(fmt::format("sound has one channel of samples, not the shape ({})",
                               fmt::join(samples.shape, ", ")));
  }
  if (!(sample_rate >= 1 && sample_rate <= kFastest)) {
    return Invalid(
        fmt::format("sample_rate is {} Hz, but must be at least 1 and below 2^31", sample_rate));
  }
  const std::vector<std::int16_t> pcm = SamplesOf(samples);
  if (pcm.size() > kMostSamples)
    return Invalid(fmt::format("{} samples do not fit into a WAV file", pcm.size()));
  // Summary.Audio
  std::string audio;
  wire::AppendFloat(audio, 1, static_cast<float>(sample_rate));
  AppendNumber(audio, 2, 1);  // Channels.
  AppendNumber(audio, 3, static_cast<std::int64_t>(pcm.size()));
  AppendBytes(audio, 4, WavOf(pcm, static_cast<std::uint32_t>(sample_rate)));
  AppendText(audio, 5, "audio/wav");
  std::string content;
  AppendBytes(content, 6, audio);
  return EventOf(ValueOf(tag, content));
}

Result<std::string> SerializePrCurve(std::string_view tag, const PrCurve& curve) {
  const std::vector<double>* const rows[] = {&curve.true_positives, &curve.false_positives,
                                             &curve.true_negatives, &curve.false_negatives,
                                             &curve.precision,      &curve.recall};
  std::vector<float> elements;
  for (const std::vector<double>* row : rows) {
    if (row->size() != curve.recall.size())
      return Invalid("the columns of a precision-recall curve differ in size");
    for (const double number : *row) elements.push_back(static_cast<float>(number));
  }
  const std::int64_t shape[] = {std::size(rows), static_cast<std::int64_t>(curve.recall.size())};
  // PrCurvePluginData
  std::string data;
  AppendNumber(data, 2, std::min(curve.num_thresholds, kMostThresholds));
  return EventOf(ValueOf(tag, ElementsOf(kFloat, shape, BytesOf(elements)), "pr_curves", data));
}

Result<std::string> SerializeMesh(std::string_view tag, const Mesh& mesh) {
  struct Part {
    const char* name;
    std::int64_t content_type;
    const TensorView* tensor;
  };
  const Part parts[] = {{"VERTEX", 1, &mesh.vertices},
                        {"FACE", 2, mesh.faces ? &*mesh.faces : nullptr},
                        {"COLOR", 3, mesh.colors ? &*mesh.colors : nullptr}};
  std::int64_t components = 0;
  for (const Part& part : parts)
    components |= part.tensor != nullptr ? std::int64_t{1} << part.content_type : 0;
  std::vector<std::string> values;
  for (const Part& part : parts) {
    if (part.tensor == nullptr) continue;
    const auto shape = part.tensor->shape;
    SIGHTLINE_RETURN_IF_ERROR(CheckReal(*part.tensor));
    if (shape.size() != 3) {
      return Invalid(fmt::format("a mesh's {} have the shape (batch, n, 3), not ({})", part.name,
                                 fmt::join(shape, ", ")));
    }
    std::vector<float> elements(part.tensor->ElementCount());
    ConvertToFloat32(part.tensor->dtype, part.tensor->data, elements.size(), elements.data());
    std::string sizes;
    for (const std::int64_t size : shape)
      wire::AppendVarint(sizes, static_cast<std::uint64_t>(size));
    // MeshPluginData
    std::string data;
    AppendText(data, 2, tag);
    AppendNumber(data, 3, part.content_type);
    AppendText(data, 5, mesh.config_json);
    AppendBytes(data, 6, sizes);
    AppendNumber(data, 7, components);
    values.push_back(ValueOf(fmt::format("{}_{}", tag, part.name),
                             ElementsOf(kFloat, shape, BytesOf(elements)), "mesh", data));
  }
  return EventOf(values);
}

std::string SerializeHyperParameters(std::span<const HyperParameter> parameters,
                                     std::span<const std::string> metrics) {
  std::string infos;
  std::string start;
  for (const HyperParameter& parameter : parameters) {
    AppendBytes(infos, 4, InfoOf(parameter));
    std::string entry;  // Of a map.
    AppendText(entry, 1, parameter.name);
    AppendBytes(entry, 2, ProtoValueOf(parameter.value));
    AppendBytes(start, 1, entry);
  }
  for (const std::string& tag : metrics) {
    std::string name;
    AppendText(name, 2, tag);
    std::string info;
    AppendBytes(info, 1, name);
    AppendBytes(infos, 5, info);
  }
  std::string status;
  AppendNumber(status, 1, 1);  // Success.
  // HParamsPluginData: experiment 2, session_start_info 3, session_end_info 4.
  const auto value = [](std::string_view tag, std::uint32_t field, std::string_view message) {
    std::string data;
    AppendBytes(data, field, message);
    return ValueOf(tag, "", "hparams", data);
  };
  const std::string values[] = {value("_hparams_/experiment", 2, infos),
                                value("_hparams_/session_start_info", 3, start),
                                value("_hparams_/session_end_info", 4, status)};
  return EventOf(values);
}

Result<std::string> SerializeChartLayout(const ChartLayout& layout) {
  std::string categories;
  for (const ChartLayout::Category& category : layout.categories) {
    std::string charts;
    AppendText(charts, 1, category.title);
    for (const ChartLayout::Chart& chart : category.charts) {
      if (chart.margin && chart.tags.size() != 3) {
        return Invalid(fmt::format("a margin chart has three tags (value, lower, upper), not {}",
                                   chart.tags.size()));
      }
      AppendBytes(charts, 2, ChartOf(chart));
    }
    AppendBytes(categories, 2, charts);
  }
  return EventOf(ValueOf("custom_scalars__config__", StringOf({}, categories), "custom_scalars"));
}

std::string SerializeScalarTensor(std::string_view tag, double value, bool is_float64) {
  std::string bytes;
  if (is_float64) {
    wire::AppendFixed(bytes, value);
  } else {
    wire::AppendFixed(bytes, static_cast<float>(value));
  }
  return EventOf(ValueOf(tag, ElementsOf(is_float64 ? kDouble : kFloat, {}, bytes), "scalars"));
}

Result<std::string> SerializeCountedHistogram(std::string_view tag,
                                              const CountedHistogram& histogram) {
  if (histogram.limits.size() != histogram.counts.size()) {
    return Invalid(fmt::format("{} bucket limits, but {} bucket counts", histogram.limits.size(),
                               histogram.counts.size()));
  }
  // HistogramProto
  std::string message;
  std::uint32_t field = 0;
  for (const double number :
       {histogram.min, histogram.max, histogram.count, histogram.sum, histogram.sum_squares}) {
    wire::AppendDouble(message, ++field, number);
  }
  AppendBytes(message, 6, BytesOf(histogram.limits));
  AppendBytes(message, 7, BytesOf(histogram.counts));
  std::string content;
  AppendBytes(content, 5, message);
  return EventOf(ValueOf(tag, content));
}

std::string SerializePicture(std::string_view tag, std::int64_t height, std::int64_t width,
                             std::int64_t channels, std::string_view encoded) {
  // Summary.Image
  std::string image;
  AppendNumber(image, 1, height);
  AppendNumber(image, 2, width);
  AppendNumber(image, 3, channels);
  AppendBytes(image, 4, encoded);
  std::string content;
  AppendBytes(content, 4, image);
  return EventOf(ValueOf(tag, content));
}

std::string SerializeTensorBoardGraph(std::span<const TensorBoardNode> nodes) {
  constexpr std::int64_t kProducer = 22;  // GraphDef's version, as PyTorch writes it.
  // An entry of NodeDef's attr 5 { key 1, value 2 }.
  const auto append_attribute = [](std::string& node, std::string_view key,
                                   std::string_view value) {
    std::string entry;
    AppendText(entry, 1, key);
    AppendBytes(entry, 2, value);
    AppendBytes(node, 5, entry);
  };
  std::string graph;
  for (const TensorBoardNode& node : nodes) {
    std::string message;
    AppendText(message, 1, node.name);
    AppendText(message, 2, node.op);
    for (const std::string& input : node.inputs) AppendBytes(message, 3, ToUtf8(input));
    std::string text;
    AppendBytes(text, 2, ToUtf8(node.attributes));
    append_attribute(message, "attr", text);
    if (node.shape) {
      std::string shapes;  // AttrValue's list 1 { shape 7 }.
      AppendBytes(shapes, 7, ShapeOf(*node.shape));
      std::string list;
      AppendBytes(list, 1, shapes);
      append_attribute(message, "_output_shapes", list);
    }
    AppendBytes(graph, 1, message);
  }
  std::string versions;
  AppendNumber(versions, 1, kProducer);
  AppendBytes(graph, 4, versions);
  std::string event;
  AppendBytes(event, 4, graph);
  return event;
}

}  // namespace sightline
